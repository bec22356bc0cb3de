package toolcall_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// different lists the cases with another result here, with the reason. The decision and
// the rule are those that are expected instead; an empty decision is a load error.
var different = map[string]struct{ decision, rule, why string }{
	"AT26": {"block", "uv", "a pattern is searched in each simple command, so that uv in another does not exclude it"},
	"AT27": {"block", "uv", "the environment before a command is no part of its text"},
	"AT31": {"", "", "a condition with an unknown name does not load"},
	"AT32": {"block", "x", "reasons are no templates: the text of a call is never rendered"},
	"AT33": {"", "", "a rule without a reason does not load"},
}

type toolCase struct {
	ID    string `json:"id"`
	Given struct {
		Rules  []map[string]any `json:"rules"`
		Vars   map[string]any   `json:"vars"`
		Source string           `json:"source"`
		Event  struct {
			Tool  string `json:"tool_name"`
			Input any    `json:"tool_input"`
		} `json:"event"`
	} `json:"given"`
	Expect struct {
		Decision string `json:"decision"`
		Rule     string `json:"rule"`
		Reason   string `json:"reason"`
		Contains string `json:"reason_contains"`
	} `json:"expect"`
}

// TestToolRulesConformance runs the cases of tool rules as tool_rules of a workflow.
func TestToolRulesConformance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/a_tool_rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []toolCase }
	if err := json.Unmarshal(text, &suite); err != nil || len(suite.Cases) < 20 {
		t.Fatal(len(suite.Cases), err)
	}
	for _, c := range suite.Cases {
		t.Run(c.ID, func(t *testing.T) { c.run(t) })
	}
}

func (c toolCase) run(t *testing.T) {
	t.Helper()
	want := c.Expect
	if d, ok := different[c.ID]; ok {
		want.Decision, want.Rule, want.Reason, want.Contains = d.decision, d.rule, "", ""
	}
	vars := map[string]any{"plan_mode": false, "task_claimed": false}
	maps.Copy(vars, c.Given.Vars)
	for _, r := range c.Given.Rules {
		if rego, ok := r["when_rego"]; ok {
			r["when"] = rego
		}
		delete(r, "when_rego")
	}
	checker, problem := ofWorkflow(t, c.Given.Rules, vars)
	if problem != "" || want.Decision == "" {
		if (problem == "") == (want.Decision == "") {
			t.Fatalf("problem %q; want a load error: %v", problem, want.Decision == "")
		}
		return
	}
	d, err := checker.Decide(t.Context(), toolcall.Call{
		Agent: c.Given.Source, Tool: c.Given.Event.Tool, Input: c.Given.Event.Input, Vars: vars, World: world,
	})
	if err != nil || len(d.Failed) > 0 {
		t.Fatal(err, d.Failed)
	}
	got := "allow"
	if d.Effect == toolcall.Deny {
		got = "block"
	}
	if got != want.Decision || d.Rule != nil && d.Rule.Name != want.Rule {
		t.Errorf("%s by %v; want %s by %q", d.Effect, d.Rule, want.Decision, want.Rule)
	}
	if want.Reason != "" && d.Reason != want.Reason || !strings.Contains(d.Reason, want.Contains) {
		t.Errorf("reason %q; want %q%s", d.Reason, want.Reason, want.Contains)
	}
}

// ofWorkflow compiles the tool rules of a workflow, or returns its first problem.
func ofWorkflow(t *testing.T, rules []map[string]any, vars map[string]any) (*toolcall.Checker, string) {
	t.Helper()
	source, err := json.Marshal(map[string]any{"vars": vars, "tool_rules": rules, "nodes": map[string]any{"a": map[string]any{"prompt": "A."}}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	const file = ".rulecheck/workflows/w.yaml"
	d, problems, _ := workflow.Load(fstest.MapFS{file: {Data: source}}, file, rule.Resolver{Modes: b.Modes})
	if len(problems) > 0 {
		return nil, problems[0].Error()
	}
	texts := map[string]*rule.Condition{}
	all := d.ToolRulesIn("a")
	for _, r := range all {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	conditions, problems, err := condition.Compile(t.Context(), b, condition.ToolVocabulary(condition.Names{Vars: d.Vars}), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		return nil, problems[0].Error()
	}
	engine, err := policy.NewFor(t.Context(), b, []string{toolcall.Mode})
	if err != nil {
		t.Fatal(err)
	}
	checker, err := toolcall.New(all, engine, conditions)
	if err != nil {
		t.Fatal(err)
	}
	return checker, ""
}
