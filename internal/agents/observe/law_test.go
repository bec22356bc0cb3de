package observe_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/observe"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

const counting = `
vars: {edits: 0, calls: 0, last: "", even: false, names: []}
observers:
  - {name: edits, match: {tool: [Edit, Write]}, set: {edits: vars.edits + 1}}
  - {name: calls, set: {calls: vars.calls + 1, last: tool_name, names: "array.slice(array.concat([tool_name], vars.names), 0, 5)"}}
  - {name: even, set: {even: vars.calls % 2 == 0 and vars.edits > 0}}
  - {name: mcp, behavior: mcp_call_tracking}
  - {name: prompts, on: before_agent, set: {calls: "0"}}
nodes: {a: {prompt: A.}, b: {prompt: B.}}
`

// step is one event of a session, perhaps in the next phase.
type step struct {
	tool   string // empty: a prompt
	enters bool   // the next phase, before
	again  bool   // delivered a second time
}

// model evaluates all steps from the start.
func model(steps []step) map[string]any {
	edits, calls, even, last := 0, 0, false, ""
	names, tracked, results := []any{}, map[string]any{}, map[string]any{}
	for i, s := range steps {
		if s.enters {
			tracked, results = map[string]any{}, map[string]any{}
		}
		if s.tool == "" {
			calls = 0
			continue
		}
		if s.tool == "Edit" || s.tool == "Write" {
			edits++
		}
		calls, last = calls+1, s.tool
		names = append([]any{s.tool}, names...)
		names = names[:min(5, len(names))]
		even = calls%2 == 0 && edits > 0
		if s.tool == "mcp__s__t" {
			tracked = map[string]any{"s": []any{"t"}}
			results = map[string]any{"s": map[string]any{"t": map[string]any{"n": float64(i)}}}
		}
	}
	return map[string]any{
		"edits": float64(edits), "calls": float64(calls), "last": last, "even": even, "names": names, "mcp_calls": tracked, "mcp_results": results,
	}
}

func counter(t *testing.T) observe.Session {
	t.Helper()
	r := gittest.New(t)
	r.Write(".rulecheck/workflows/w.yaml", counting)
	p, err := setup.Read(t.Context(), r.Open(), nil, workflows.Agents{})
	if err != nil {
		t.Fatal(err)
	}
	s, problem := newSession(t, p, "w")
	if problem != "" {
		t.Fatal(problem)
	}
	return s
}

func event(i int, tool string) hook.Event {
	e := hook.Event{Kind: hook.Prompt, Agent: "claude", Session: "s", Stamp: strconv.Itoa(i)}
	if tool != "" {
		e.Kind, e.Call = hook.AfterTool, session.ToolCall{Name: tool, ID: strconv.Itoa(i), Status: fact.OK}
		e.Output = fmt.Appendf(nil, `{"n": %d}`, i)
	}
	return e
}

// TestVariablesEqualModel compares the variables after each event with a model that
// evaluates the whole session anew.
func TestVariablesEqualModel(t *testing.T) {
	t.Parallel()
	base := counter(t)
	lawtest.Check(t, func(rt *rapid.T) {
		s := base
		s.Variables = variables.New(t.TempDir())
		run := *base.Run
		s.Run = &run
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
			return step{
				tool:   rapid.SampledFrom([]string{"", "Edit", "Write", "Read", "mcp__s__t"}).Draw(rt, "tool"),
				enters: rapid.IntRange(0, 5).Draw(rt, "enters") == 0, again: rapid.IntRange(0, 3).Draw(rt, "again") == 0,
			}
		}), 1, 12).Draw(rt, "steps")
		for i, one := range steps {
			now := noon.Add(time.Duration(i) * time.Minute)
			if one.enters {
				run.Phase, run.EnteredAt = map[string]string{"a": "b", "b": "a"}[run.Phase], now
			}
			for range map[bool]int{false: 1, true: 2}[one.again] {
				if notices, err := s.On(t.Context(), event(i, one.tool), now, now); err != nil || len(notices) > 0 {
					rt.Fatal(notices, err)
				}
			}
			values, err := s.Values()
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(plain(t, model(steps[:i+1])), plain(t, values)); diff != "" {
				rt.Fatalf("after %d events (-model +got):\n%s", i+1, diff)
			}
		}
	})
}

// TestConcurrentEvents runs the observers of many events at once: none is lost.
func TestConcurrentEvents(t *testing.T) {
	t.Parallel()
	s := counter(t)
	const hooks, each = 8, 5
	var group sync.WaitGroup
	for h := range hooks {
		group.Go(func() {
			for i := range each {
				if notices, err := s.On(t.Context(), event(h*each+i, "Edit"), noon, noon); err != nil || len(notices) > 0 {
					t.Error(notices, err)
				}
			}
		})
	}
	group.Wait()
	values, err := s.Values()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values["edits"]); got != strconv.Itoa(hooks*each) {
		t.Errorf("%s edits; want %d", got, hooks*each)
	}
}
