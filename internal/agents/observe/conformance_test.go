package observe_test

import (
	"encoding/json"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/observe"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// different lists the cases with another result here, with the reason: other values of
// variables, or an error when the workflow is loaded.
var different = map[string]struct {
	vars       map[string]any
	error, why string
}{
	"AO08": {error: "a second expression", why: "values are expressions with the type of their variable, and no text is guessed to be a number"},
	"AO09": {error: "want vars.n + 1", why: "values are expressions, not templates"},
	"AO14": {vars: map[string]any{"task_claimed": true, "claimed_task_id": "#1", "session_had_task": true}, why: "there is no store of tasks to resolve a reference"},
	"AO21": {vars: map[string]any{"task_claimed": false, "claimed_task_id": ""}, why: "variables keep their type, so that no task is an empty text"},
	"AO37": {vars: map[string]any{"mcp_results": map[string]any{"s": map[string]any{"t": map[string]any{"success": false, "error": "x"}}}}, why: "lib.mcp_failed reads that a call failed"},
}

type observerCase struct {
	ID    string
	Given struct {
		Observers []map[string]any
		Vars      map[string]any
		Events    []struct {
			Name   string
			Tool   string          `json:"tool_name"`
			Input  json.RawMessage `json:"tool_input"`
			Output json.RawMessage `json:"tool_output"`
			Prompt string
		}
	}
	Expect struct{ Vars map[string]any }
}

// TestObserversConformance runs the cases of observers and behaviors.
func TestObserversConformance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/a_observers.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []observerCase }
	if err := json.Unmarshal(text, &suite); err != nil || len(suite.Cases) < 20 {
		t.Fatal(len(suite.Cases), err)
	}
	r := gittest.New(t)
	for _, c := range suite.Cases {
		r.Write(".rulecheck/workflows/"+c.ID+".yaml", c.source(t))
	}
	p, err := setup.Read(t.Context(), r.Open(), nil, workflows.Agents{})
	if err != nil {
		t.Fatal(err)
	}
	left := maps.Clone(different)
	for _, c := range suite.Cases {
		delete(left, c.ID)
		t.Run(c.ID, func(t *testing.T) { c.run(t, p) })
	}
	if len(left) > 0 {
		t.Errorf("cases that differ and do not exist: %v", left)
	}
}

// source returns the case as a workflow file, which declares what the case sets. JSON is YAML.
func (c observerCase) source(t *testing.T) string {
	t.Helper()
	vars := maps.Clone(c.Given.Vars)
	for _, o := range c.Given.Observers {
		set, _ := o["set"].(map[string]any)
		for name := range set {
			vars[name] = map[string]any{"edited": false, "n": 0}[name]
			if vars[name] == nil {
				vars[name] = ""
			}
		}
	}
	text, err := json.Marshal(map[string]any{"vars": vars, "observers": c.Given.Observers, "nodes": map[string]any{"a": map[string]any{"prompt": "A."}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (c observerCase) run(t *testing.T, p *setup.Project) {
	t.Helper()
	differs, isDifferent := different[c.ID]
	s, problem := newSession(t, p, c.ID)
	if differs.error != "" || problem != "" {
		if differs.error == "" || !strings.Contains(problem, differs.error) {
			t.Errorf("problem %q; want one with %q", problem, differs.error)
		}
		return
	}
	want := maps.Clone(s.Definition.Vars)
	maps.Copy(want, c.Expect.Vars)
	if isDifferent {
		maps.Copy(want, differs.vars)
	}
	for i, e := range c.Given.Events {
		event := hook.Event{
			Agent: "claude", Session: "s", Prompt: e.Prompt, Input: e.Input, Output: e.Output, Stamp: strconv.Itoa(i),
			Kind: map[string]hook.Kind{"after_tool": hook.AfterTool, "before_tool": hook.BeforeTool, "before_agent": hook.Prompt}[e.Name],
			Call: session.ToolCall{Name: e.Tool, ID: strconv.Itoa(i), Status: fact.OK},
		}
		if notices, err := s.On(t.Context(), event, noon, noon); err != nil || len(notices) > 0 {
			t.Fatal(notices, err)
		}
	}
	values, err := s.Values()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, want), plain(t, values)); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// newSession returns a session of a workflow, or its first problem.
func newSession(tb testing.TB, p *setup.Project, name string) (observe.Session, string) {
	tb.Helper()
	d, problems, _, err := workflows.Of(p).Workflow(name)
	if err != nil {
		tb.Fatal(err)
	}
	if len(problems) == 0 {
		_, problems, err = workflows.Of(p).ObserverValues(tb.Context(), d, d.Observers)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if len(problems) > 0 {
		messages := make([]string, 0, len(problems))
		for _, problem := range problems {
			messages = append(messages, problem.Error())
		}
		return observe.Session{}, strings.Join(messages, "\n")
	}
	run := &store.Run{ID: "0123456789abcdef", Workflow: name, File: name, Phase: d.Start, EnteredAt: noon}
	return observe.Session{Project: p, Definition: d, Run: run, Variables: variables.New(tb.TempDir())}, ""
}

// plain returns a value as JSON has it.
func plain(tb testing.TB, v any) (out any) {
	tb.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestNames walks the table of events: each is that of an agent, and its name is known.
func TestNames(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]hook.Event{
		"session_start": {Kind: hook.SessionStart}, "session_end": {Kind: hook.Other, Name: "SessionEnd"}, "before_agent": {Kind: hook.Prompt},
		"before_tool": {Kind: hook.BeforeTool}, "after_tool": {Kind: hook.AfterTool}, "stop": {Kind: hook.Stop},
		"pre_compact": {Kind: hook.Other, Name: "PreCompress"}, "subagent_start": {Kind: hook.Other, Name: "subagent_start"},
		"subagent_stop": {Kind: hook.Other, Name: "SubagentStop"}, "notification": {Kind: hook.Other, Name: "Notification"}, "": {Kind: hook.Other, Name: "x"},
	} {
		if got := observe.Name(e); got != want {
			t.Errorf("%+v is %q; want %q", e, got, want)
		}
	}
}

// TestOutput reads the results that agents pass.
func TestOutput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		output string
		want   any
		failed bool
	}{
		{`[{"type":"text","text":"{\"id\": 1}"}]`, map[string]any{"id": 1.0}, false},
		{`{"content":[{"type":"text","text":"no"}],"isError":true}`, map[string]any{"error": "no"}, true},
		{`{"content":[{"type":"text","text":"x"}],"structuredContent":{"id":2}}`, map[string]any{"id": 2.0}, false},
		{`"{\"success\": false}"`, map[string]any{"success": false}, true},
		{`"done"`, "done", false},
		{`{"result":{"error":"busy"}}`, map[string]any{"result": map[string]any{"error": "busy"}}, true},
		{`{"status":"error"}`, map[string]any{"status": "error"}, true},
		{`{"error":null,"result":3}`, map[string]any{"error": nil, "result": 3.0}, false},
		{``, nil, false},
		{`{"cut`, nil, false},
	} {
		e := hook.Event{Kind: hook.AfterTool, Server: "s", Tool: "t", Output: json.RawMessage(tt.output), Call: session.ToolCall{Kind: fact.MCP, Status: fact.OK}}
		if got, failed := observe.Output(e); (failed == fact.Error) != tt.failed || cmp.Diff(tt.want, got) != "" {
			t.Errorf("%s: %v, status %s; want %v, failed %t", tt.output, got, failed, tt.want, tt.failed)
		}
	}
}
