package condition_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestPythonic expects the rewrite of conditions of other programs.
func TestPythonic(t *testing.T) {
	t.Parallel()
	names := condition.Names{Vars: map[string]any{"plan_mode": false, "task_claimed": false, "n": 0, "max": 3, "status": ""}}
	for text, want := range map[string]string{
		`not task_claimed and not plan_mode`:                          `not vars.task_claimed and not vars.plan_mode`,
		`variables.get('n', 0) < variables.get('max', 3)`:             `vars.n < vars.max`,
		`variables.n > 1 and vars.plan_mode == True`:                  `vars.n > 1 and vars.plan_mode == true`,
		`{{ variables.get('n', 0) }} == 1`:                            ``,
		`tool_input.get('commit_sha') == ''`:                          `object.get(tool_input, "commit_sha", "") == ""`,
		`tool_input.get("status", 'x') not in ['done']`:               `not object.get(tool_input, "status", "x") in ["done"]`,
		`not is_plan_file(tool_input.get('file_path', ''), source)`:   `not lib.is_plan_file(object.get(tool_input, "file_path", ""))`,
		`mcp_called('s', "t") and not has_stop_signal()`:              `lib.mcp_called("s", "t") and not lib.has_stop_signal`,
		`vars.status is not None`:                                     `not vars.status == null`,
		`len(tool_name) > 3`:                                          `count(tool_name) > 3`,
		`tool_name.startswith('mcp')`:                                 `startswith(tool_name, "mcp")`,
		`tool_name.lower() == "bash"`:                                 `lower(tool_name) == "bash"`,
		`{ some n in [1]; n == vars.n }`:                              ``,
		`tool_name == "None of them.get('x')"`:                        ``,
		`lib.mcp_called("s", "t") and vars.n > 1 and tool_name != ""`: ``,
	} {
		_, problems := compiled(t, condition.ToolVocabulary(names), map[string]string{"x": text})
		got := ""
		for _, p := range problems {
			if _, after, ok := strings.Cut(p.Message, "is written as in Python; want "); ok {
				got = after
			}
		}
		if got != want {
			t.Errorf("%s: %q, of %v; want %q", text, got, problems, want)
		}
		if want == "" {
			continue
		}
		if _, problems := compiled(t, condition.ToolVocabulary(names), map[string]string{"x": want}); len(problems) > 0 && !strings.Contains(want, "null") {
			t.Errorf("the rewrite %s: %v", want, problems)
		}
	}
}

// TestValues compiles and evaluates the values of variables.
func TestValues(t *testing.T) {
	t.Parallel()
	v := condition.EventVocabulary(condition.Names{Vars: map[string]any{"n": 0, "b": false, "s": "", "l": []any{}}})
	facts := map[string]any{"vars": map[string]any{"n": 2, "b": true, "s": "x", "l": []any{1}}, "tool_name": "Edit", "tool_input": map[string]any{"text": "t", "n": 1}}
	for _, tt := range []struct{ variable, text, want string }{
		{"n", `vars.n + 1`, `3`},
		{"n", `7`, `7`},
		{"n", `count(vars.l) * 2`, `2`},
		{"b", `true`, `true`},
		{"b", `vars.n > 1 and not vars.b`, `false`},
		{"b", `{ some x in vars.l; x == 1 }`, `true`},
		{"s", `sprintf("%s-%d", [tool_name, vars.n])`, `Edit-2`},
		{"s", `tool_input.text`, `t`},
		{"l", `array.concat(vars.l, [tool_name])`, `[1 Edit]`},
		{"s", `object.get(tool_input, "none", "")`, ``},
		{"n", `"x"`, `problem: "x" is a string, and vars.n is a number`},
		{"b", `vars.n`, `problem: vars.n is a number, and vars.b is a boolean`},
		{"n", `vars.m`, `problem: unknown field "m" of vars`},
		{"n", `null`, `problem: null is null, and vars.n is a number`},
		{"n", `x := 1`, `problem: ":=" outside braces`},
		{"n", `{{ variables.get('n', 0) + 1 }}`, `problem: is written as in Python; want vars.n + 1`},
		{"s", `tool_input.none`, `error: it has no value`},
		{"b", `tool_input.text > 3`, `error: "t" is a string and 3 is a number`},
	} {
		set, problems := compiledValue(t, v, tt.variable, tt.text)
		var got string
		if len(problems) > 0 {
			got = "problem: " + problems[0].Message
		} else if value, err := set.Value(t.Context(), "x", facts); err != nil {
			_, got, _ = strings.Cut(err.Error(), "condition of x: ")
			got = "error: " + got
		} else {
			got = show(value)
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %s; want %s", tt.text, got, tt.want)
		}
	}
}

func compiledValue(t *testing.T, v condition.Vocabulary, variable, text string) (*condition.Set, []finding.Problem) {
	t.Helper()
	set, problems, err := condition.CompileValues(t.Context(), load(t), v, map[string]condition.Value{"x": {Condition: when(t, "x.md", text), Var: variable}})
	if err != nil {
		t.Fatal(err)
	}
	return set, problems
}

func show(value any) string { return fmt.Sprint(value) }

// TestRewritesLoad takes the older spellings that docs/conditions.md lists: each new spelling loads, and
// so does the rewrite that the problem of each older one proposes.
func TestRewritesLoad(t *testing.T) {
	lawtest.Sequential(t)
	t.Parallel()
	text, err := os.ReadFile("../../docs/conditions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| older | now |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	variables := map[string]any{"n": 0, "status": "", "max": 3}
	for _, found := range regexp.MustCompile(`(?:\bvars\.|variables\.get\(')(\w+)`).FindAllStringSubmatch(table, -1) {
		variables[found[1]] = false
	}
	names := condition.Names{Vars: variables}
	vocabularies := []condition.Vocabulary{condition.ToolVocabulary(names), condition.EventVocabulary(names), condition.WorkflowVocabulary(names), condition.ChangeVocabulary(names)}
	loads := func(v condition.Vocabulary, text string) (rewrite string, ok bool) {
		_, problems := compiled(t, v, map[string]string{"x": text})
		for _, p := range problems {
			if _, after, has := strings.Cut(p.Message, "; want "); has && strings.Contains(p.Message, "as in Python") {
				rewrite = after
			}
		}
		return rewrite, len(problems) == 0
	}
	rows := 0
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), "` | `")
		if len(cells) != 2 {
			t.Fatalf("row %q; want two cells", line)
		}
		rows++
		older, now := strings.Trim(cells[0], "`"), strings.Trim(cells[1], "`")
		known := false
		for _, v := range vocabularies {
			_, ok := loads(v, now)
			known = known || ok
			if rewrite, _ := loads(v, older); rewrite != "" {
				if _, ok := loads(v, rewrite); !ok {
					t.Errorf("%s: the rewrite %s does not load", older, rewrite)
				}
			}
		}
		if !known {
			t.Errorf("%s loads nowhere", now)
		}
	}
	if rows < 10 {
		t.Errorf("%d rows; want at least 10", rows)
	}
}
