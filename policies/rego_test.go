package policies_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/rulecheck/rulecheck/policies"
)

// TestRego runs every test_ rule, strict and checked against the schema.
func TestRego(t *testing.T) {
	modules := map[string]*ast.Module{}
	for file, text := range regoFiles(t) {
		modules[file] = ast.MustParseModuleWithOpts(text, ast.ParserOptions{ProcessAnnotation: true})
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.MustParseRef("schema.input"), schemaFile(t, "input"))
	schemas.Put(ast.MustParseRef("schema.event"), schemaFile(t, "event"))
	compiler := ast.NewCompiler().WithSchemas(schemas).WithUseTypeCheckAnnotations(true).WithStrict(true)
	results, err := tester.NewRunner().
		SetCompiler(compiler).
		SetModules(modules).
		RaiseBuiltinErrors(true).
		RunTests(t.Context(), nil)
	if err != nil {
		t.Fatalf("%v\nthe facts are those of policies/schemas, which make update writes", err)
	}
	sentence := regexp.MustCompile(`^test(_[a-z]+){3,}$`)
	ran := map[string]bool{}
	for result := range results {
		ran[result.Package] = true
		if !result.Pass() {
			t.Errorf("%s %s: %v", result.Location, result.Name, result)
		}
		if !sentence.MatchString(result.Name) {
			t.Errorf("%s: test %s is not named as a sentence", result.Location, result.Name)
		}
	}
	for file, module := range modules {
		if !strings.HasSuffix(file, "_test.rego") && len(module.Rules) > 0 && !ran[module.Package.Path.String()+"_test"] {
			t.Errorf("%s has rules and no test; want %s_test.rego", file, strings.TrimSuffix(file, ".rego"))
		}
	}
}

func TestRegoIsFormatted(t *testing.T) {
	for file, text := range regoFiles(t) {
		want, err := format.Source(file, []byte(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s is not as opa fmt writes it (-want +got):\n%s", file, diff)
		}
	}
}

func TestPackagesAndPublicRulesHaveMetadata(t *testing.T) {
	b, err := policies.Parse(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	modules := b.All()
	_, behaviors, err := b.BehaviorModules(b.BehaviorNames())
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(modules, behaviors)
	for file, module := range modules {
		if len(module.Annotations) == 0 || module.Annotations[0].Scope == "rule" || module.Annotations[0].Title == "" {
			t.Errorf("%s: the package has no METADATA with a title", file)
		}
		described := map[string]bool{}
		for _, rule := range module.Rules {
			name := rule.Head.Ref()[0].Value.String()
			for _, annotations := range rule.Annotations {
				described[name] = described[name] || annotations.Description != ""
			}
			if !strings.HasPrefix(name, "_") && !described[name] {
				t.Errorf("%s: rule %s has no METADATA with a description", rule.Location, name)
			}
		}
	}
}

// TestNothingElseIsShipped compares what is embedded with what is on disk: a
// mode whose name escapes the globs of the embedding is to be noticed.
func TestNothingElseIsShipped(t *testing.T) {
	var want []string
	for file := range regoFiles(t) {
		if !strings.HasSuffix(file, "_test.rego") && file != "rulecheck/behaviors/behaviors.rego" { // which is for opa check
			want = append(want, file)
		}
	}
	slices.Sort(want)
	_, behaviors, err := load(t).BehaviorModules(load(t).BehaviorNames())
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := load(t).Modules(load(t).Modes.Names())
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(shipped, behaviors)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(shipped))); diff != "" {
		t.Errorf("embedded files (-on disk +embedded):\n%s", diff)
	}
}

func load(t *testing.T) *policies.Bundle {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

// regoFiles is the text of every policy and test of this directory by name.
func regoFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".rego" {
			return err
		}
		text, err := os.ReadFile(file)
		files[file] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func schemaFile(t *testing.T, name string) any {
	t.Helper()
	text, err := os.ReadFile("schemas/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}
