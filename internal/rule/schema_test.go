package rule_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func schema(t *testing.T, source []byte, err error) *jsonschema.Schema {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	const name = "schema.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func rulesSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	source, err := rule.Schema(modes(t))
	return schema(t, source, err)
}

// frontmatter is a rule file's YAML as JSON has it.
func frontmatter(t *testing.T, markdown string) any {
	t.Helper()
	_, rest, _ := strings.Cut(strings.ReplaceAll(markdown, "\r\n", "\n"), "---\n")
	source, _, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		t.Fatalf("no frontmatter in %q", markdown)
	}
	return decoded(t, source)
}

func decoded(t *testing.T, source string) any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchemaAcceptsWhatLoads(t *testing.T) {
	t.Parallel()
	s := rulesSchema(t)
	for _, c := range conformanceCases(t, "testdata/rules_valid.json") {
		if err := s.Validate(frontmatter(t, c.Markdown)); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
	}
	if err := s.Validate(frontmatter(t, everyKey)); err != nil {
		t.Error(err)
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := rulesSchema(t)
	// What the schema can know: keys and types.
	known := []string{
		"missing_mode", "multiple_modes", "missing_field", "unknown_field",
		"wrong_type", "empty_value", "set_too_few",
	}
	refused := 0
	for _, c := range conformanceCases(t, "testdata/rules_invalid.json") {
		if _, other := decided[c.ID]; other || !slices.Contains(known, c.Error) {
			continue
		}
		refused++
		if s.Validate(frontmatter(t, c.Markdown)) == nil {
			t.Errorf("%s: accepted in spite of %s", c.ID, c.Error)
		}
	}
	if refused == 0 {
		t.Error("no case was tried")
	}
	for _, source := range []string{
		"trigger: a\nlevel: eror",
		"trigger: a\nrequire: exists",
		"trigger: a\nenabled: yes",
		"set: [a, a]",
		"created: a\naction: {command: x, shell: true}",
	} {
		if s.Validate(decoded(t, source)) == nil {
			t.Errorf("accepted: %s", source)
		}
	}
}

func TestSchemaIsDeterministic(t *testing.T) {
	t.Parallel()
	first, err := rule.Schema(modes(t))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		again, err := rule.Schema(modes(t))
		if err != nil || !bytes.Equal(first, again) {
			t.Fatalf("the schema differs from run to run, or %v", err)
		}
	}
}

func TestConfigSchema(t *testing.T) {
	t.Parallel()
	source, err := rule.ConfigSchema()
	s := schema(t, source, err)
	for _, test := range []struct {
		source string
		ok     bool
	}{
		{"{}", true},
		{"rules: {enabled: false, rules_dir: rules}\njobs: 2\nexclude: [a, b]\ncommands: {env: CI}", true},
		{"rule: {}", false},
		{"rules: {enable: true}", false},
		{"rules: true", false},
		{"jobs: 0", false},
		{"jobs: many", false},
		{"fail_on: never", false},
		{"exclude: []", false},
	} {
		if err := s.Validate(decoded(t, test.source)); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.source, err)
		}
		_, problems := rule.LoadConfig(fstest.MapFS{configFile: {Data: []byte(test.source)}}, configFile)
		if (len(problems) == 0) != test.ok {
			t.Errorf("%s: the parser says %v", test.source, problems)
		}
	}
}

func TestEveryParamTypeHasARow(t *testing.T) {
	t.Parallel()
	for _, p := range policies.ParamTypes() {
		if _, ok := rule.Types[p]; !ok {
			t.Errorf("type %s has no row", p)
		}
	}
}

// TestSchemaHasExamples: the schema of each mode has those of its METADATA, which it accepts,
// and describes what patterns of its keys may be.
func TestSchemaHasExamples(t *testing.T) {
	t.Parallel()
	source, err := rule.Schema(modes(t))
	if err != nil {
		t.Fatal(err)
	}
	var text struct {
		OneOf []struct {
			Title, Description string
			Examples           []any
		}
	}
	if err := json.Unmarshal(source, &text); err != nil {
		t.Fatal(err)
	}
	s := schema(t, source, nil)
	for _, branch := range text.OneOf {
		if len(branch.Examples) == 0 || branch.Description == "" {
			t.Errorf("the mode %q has no examples or no description", branch.Title)
		}
		for _, example := range branch.Examples {
			if err := s.Validate(example); err != nil {
				t.Errorf("%s: %v: %v", branch.Title, example, err)
			}
		}
	}
	for _, want := range []string{"{name|kebab} expands a capture in another form: kebab, snake, camel, pascal, lower, upper", "such as package.json#/dependencies/**"} {
		if !bytes.Contains(source, []byte(want)) {
			t.Errorf("the schema has no %q", want)
		}
	}
}
