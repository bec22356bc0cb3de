package condition_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/condition"
)

// vars are of every kind that a workflow file may have.
var workflowVars = map[string]any{"n": 1.0, "b": true, "s": "x", "l": []any{}, "o": map[string]any{}, "null": nil}

var names = condition.Names{Vars: workflowVars, Outputs: map[string][]string{"a": nil, "analysis": {"count"}, "plan": {"cases"}}}

// TestNames checks that a misspelled name is a problem at its place.
func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`evidence.n >= artifacts.analysys.count`:              `4:27: unknown field "analysys" of artifacts; did you mean "analysis"? want one of "a", "analysis", "plan"`,
		`evidence.n >= artifacts.analysis.cuont`:              `4:36: unknown field "cuont" of artifacts.analysis; did you mean "count"? want one of "count"`,
		`evidence.n >= object.get(artifacts, "analysys", {})`: `4:39: unknown key "analysys" of artifacts; did you mean "analysis"? want one of "a", "analysis", "plan"`,
		`phase.name == "analysys"`:                            `4:17: phase.name is never "analysys"; did you mean "analysis"? want one of "a", "analysis", "plan"`,
		`phase.name in {"a", "pln"}`:                          `4:23: phase.name is never "pln"; did you mean "plan"? want one of "a", "analysis", "plan"`,
		`evidence.n > null`:                                   `4:14: null is neither less nor more than a value; want == null or not … == null`,
	} {
		_, problems := compiled(t, condition.WorkflowVocabulary(names), map[string]string{"x": text})
		if len(problems) != 1 || problems[0].Error() != "x.md:"+want {
			t.Errorf("%s: %v; want %s", text, problems, want)
		}
	}
	good := map[string]string{"any": `artifacts.a.anything == 1`, "output": `artifacts.plan.cases == 1`, "name": `phase.name == "plan"`}
	if _, problems := compiled(t, condition.WorkflowVocabulary(names), good); len(problems) > 0 {
		t.Error(problems)
	}
}

func TestWorkflowVocabulary(t *testing.T) {
	whens := map[string]string{
		"claim":           `claims.anything and not claims.other`,
		"evidence":        `evidence.n > 2 and evidence.deep.er == "x"`,
		"artifacts":       `artifacts.plan.cases > count(evidence.list)`,
		"vars":            `vars.n > 1 and vars.b and vars.s == "x" and count(vars.l) == 0 and vars.o.k == 1`,
		"phase":           `phase.seconds > 60 and phase.name == "a" and phase.start < now`,
		"library":         `lib.mcp_called("s", "t") or lib.has_stop_signal or lib.task_tree_complete("7")`,
		"misspelt var":    `vars.m > 1`,
		"misspelt phase":  `phase.second > 1`,
		"no such fact":    `changes[0].path == "x"`,
		"no such library": `lib.mcp_caled("s", "t")`,
		"wrong type":      `vars.n == "x"`,
		"a claim is true": `claims.x == "yes"`,
	}
	conditions, problems := compiled(t, condition.WorkflowVocabulary(names), whens)
	var good []string
	for id := range whens {
		if conditions.Has(id) {
			good = append(good, id)
		}
	}
	slices.Sort(good)
	if changed := cmp.Diff([]string{"artifacts", "claim", "evidence", "library", "phase", "vars"}, good); changed != "" || len(problems) != 6 {
		t.Errorf("%v (-want +got):\n%s", problems, changed)
	}
	facts := map[string]any{
		"claims": map[string]bool{"anything": true}, "evidence": map[string]any{"n": 3, "deep": map[string]any{"er": "x"}, "list": []any{1}},
		"artifacts": map[string]any{"plan": map[string]any{"cases": 2}}, "vars": map[string]any{"n": 2, "b": true, "s": "x", "l": []any{}, "o": map[string]any{"k": 1}},
		"phase": map[string]any{"name": "a", "seconds": 61, "start": "2026-05-01T10:00:00Z"}, "now": "2026-05-01T10:01:01Z",
	}
	for _, id := range good {
		if holds, err := conditions.Holds(t.Context(), id, facts); err != nil || holds == (id == "library") {
			t.Errorf("%s: %v, %v", id, holds, err)
		}
	}
}

func TestNeeds(t *testing.T) {
	whens := map[string]string{
		"none":  `claims.x and evidence.n > 1`,
		"vars":  `vars.n > 1 and { some l in vars.l; l == vars.n }`,
		"lib":   `not lib.mcp_called("s", "t")`,
		"whole": `data.rulecheck.lib.mcp_result_has("s", "t", "n", vars.n)`,
		"value": `lib.has_stop_signal`,
	}
	want := map[string][]condition.Need{
		"none":    nil,
		"vars":    {{Var: "n"}, {Var: "l"}},
		"lib":     {{Function: "mcp_called", Var: condition.VarMCPCalls}},
		"whole":   {{Function: "mcp_result_has", Var: condition.VarMCPResults}, {Var: "n"}},
		"value":   {{Function: "has_stop_signal", Var: condition.VarStopSignal}},
		"unknown": nil,
	}
	conditions, problems := compiled(t, condition.WorkflowVocabulary(names), whens)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for id, needs := range want {
		got := conditions.Needs(id)
		for _, list := range [][]condition.Need{got, needs} {
			slices.SortFunc(list, func(a, b condition.Need) int {
				return slices.Compare([]string{a.Function, a.Var}, []string{b.Function, b.Var})
			})
		}
		if changed := cmp.Diff(needs, got); changed != "" {
			t.Errorf("%s (-want +got):\n%s", id, changed)
		}
	}
}

// TestEveryFunctionSaysWhatItReads wants of each function for conditions what
// Needs says: the variable that its Rego reads.
func TestEveryFunctionSaysWhatItReads(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("library", "*.rego"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range ast.MustParseModule(string(text)).Rules {
			ast.WalkRefs(r.Body, func(ref ast.Ref) bool {
				if !ref.HasPrefix(ast.MustParseRef("input.vars")) {
					return false
				}
				seen++
				name, read := r.Head.Name.String(), ref[2].Value.(ast.String)
				if got := condition.LibraryReads[name]; got != string(read) {
					t.Errorf("%s reads %s; Needs says %q", name, read, got)
				}
				return false
			})
		}
	}
	if seen < len(condition.LibraryReads) {
		t.Errorf("%d functions read variables; want all %d", seen, len(condition.LibraryReads))
	}
}
