package condition_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// toolVocabulary has facts of every kind, as an agent's tool call would give
// them.
const toolVocabulary = `{
	"type": "object", "additionalProperties": false, "required": ["event", "mcp", "source", "tool_input", "vars"],
	"properties": {
		"event": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
			"name": {"type": "string"}, "source": {"type": "string"}}},
		"mcp": {"type": "object", "additionalProperties": false, "properties": {
			"server": {"type": "string"}, "tool": {"type": "string"}}},
		"prompt": {"type": "string"},
		"source": {"type": "string"},
		"tool_input": {"type": "object", "additionalProperties": {}},
		"tool_name": {"type": "string"},
		"vars": {"type": "object", "additionalProperties": false, "properties": {
			"a": {"type": "boolean"}, "b": {"type": "boolean"}, "c": {"type": "boolean"},
			"mcp_calls": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
			"mcp_results": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {}}},
			"n": {"type": "integer"},
			"pending_reset": {"type": "boolean"},
			"plan_mode": {"type": "boolean"},
			"s": {"type": "string"},
			"task_claimed": {"type": "boolean"},
			"xs": {"type": "array", "items": {"type": "string"}}}}
	}}`

func tools(tb testing.TB) condition.Vocabulary {
	tb.Helper()
	var v condition.Vocabulary
	if err := json.Unmarshal([]byte(toolVocabulary), &v.Facts); err != nil {
		tb.Fatal(err)
	}
	return v
}

// when is the when of a rule file that has it as a literal text.
func when(tb testing.TB, file, text string) *rule.Condition {
	tb.Helper()
	r, problems := rule.Parse(file, []byte(ruleFile(text)), load(tb).Modes)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return r.When
}

func load(tb testing.TB) *policies.Bundle {
	tb.Helper()
	bundle, err := policies.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return bundle
}

func ruleFile(when string) string {
	return "---\ntrigger: a\nwhen: |-\n  " + strings.ReplaceAll(when, "\n", "\n  ") + "\n---\nDo it.\n"
}

func compiled(tb testing.TB, v condition.Vocabulary, whens map[string]string) (*condition.Set, []finding.Problem) {
	tb.Helper()
	conditions := map[string]*rule.Condition{}
	for id, text := range whens {
		conditions[id] = when(tb, id+".md", text)
	}
	c, problems, err := condition.Compile(tb.Context(), load(tb), v, conditions)
	if err != nil {
		tb.Fatal(err)
	}
	return c, problems
}

// TestConditionsConform runs cases that another engine's evaluator answered too.
func TestConditionsConform(t *testing.T) {
	text, err := os.ReadFile("testdata/a_when.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Cases []struct {
			ID    string
			Given struct {
				When  string
				Input map[string]any
			}
			Expect struct{ Match bool }
		}
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	whens := map[string]string{}
	for _, c := range suite.Cases {
		whens[c.ID] = c.Given.When
	}
	if len(whens) < 20 {
		t.Fatalf("%d cases; want all", len(whens))
	}
	conditions, problems := compiled(t, tools(t), whens)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range suite.Cases {
		got, err := conditions.Holds(t.Context(), c.ID, c.Given.Input)
		if err != nil || got != c.Expect.Match {
			t.Errorf("%s: %q holds: %v, %v; want %v", c.ID, c.Given.When, got, err, c.Expect.Match)
		}
	}
}

// TestConditionsThatDoNotLoad runs the cases of errors that are a condition's.
func TestConditionsThatDoNotLoad(t *testing.T) {
	text, err := os.ReadFile("testdata/a_load_errors.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Cases []struct {
			ID    string
			Given struct {
				Config struct{ Rules []struct{ When string } }
			}
			Expect struct {
				LoadError string `json:"load_error"`
			}
		}
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, c := range suite.Cases {
		if len(c.Given.Config.Rules) != 1 || c.Given.Config.Rules[0].When == "" {
			continue
		}
		cases++
		_, problems := compiled(t, tools(t), map[string]string{"x": c.Given.Config.Rules[0].When})
		if len(problems) != 1 || !strings.Contains(problems[0].Message, c.Expect.LoadError) {
			t.Errorf("%s: %v; want one problem that says %q", c.ID, problems, c.Expect.LoadError)
		}
	}
	if cases < 7 {
		t.Errorf("%d cases; want all that have a condition", cases)
	}
}

