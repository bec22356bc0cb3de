package respond

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Rules returns the ids of the tool rules of the working tree that are in force; the error is about
// those that cannot be used.
func (w *World) Rules(ctx context.Context) (ids []string, err error) {
	if w.engine, err = w.open(ctx, hook.Event{Kind: hook.BeforeTool}); err != nil {
		return nil, err
	}
	if w.loaded, err = w.readProject(ctx, w.engine); err != nil {
		return nil, err
	}
	g, err := w.guard(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range g.Rules {
		if r.Enabled {
			ids = append(ids, r.ID)
		}
	}
	return ids, g.unusable
}

// Explain returns what the tool rules of the working tree see of a shell line of an agent, and
// what they say about it. Nothing is recorded. The error is about rules that cannot be used,
// too: the explanation has the others then.
func (w *World) Explain(ctx context.Context, d dialect.Dialect, line string, now time.Time) (toolcall.Explained, error) {
	input, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		return toolcall.Explained{}, err
	}
	event, _ := d.ToolEvent()
	e := hook.Event{
		Kind: hook.BeforeTool, Agent: d.Name, Name: event, Cwd: w.Dir, Input: input,
		Call: session.ToolCall{Name: "Bash", Kind: fact.Command, Command: line},
	}
	if w.engine, err = w.open(ctx, e); err != nil {
		return toolcall.Explained{}, err
	}
	if w.loaded, err = w.readProject(ctx, w.engine); err != nil { // without what a session remembers
		return toolcall.Explained{}, err
	}
	q, err := w.question(ctx, now, e)
	if err != nil {
		return toolcall.Explained{}, err
	}
	if q.checker == nil {
		q.call = toolcall.Call{Agent: e.Agent, Tool: e.Call.Name, Input: map[string]any{"command": line}, World: w.place(e)}
		if q.checker, err = toolcall.New(nil, nil, nil); err != nil {
			return toolcall.Explained{}, err
		}
	}
	x, err := q.checker.Explain(ctx, q.call)
	if err != nil {
		return toolcall.Explained{}, err
	}
	return x, q.unusable
}
