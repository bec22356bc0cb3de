package workflow_test

import (
	"bytes"
	"io/fs"
	"path"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// workflowSchema compiles the schema of workflow files.
func workflowSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	source, err := workflow.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("schema.json")
}

func decodedYAML(t *testing.T, source []byte) any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON(source)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSchemaAcceptsWhatLoads checks every workflow that loads against the schema.
func TestSchemaAcceptsWhatLoads(t *testing.T) {
	t.Parallel()
	s := workflowSchema(t)
	for dir, fsys := range map[string]fs.FS{workflow.BundledDir: workflow.Bundled(), rule.WorkflowsDir: repo()} {
		files, err := fs.Glob(fsys, path.Join(dir, "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			source, err := fs.ReadFile(fsys, file)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(decodedYAML(t, source)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	for _, source := range []string{
		"phases: [{name: a}]", "nodes: {a: }", "nodes: {a: {rules: , transitions: [{when: true, to: done}]}}",
		"phases: [{name: a, exit_conditions: [claims.x, {webhook: {url: x, status: [200], json_field: a, json_value: {b: 1}}}, {type: variable_set, variable: v}]}]",
	} {
		if err := s.Validate(decodedYAML(t, []byte(source))); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	s := workflowSchema(t)
	for _, source := range []string{
		"{}", "mode: a", "phases: [{name: a}]\nnodes: {a: {}}", "phases: [{prompt: A}]", "nodes: {a: {name: a}}", "phases: [{name: a, gaet: {}}]",
		"phases: [{name: a, gate: {strict: yes please}}]", "phases: [{name: a, gate: {evidence: {x: {type: strnig}}}}]", "phases: [{name: a, gate: {evidence: {x: {}}}}]",
		"phases: [{name: a, transitions: [{to: b}]}]", "phases: [{name: a, transitions: [{when: false, to: b}]}]", "phases: [{name: a, exit_conditions: [{type: nonsense}]}]",
		"phases: [{name: a, exit_conditions: [{webhook: {url: x, status: 20}}]}]", "phases: [{name: a}]\nobservers: [{name: o}]", "phases: [{name: a}]\ntool_rules: [{tools: [Bash]}]",
	} {
		if err := s.Validate(decodedYAML(t, []byte(source))); err == nil {
			t.Errorf("%s: valid; want it refused", source)
		}
	}
}