// refusedConditions lists conditions that a lint or the compiler refuses, with messages.
var refusedConditions = []struct{ when string }{
	// Not boolean.
	{`vars.n`},
	{`not vars.xs`},
	{`vars.a and vars.s`},
	{`vars.a or not (vars.n or vars.b)`},
	{`tool_input.force`},
	{`count(vars.xs)`},
	{`vars.a and lower(vars.s)`},
	{`vars.n + 1`},
	{`"text"`},
	{`not [vars.n]`},
	{`{ some x in vars.xs; x }`},
	{`{ some x in vars.xs; n := count(x); n }`},
	{`every x in vars.xs { x }`},
	{`every i, x in vars.xs { i; x }`},
	{`lower(vars.s)`},
	{`not {"a": vars.n}`},
	{`null`},
	{`object.get(vars, "n", 0)`},
	{`object.get(vars, "s", "") < 3`},
	{`vars.s == null and split(vars.s, "/")`},
	// Chained.
	{`1 < vars.n < 3`},
	{`vars.a and vars.n == 1 == vars.b`},
	// Constant.
	{`true`},
	{`vars.a or 1 == 1`},
	{`not false and vars.a`},
	{`count([1, 2]) > 1`},
	{`{ some x in [1, 2]; x > 1 }`},
	{`regex.match("a", "b") or vars.a`},
	// What binds or replaces.
	{`vars.a with input as {}`},
	{`vars.n = 3`},
	{`n := vars.n`},
	{`some x in vars.xs`},
	{`vars.a and some x in vars.xs`},
	// More or less than one expression.
	{"tool_name == \"Edit\"\nvars.a"},
	{`vars.a; vars.b`},
	{`vars.s is "b"`},
	{`{vars.a} {vars.b}`},
	{`{ vars.a; vars.b } and`},
	{`{ some x in vars.xs; x == "a" } with input as 3`},
	{`# only a comment`},
	{`package x`},
	{`import data.x`},
	// Regular expressions.
	{`regex.match("a(?=b)", vars.s)`},
	{"vars.a and regex.replace(vars.s, `(a`, \"\") == \"\""},
	// Names.
	{`vrs.a`},
	{`vars.task_claimd and vars.a`},
	{`event.nam == "x"`},
	{`mcp.servr.x == "x"`},
	{`nonsense == 3`},
	{`lib.nonsense`},
	{`{ some tool, calls in vars.mcp_calls; some c in calls; c.d == tool }`},
	{`{ event.nme == "x" }`},
	{`strtswith(vars.s, "a")`},
	{`lib.mcp_caled("a", "b")`},
	{`change.any("a")`},
	{`object.get(vars, "task_claimd", false)`},
	{`object.get(vars, ["mcp_result", "a"], "") == ""`},
	{`input.vars.a`},
	{`data.rulecheck.main.violations`},
	{`count(data) > 0`},
	{`lib`},
	{`input`},
	{`{ some x in vars.xs; x.y == "a" }`},
	{`vars.xs.a == "a"`},
	{`{ some vars in vars.xs; vars == "a" }`},
	{`{ lib := vars.s; lib == "a" }`},
	// Absent.
	{`tool_name != "Edit"`},
	{`vars.a and "x" != mcp.server`},
	{`{ some x in vars.xs; tool_name != x }`},
	// Types.
	{`vars.n == "3"`},
	{`vars.n < "3"`},
	{`vars.xs == {"a"}`},
	{`json.unmarshal(vars.s) < vars.n and split(vars.s, "/") == vars.s`},
	{`event.name in 3`},
	{`vars.a and not "x" in vars.s`},
	{`startswith(vars.n, "a")`},
	// Syntax.
	{`vars.s == 'Edit'`},
	{`vars.a && vars.b`},
	{`vars.a || vars.b`},
	{`!vars.a`},
	{`vars.s not in ["a"]`},
	{`vars.a and`},
	{`(vars.a or vars.b`},
	{`{ some x in vars.xs; x == "a"`},
	{"true }\nmatch contains \"pwn\" if { true"},
	{`vars.a if vars.b`},
	{`vars.s == "a`},
	{`http.send({"method": "get", "url": "http://x"}).status_code == 200`},
	{`time.now_ns() > vars.n`},
}

func TestConditionProblems(t *testing.T) {
	whens := map[string]string{}
	for i, c := range refusedConditions {
		whens[fmt.Sprintf("%02d", i)] = c.when
	}
	whens["good"] = "vars.a"
	conditions, problems := compiled(t, tools(t), whens)
	found := map[string][]finding.Problem{}
	for _, p := range problems {
		if p.Code != rule.CodeBadCondition {
			t.Errorf("%v has the code %s", p, p.Code)
		}
		id := strings.TrimSuffix(p.File, ".md")
		found[id] = append(found[id], p)
	}
	var got strings.Builder
	for i := range refusedConditions {
		id := fmt.Sprintf("%02d", i)
		if len(found[id]) == 0 {
			t.Errorf("%q: no problem", whens[id])
		}
		for _, p := range found[id] {
			p.File = "x.md"
			got.WriteString(p.Error() + "\n" + p.Excerpt([]byte(ruleFile(whens[id]))))
		}
		if _, err := conditions.Holds(t.Context(), id, nil); err == nil {
			t.Errorf("%q has an answer", whens[id])
		}
	}
	golden.Compare(t, "testdata/conditions.golden", got.String())
	if holds, err := conditions.Holds(t.Context(), "good", map[string]any{"vars": map[string]any{"a": true}}); !holds || err != nil {
		t.Errorf("the good one beside the bad: %v, %v", holds, err)
	}
}
