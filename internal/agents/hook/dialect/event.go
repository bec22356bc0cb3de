package dialect

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Event returns the neutral form of a payload. name is the event on the command line; that
// of the payload counts more.
func (d Dialect) Event(p hook.Payload, name string) hook.Event {
	m := d.Members
	e := hook.Event{
		Agent: d.Name, Name: cmp.Or(p.Text(m.Event...), name), Session: p.Text(m.Session...), Turn: p.Text(m.Turn...), Stamp: p.Text(m.Stamp...),
		Cwd: p.Text(m.Cwd...), Transcript: p.Text(m.Transcript...), Subagent: p.Text(m.Subagent...), Prompt: p.Text(m.Prompt...),
		Mode: p.Text(m.Mode...), Source: p.Text(m.Source...),
		Stopping: hook.Stopping{Continued: p.IsTrue(m.Continued), Background: p.Length(m.Background), Answer: p.Text(m.Last...)},
	}
	if d.Adjust != nil {
		d.Adjust(p, &e)
	}
	e.Notice = slices.ContainsFunc(d.Notices, func(prefix string) bool { return strings.HasPrefix(strings.TrimSpace(e.Prompt), prefix) })
	if roots := p.Texts(m.Roots); e.Cwd == "" && len(roots) > 0 {
		e.Cwd = roots[0]
	}
	e.Kind = cmp.Or(e.Kind, d.KindOfEvent(e.Name))
	if e.Kind == hook.Stop && e.Subagent != "" { // the agent that started it goes on
		e.Kind = hook.Other
	}
	if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
		e.Call, e.Input, e.Output, e.Server, e.Tool = session.ToolCall{}, nil, nil, "", ""
		return e
	}
	d.readCall(p, &e)
	return e
}

// readCall completes the call of an event.
func (d Dialect) readCall(p hook.Payload, e *hook.Event) {
	m := d.Members
	e.Call.Name, e.Call.ID = cmp.Or(e.Call.Name, p.Text(m.Tool...)), cmp.Or(e.Call.ID, p.Text(m.Call...))
	e.Call.Sidechain = e.Subagent != ""
	if len(e.Input) == 0 {
		e.Input = firstRaw(p, m.Input)
	}
	if server := p.Object(m.Server); server.Has("server_name") {
		e.Call.Kind, e.Server, e.Tool = fact.MCP, server.Text("server_name"), server.Text("tool_name")
	}
	classify(e)
	output := e.Output
	e.Output, e.Call.Status = nil, fact.Running
	if e.Kind != hook.AfterTool {
		return
	}
	if e.Output = output; len(output) == 0 {
		e.Output = p.Output()
	}
	outcome := d.Outcome(p, e)
	e.Call.Status, e.Call.ExitCode = outcome.Status, outcome.Exit
}

// firstRaw returns the first of some members that is there.
func firstRaw(p hook.Payload, names []string) json.RawMessage {
	for _, name := range names {
		if raw := p.Raw(name); raw != nil {
			return raw
		}
	}
	return nil
}
