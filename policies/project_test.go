package policies_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// common are keys that mean the same in every rule.
var common = []string{"level", "when"}

// project is a repository with these files in its directory of policies.
func project(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[policies.ProjectDir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestWithAddsModesAndHelpers(t *testing.T) {
	bundle := load(t)
	with, problems := bundle.With(project(map[string]string{
		"odd.rego":        metadata + "\nimport data.rulecheck.lib.words\n\nviolations contains words.all",
		"deep/more.rego":  "package rulecheck.modes.odd\n\nother := 1",
		"words.rego":      "package rulecheck.lib.words\n\nall := {}",
		"odd_test.rego":   "not Rego",
		"deep/README.md":  "not Rego",
		"deep/words.json": "{}",
	}), policies.ProjectDir, common)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var added []string
	for file := range with.All() {
		if with.OfProject(file) {
			added = append(added, file)
		}
	}
	slices.Sort(added)
	want := []string{".rulecheck/policies/deep/more.rego", ".rulecheck/policies/odd.rego", ".rulecheck/policies/words.rego"}
	if diff := cmp.Diff(want, added); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if mode := with.Modes.Of("odd"); !mode.Project || mode.Title != "Odd files" || with.Modes.Of("set").Project {
		t.Errorf("modes %+v and %+v; want only the first to be the project's", mode, with.Modes.Of("set"))
	}
	if len(with.All()) != len(bundle.All())+3 || len(bundle.Modes) == len(with.Modes) {
		t.Errorf("the bundle has %d modules and its source %d", len(with.All()), len(bundle.All()))
	}
}

func TestWithNothingIsTheSame(t *testing.T) {
	bundle := load(t)
	with, problems := bundle.With(fstest.MapFS{}, policies.ProjectDir, common)
	if len(problems) > 0 || !cmp.Equal(files(with.All()), files(bundle.All())) {
		t.Errorf("With = %v, %v; want the bundle as it was", with.All(), problems)
	}
}

func files(modules map[string]*ast.Module) []string { return slices.Sorted(maps.Keys(modules)) }

func TestWithRefuses(t *testing.T) {
	const file = ".rulecheck/policies/odd.rego"
	mode := func(said, says string) string { return strings.Replace(metadata, said, says, 1) }
	for _, tc := range []struct{ name, text, want string }{
		{"bad Rego", "package rulecheck.modes.odd\n\nviolations contains {", file + ":3:21: unexpected eof token: expected rule key term"},
		{"an empty file", "", file + ":1:1: empty module"},
		{"brackets in each other", "package x\n  a := " + strings.Repeat("{", 1<<17), file + ":2:72: nested more than 64 deep; want fewer brackets in each other"},
		{"a large file", strings.Repeat("# 12345\n", 1<<17), file + ":1:1: is 1048576 bytes long; want at most 262144"},
		{"another package", "package odd", file + `:1:9: a project adds no package "odd"; want one of "rulecheck.modes.<name>", "rulecheck.behaviors.<name>", "rulecheck.lib.<name>"`},
		{"the entrypoint", "package rulecheck.main", file + `:1:9: a project adds no package "rulecheck.main"`},
		{"conditions", "package rulecheck.when", `a project adds no package "rulecheck.when"`},
		{"the library itself", "package rulecheck.lib", `a project adds no package "rulecheck.lib"`},
		{"all modes", "package rulecheck.modes", `a project adds no package "rulecheck.modes"`},
		{"a package below a mode", "package rulecheck.modes.set.more", `a project adds no package "rulecheck.modes.set.more"`},
		{"a package of one word", "package data", file + `:1:9: a project adds no package "data"`},
		{"a name in quotes", `package rulecheck.lib["a b"]`, `a project adds no package "rulecheck.lib[\"a b\"]"`},
		{"a name that is no key", "package rulecheck.modes.Odd", `a project adds no package "rulecheck.modes.Odd"`},
		{"a mode of the program", "package rulecheck.modes.set\n\nviolations := set()", file + `:1:9: "package rulecheck.modes.set" belongs to rulecheck; want another name`},
		{"a rule of the library", "package rulecheck.lib.missing", `"package rulecheck.lib.missing" belongs to rulecheck; want another name`},
		{"a common key", "package rulecheck.modes.level", `"level" is a reserved key of rule files; want another name for the mode`},
		{"a key of another mode", "package rulecheck.modes.require", `"require" is a reserved key`},
		{"tests among policies", "package rulecheck.modes.odd_test", `"package rulecheck.modes.odd_test" holds tests; want it in a file that ends in "_test.rego"`},
		{"schemas", mode("# custom:", "# schemas: [{input: schema.mine}]\n# custom:"), file + ":1:1: METADATA sets schemas; want none"},
		{"schemas of a rule", metadata + "\n# METADATA\n# schemas: [{input: {}}]\na := 1", file + ":10:1: METADATA sets schemas; want none"},
		{"no METADATA", "package rulecheck.modes.odd", file + `:1:1: mode "odd" has no METADATA`},
		{"unknown fact", mode("[matches]", "[matchse]"), file + `:7:13: custom.facts: unknown fact "matchse"; did you mean "matches"?`},
		{"a parameter every rule has", mode("odd: patterns", "odd: patterns\n#     level: string"), file + `:7:7: custom.params: "level" means the same in every rule; want another name`},
		{"a condition of its own", mode("odd: patterns", "odd: patterns\n#     when.x: string"), file + `:7:7: custom.params: "when" means the same in every rule`},
		{"a parameter that is a mode", mode("odd: patterns", "odd: patterns\n#     pair.trigger: pattern"), file + `:7:7: custom.params: "pair" selects the mode of that name; want another name`},
		{"a fact it does not declare", metadata + "\na if input.changes[_]", file + ":10:6: reads input.changes; want it in custom.facts"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bundle := load(t)
			with, problems := bundle.With(project(map[string]string{"odd.rego": tc.text}), policies.ProjectDir, common)
			if len(problems) != 1 || !strings.Contains(problems[0].Error(), tc.want) {
				t.Errorf("With: %v; want %q alone", problems, tc.want)
			}
			if !cmp.Equal(files(with.All()), files(bundle.All())) || len(with.Modes) != len(bundle.Modes) {
				t.Errorf("the bundle has %d modules; want those of the program and no other", len(with.All()))
			}
		})
	}
}

// An error in one policy does not affect others, and all errors are reported.
func TestWithTakesWhatIsWhole(t *testing.T) {
	with, problems := load(t).With(project(map[string]string{
		"a.rego":    "package rulecheck.modes.set",
		"b.rego":    "package rulecheck.modes.b",
		"half.rego": "package rulecheck.modes.b\n\nb := 1",
		"odd.rego":  metadata,
	}), policies.ProjectDir, common)
	var files []string
	for _, p := range problems {
		files = append(files, p.File)
	}
	if diff := cmp.Diff([]string{".rulecheck/policies/a.rego", ".rulecheck/policies/b.rego"}, files); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if !with.Modes.Has("odd") || with.All()[".rulecheck/policies/half.rego"] != nil {
		t.Errorf("modules %v; want odd.rego and neither half of b", slices.Sorted(maps.Keys(with.All())))
	}
}

func TestWithTellsWhatItCannotRead(t *testing.T) {
	for name, read := range map[string]func(fs.FS) []finding.Problem{
		"With":  func(fsys fs.FS) []finding.Problem { _, p := load(t).With(fsys, "dir", common); return p },
		"Tests": func(fsys fs.FS) []finding.Problem { _, p := policies.Tests(fsys, "dir"); return p },
	} {
		problems := read(unreadable{})
		if len(problems) != 1 || problems[0].Error() != "dir:1:1: open dir: no luck" {
			t.Errorf("%s: %v; want one problem of dir", name, problems)
		}
	}
}

type unreadable struct{}

func (unreadable) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("no luck")}
}

