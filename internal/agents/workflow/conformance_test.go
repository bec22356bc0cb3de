package workflow_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/finding"
)

const workflowFile = ".rulecheck/workflows/w.yaml"

// load loads a workflow file that is the only file of its repository.
func load(tb testing.TB, source string) (*workflow.Definition, []finding.Problem, []string) {
	tb.Helper()
	return workflow.Load(fstest.MapFS{workflowFile: {Data: []byte(source)}}, workflowFile, resolver(tb))
}

// wanted is an expected result of loading.
type wanted struct {
	OK    bool
	Rules []map[string]any
	Class string `json:"error_class"`
	Path  string
	Says  []string `json:"error_must_mention"`
}

type loadCase struct {
	ID     string
	Source string `json:"workflow_yaml"`
	Expect struct{ Recommended wanted }
	Also   []wanted `json:"also_recommended_errors"`
}

func TestLoadConformance(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/load.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(content) {
		var c loadCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			d, problems, _ := load(t, c.Source)
			want := append([]wanted{c.Expect.Recommended}, c.Also...)
			if want[0].OK {
				rulesOf(t, d, problems, want[0].Rules)
				return
			}
			if len(problems) != len(want) {
				t.Fatalf("problems %v; want %d", problems, len(want))
			}
			for i, w := range want {
				p := problems[i]
				if p.Code != w.Class || !strings.HasPrefix(p.Message, w.Path) || p.File != workflowFile || p.Line < 4 {
					t.Errorf("problem %v [%s]; want %s of %q", p, p.Code, w.Class, w.Path)
				}
				for _, word := range w.Says {
					if !strings.Contains(p.Message, word) {
						t.Errorf("problem %v does not mention %q", p, word)
					}
				}
			}
		})
	}
}

// rulesOf compares the rules of all phases with those of a case.
func rulesOf(t *testing.T, d *workflow.Definition, problems []finding.Problem, want []map[string]any) {
	t.Helper()
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := []map[string]any{}
	for _, p := range d.Phases {
		if p.Commits != nil {
			got = append(got, map[string]any{"type": "require_commits", "lookback_phases": float64(p.Commits.Visits)})
		}
		for _, r := range p.Rules {
			form := map[string]any{"type": r.Mode}
			for name, value := range r.Params {
				if n, ok := value.(int); ok {
					value = float64(n)
				}
				form[strings.TrimPrefix(name, r.Mode+".")] = value
			}
			got = append(got, form)
			if !slices.Equal(r.Phases, []string{p.Name}) {
				t.Errorf("rule %s is of the phases %v; want %s", r.ID, r.Phases, p.Name)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// workflowCase is a case about the content of a workflow file.
type workflowCase struct {
	ID    string
	Given struct {
		Config         map[string]json.RawMessage
		ExitConditions []json.RawMessage `json:"exit_conditions"`
		ExitWhen       string            `json:"exit_when"`
	}
	Expect struct {
		LoadError   string `json:"load_error"`
		LoadWarning string `json:"load_warning"`
	}
}

// elsewhere maps the cases that are not about loading to the place of their test.
var elsewhere = map[string]string{
	"AL04": "what a condition says", "AL05": "what a condition says", "AL06": "what a condition says", "AL07": "what a condition says",
	"AL10": "what a condition says", "AL11": "what a condition says", "AL12": "what a condition says",
	"AL19": "a tool rule has no name here; rules that have one are rule_definitions, and those cases package rule's",
	"AL24": "a project's own behaviours are policies",
	"AR04": "a reply", "AR05": "a reply", "AR06": "a reply", "AR07": "a reply", "AR10": "a reply", "AR11": "a reply", "AR12": "a reply",
}

// source writes a case as a workflow file; JSON is YAML.
func (c workflowCase) source(t *testing.T) string {
	t.Helper()
	file := map[string]any{}
	switch {
	case c.Given.Config["rules"] != nil:
		var rules []map[string]any
		decode(t, c.Given.Config["rules"], &rules)
		for _, r := range rules {
			delete(r, "name") // a tool rule has neither
			delete(r, "on")
		}
		file["nodes"], file["tool_rules"] = map[string]any{"a": map[string]any{"prompt": "A."}}, rules
	case c.Given.Config["steps"] != nil:
		var steps []map[string]any
		decode(t, c.Given.Config["steps"], &steps)
		nodes := map[string]any{}
		for _, s := range steps {
			nodes[s["name"].(string)] = s
			delete(s, "name")
		}
		file["nodes"], file["start_node"] = nodes, "a"
	default:
		phase := map[string]any{"name": "a", "exit_conditions": c.Given.ExitConditions}
		if c.Given.ExitWhen != "" {
			phase["exit_when"] = c.Given.ExitWhen
		}
		file["phases"] = []any{phase}
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestWorkflowFileConformance(t *testing.T) {
	t.Parallel()
	left := maps.Clone(elsewhere)
	for _, file := range []string{"a_load_errors", "a_exit"} {
		content, err := os.ReadFile("testdata/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var suite struct{ Cases []workflowCase }
		decode(t, content, &suite)
		for _, c := range suite.Cases {
			if _, ok := left[c.ID]; ok {
				delete(left, c.ID)
				continue
			}
			t.Run(c.ID, func(t *testing.T) { c.run(t) })
		}
	}
	if len(left) > 0 {
		t.Errorf("cases that are elsewhere and do not exist: %v", left)
	}
}

func (c workflowCase) run(t *testing.T) {
	t.Helper()
	d, problems, notices := load(t, c.source(t))
	if want := c.Expect.LoadError; want != "" {
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("problems %v; want one with %q", problems, want)
		}
		return
	}
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if want := c.Expect.LoadWarning; want != "" {
		if !slices.ContainsFunc(d.Lint(), func(p finding.Problem) bool { return strings.Contains(p.Message, want) }) {
			t.Errorf("lint %v; want one with %q", d.Lint(), want)
		}
		return
	}
	p := d.Phases[0]
	if len(p.ExitConditions) != len(c.Given.ExitConditions) || (p.ExitWhen != nil) != (c.Given.ExitWhen != "") {
		t.Errorf("exit conditions %v, exit_when %v; want those of %s", p.ExitConditions, p.ExitWhen, c.source(t))
	}
	deprecated := 0
	for _, e := range c.Given.ExitConditions {
		if bytes.Contains(e, []byte(`"type"`)) {
			deprecated++
		}
	}
	if len(notices) != deprecated {
		t.Errorf("notices %v; want %d", notices, deprecated)
	}
}
