package ruletest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/past/start"
	"github.com/rulecheck/rulecheck/internal/ruletest"
)

// hint is the comment by which editors that ask yaml-language-server find the
// schema of a file, relative to it.
var hint = regexp.MustCompile(`(?m)^# yaml-language-server: \$schema=(\S+)$`)

// Each file that init writes is valid by the schema it names.
func TestInitPointsEditorsToTheSchemas(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	for i := range 40 {
		repo.Write("VERSION", strconv.Itoa(i))
		repo.Write("CHANGELOG.md", strconv.Itoa(i))
		repo.Commit("release")
	}
	engine := repo.Open()
	began, err := start.Init(t.Context(), engine, engine.(*program.Engine).Repo(), start.Options{Agents: agents.Ring{}})
	if err != nil {
		t.Fatal(err)
	}
	written := began.Written
	named := map[string]string{}
	for _, file := range written {
		if filepath.Ext(file) == ".json" {
			continue
		}
		full := filepath.Join(repo.Dir, file)
		text, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		match := hint.FindSubmatch(text)
		if match == nil {
			t.Errorf("%s names no schema", file)
			continue
		}
		path := filepath.Join(filepath.Dir(full), string(match[1]))
		named[file], _ = filepath.Rel(repo.Dir, path)
		schema, err := jsonschema.NewCompiler().Compile(path)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		asJSON, err := yaml.YAMLToJSON(yamlOf(text))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	want := map[string]string{
		".rulecheck/config.yml":                         ".rulecheck/schema/config.json",
		".rulecheck/rules/changelog-md-with-version.md": ".rulecheck/schema/rule.json",
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Errorf("schemas that the files name (-want +got):\n%s", diff)
	}
}

// yamlOf is the frontmatter of a rule file, or the whole of another.
func yamlOf(text []byte) []byte {
	if rest, ok := strings.CutPrefix(string(text), "---\n"); ok {
		frontmatter, _, _ := strings.Cut(rest, "\n---\n")
		return []byte(frontmatter)
	}
	return text
}

func TestSchemasAreThoseOfSchemaNames(t *testing.T) {
	t.Parallel()
	schemas, err := ruletest.Schemas(t.Context(), gittest.New(t).Open())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range ruletest.SchemaNames() {
		if len(schemas[name]) == 0 {
			t.Errorf("no schema %q", name)
		}
	}
	if len(schemas) != len(ruletest.SchemaNames()) {
		t.Errorf("%d schemas; want %d", len(schemas), len(ruletest.SchemaNames()))
	}
}