func TestTestsAreReadApart(t *testing.T) {
	modules, problems := policies.Tests(project(map[string]string{
		"odd.rego":          "not Rego",
		"odd_test.rego":     "package rulecheck.modes.odd_test\n\ntest_a if true",
		"d/words_test.rego": "package rulecheck.lib.words_test\n\ntest_a if true",
		"bad_test.rego":     "package",
		"judge_test.rego":   "package rulecheck.modes.odd\n\ntest_a if true",
	}), policies.ProjectDir)
	want := []string{".rulecheck/policies/d/words_test.rego", ".rulecheck/policies/odd_test.rego"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(modules))); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	var messages []string
	for _, p := range problems {
		messages = append(messages, p.Error())
	}
	wantMessages := []string{
		".rulecheck/policies/bad_test.rego:1:7: unexpected eof token",
		`.rulecheck/policies/judge_test.rego:1:9: "package rulecheck.modes.odd" in a file of tests; want rulecheck.modes.<name>_test, rulecheck.behaviors.<name>_test or rulecheck.lib.<name>_test`,
	}
	if diff := cmp.Diff(wantMessages, messages); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestParametersSayWhatTheyWant(t *testing.T) {
	for want, p := range map[string]policies.Param{
		"a path pattern": {Type: policies.Pattern},
		"path patterns, at least 2, all different, all with the same captures": {
			Type: policies.Patterns, AtLeast: 2, Distinct: true, Captures: policies.CapturesSame,
		},
		"one or several path patterns, with no captures but those of a.b": {Type: policies.Patterns, AtLeast: 1, Captures: "a.b"},
		"one of a, b; default a":                      {Type: policies.String, OneOf: []string{"a", "b"}, Optional: true, Default: "a"},
		"a duration such as 90s or 5m; may be absent": {Type: policies.Duration, Optional: true},
		"a whole number; default 0":                   {Type: policies.Integer, Optional: true, Default: 0},
	} {
		if got := p.Describe(); got != want {
			t.Errorf("Says = %q; want %q", got, want)
		}
	}
	for _, typ := range policies.ParamTypes() {
		if (policies.Param{Type: typ}).Describe() == "" {
			t.Errorf("type %q says nothing", typ)
		}
	}
}
