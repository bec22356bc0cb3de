package policy_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// withProject is the shipped policies and those of a project, by file.
func withProject(t *testing.T, files map[string]string) *policy.Engine {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[policies.ProjectDir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	bundle, problems := load(t).With(fsys, policies.ProjectDir, rule.CommonKeys())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	engine, err := policy.NewFor(t.Context(), bundle, []string{"trigger"})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

func TestProjectPolicyDecides(t *testing.T) {
	engine := withProject(t, map[string]string{
		"odd.rego": strings.Replace(oddMetadata, "[matches]", "[matches, size]", 1) + `import data.rulecheck.lib.words

violations contains {"path": match.path, "message": words.large} if {
	some match in input.matches.odd
	match.change.size > 3
}`,
		"words.rego": "package rulecheck.lib.words\n\nlarge := \"is large\"",
	})
	if problems := engine.Problems(); len(problems) > 0 {
		t.Fatal(problems)
	}
	in := odd()
	in.Matches["odd"][0].Change.Detail = &diff.Detail{Size: new(int64(4))}
	same(t, []policy.Violation{{Path: "a.go", Message: "is large"}}, decide(t, engine, in))
}

// A policy that does not compile is reported, and only its rules could not be checked.
func TestOneBadPolicyLeavesTheOthers(t *testing.T) {
	even := strings.ReplaceAll(oddMetadata, "odd", "even")
	third := strings.ReplaceAll(oddMetadata, "odd", "third")
	engine := withProject(t, map[string]string{
		"odd.rego":   oddMetadata + `violations contains {"path": match.pth} if some match in input.matches.odd`,
		"even.rego":  even + `violations contains {"message": "x"} if count(input.matches.even) > 0`,
		"third.rego": third + "import data.rulecheck.lib.words\n\nviolations contains {\"message\": words.all}",
		"words.rego": "package rulecheck.lib.words\n\nall := nothing",
	})
	var messages []string
	for _, p := range engine.Problems() {
		messages = append(messages, p.Error())
	}
	want := []string{
		`.rulecheck/policies/words.rego:3:8: var nothing is unsafe`,
		`.rulecheck/policies/odd.rego:7:36: undefined ref: match.pth; did you mean "path"? want one of "captures", "change", "parts", "path"`,
	}
	if d := cmp.Diff(want, messages); d != "" {
		t.Errorf("problems (-want +got):\n%s", d)
	}
	for _, mode := range []string{"odd", "third"} {
		in := odd()
		in.Rule.Mode = mode
		_, err := engine.Decide(t.Context(), in)
		if want := "rule r: mode " + mode + ": its policy does not compile"; err == nil || err.Error() != want {
			t.Errorf("Decide: %v; want %s", err, want)
		}
	}
	same(t, []policy.Violation{{Message: "x"}}, decide(t, engine, policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "even"},
		Matches: map[string][]correspondence.Match{"even": {modified("a.go")}},
	}))
	same(t, []policy.Violation{{Message: "a.go changed", TriggerFiles: []string{"a.go"}}}, decide(t, engine, policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "trigger"},
		Matches: map[string][]correspondence.Match{"trigger": {modified("a.go")}},
	}))
}

func TestProjectPolicyIsRefused(t *testing.T) {
	for _, tc := range []struct{ name, rules, want string }{
		{"a misspelt fact", `violations contains {"message": "x"} if count(input.matchse) > 0`, `7:53: undefined ref: input.matchse; did you mean "matches"? want one of "base", "head", "matches", "rule"`},
		{"a misspelt parameter", `violations contains {"message": input.rule.params.ood}`, `7:51: undefined ref: input.rule.params.ood; did you mean "odd"? want one of "odd"`},
		{"a fact of changes it does not declare", `violations contains {"message": "x"} if input.matches.odd[_].change.size > 1`, `7:69: undefined ref: input.matches.odd[_].change.size; want "size" in custom.facts of the mode`},
		{"a type that cannot be", `violations contains {"message": "x"} if input.rule.id == 1`, `7:41: match error; left : string; right : number`},
		{"the network", `violations contains http.send({"method": "get", "url": "http://localhost"})`, "7:21: undefined function http.send"},
		{"the environment", `violations contains opa.runtime()`, "7:21: undefined function opa.runtime"},
		{"the clock", `violations contains {"line": time.now_ns()}`, "7:30: undefined function time.now_ns"},
		{"a huge range", `violations contains {"line": line} if some line in numbers.range(1, 1000000000)`, "7:52: undefined function numbers.range"},
		{"recursion", "violations contains {\"message\": \"x\"} if a\n\na if b\n\nb if a", "rule data.rulecheck.modes.odd.a is recursive"},
		{"an unused variable", `violations contains {"message": "x"} if { idle := 1 }`, "7:43: assigned var idle unused"},
		{"a helper that is not there", "import data.rulecheck.lib\n\nviolations contains {\"message\": lib.listd}", `9:37: undefined ref: data.rulecheck.lib.listd; did you mean "listed"?`},
		{"a function that is not there", "import data.rulecheck.lib\n\nviolations contains {\"message\": lib.listd({\"a\"})}", `9:33: undefined function data.rulecheck.lib.listd`},
		{"data that nobody gives", `violations contains {"message": data.secrets.key}`, "7:33: reads data.secrets.key; want data.rulecheck.lib, the input, or the package's own rules"},
		{"data by a variable", `violations contains data[name] if some name in ["x"]`, "7:21: reads data[name]; want data.rulecheck.lib"},
		{"a helper by a fact", `violations contains {"message": "x"} if data.rulecheck.lib[input.rule.id]`, "undefined ref: data.rulecheck.lib[_]"},
		{"rules in each other's place", "violations := set()\n\nviolations.more := 1", "7:1: rule data.rulecheck.modes.odd.violations conflicts with: rule"},
		{"another mode", `violations := data.rulecheck.modes.set.violations`, "7:15: reads data.rulecheck.modes.set.violations; want data.rulecheck.lib"},
		{"the entrypoint", `violations := data.rulecheck.main.violations`, "may be recursive"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			engine := withProject(t, map[string]string{"odd.rego": oddMetadata + tc.rules})
			problems := engine.Problems()
			if len(problems) == 0 || !strings.Contains(problems[0].Error(), tc.want) {
				t.Errorf("Problems = %v; want %q in the first", problems, tc.want)
			}
			if got, err := engine.Decide(t.Context(), odd()); err == nil || !strings.Contains(err.Error(), "does not compile") {
				t.Errorf("Decide = %+v, %v; want an error", got, err)
			}
			same(t, []policy.Violation{}, decide(t, engine, policy.Input{Rule: rule.Info{ID: "r", Mode: "trigger"}}))
		})
	}
}

// A policy reads its own parameters, and each as what it is.
func TestProjectPolicyKnowsTheTypesOfItsParameters(t *testing.T) {
	metadata := strings.Replace(oddMetadata, "{odd: patterns}", "{odd.many: integer, odd.on: boolean, odd.word: regex, odd.list: strings}", 1)
	for expression, want := range map[string]string{
		`input.rule.params["odd.many"] == "x"`: "match error; left : number; right : string",
		`input.rule.params["odd.on"] == 1`:     "match error; left : boolean; right : number",
		`input.rule.params["odd.word"] == 1`:   "match error; left : string; right : number",
		`input.rule.params["odd.lst"] == 1`:    `did you mean "odd.list"?`,
		`input.rule.params["odd.list"] == 1`:   "",
	} {
		problems := withProject(t, map[string]string{
			"odd.rego": metadata + "violations contains {\"message\": \"x\"} if " + expression,
		}).Problems()
		switch {
		case want == "" && len(problems) > 0:
			t.Errorf("%s: problems %v; want none", expression, problems)
		case want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Message, want)):
			t.Errorf("%s: problems %v; want %q", expression, problems, want)
		}
	}
}

// What only shows while a policy runs ends in an error of its rule.
func TestProjectPolicyFails(t *testing.T) {
	for _, tc := range []struct{ name, rules, want string }{
		{"a malformed violation", `violations contains {"file": "a"}`, `unknown field "file"; want some of ["changed" "column" "expected"`},
		{"no violations at all", `violation contains {"message": "x"}`, "data.rulecheck.main.violations is undefined"},
		{"an endless search", `violations contains {"message": "x"} if {
	some a in input.matches.odd
	some b in input.matches.odd
	some c in input.matches.odd
	concat("", [a.path, b.path, c.path]) == "x"
}`, "no answer within 50ms"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			engine := withProject(t, map[string]string{"odd.rego": oddMetadata + tc.rules})
			in := odd()
			if strings.HasPrefix(tc.want, "no answer") {
				engine.SetTimeout(50 * time.Millisecond)
				for range 3000 {
					in.Matches["odd"] = append(in.Matches["odd"], modified("a"))
				}
			}
			if _, err := engine.Decide(t.Context(), in); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Decide: %v; want %q", err, tc.want)
			}
		})
	}
}

// A policy may speak of any file, changed or not: what is missing is no change.
func TestViolationOfAFileThatDidNotChange(t *testing.T) {
	engine := withProject(t, map[string]string{"odd.rego": oddMetadata + `violations contains {"path": "docs/other.md", "message": "x"}`})
	same(t, []policy.Violation{{Path: "docs/other.md", Message: "x"}}, decide(t, engine, odd()))
}

// FuzzProjectPolicy checks that every problem in a project's policy has a position, and
// that built-in modes still work.
func FuzzProjectPolicy(f *testing.F) {
	f.Add(oddMetadata + `violations contains {"path": match.path} if some match in input.matches.odd`)
	f.Add(oddMetadata + "violations := data.rulecheck.lib.listd")
	f.Add("# METADATA\n# custom: {params: {a: {b: c}}}\n# schemas: [{input: {}}]\npackage rulecheck.modes.a")
	f.Add("package rulecheck.lib[\"a b\"]")
	f.Add("package data")
	bundle := load(f)
	f.Fuzz(func(t *testing.T, text string) {
		fsys := fstest.MapFS{policies.ProjectDir + "/a.rego": {Data: []byte(text)}}
		with, wrong := bundle.With(fsys, policies.ProjectDir, rule.CommonKeys())
		engine, err := policy.New(t.Context(), with)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(wrong, engine.Problems()...) {
			if p.File != policies.ProjectDir+"/a.rego" || p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("problem %+v; want a place and a message", p)
			}
		}
		got, err := engine.Decide(t.Context(), policy.Input{Rule: rule.Info{ID: "r", Mode: "trigger"}})
		if err != nil || len(got) > 0 {
			t.Errorf("Decide = %v, %v; want nothing", got, err)
		}
	})
}
