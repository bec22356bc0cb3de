package agentlog

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// hooksReader reads journals of agents' hooks, which have a row for each event. The
// canonical form names the event event_type; an older form, the payload of the agent with
// a time, hook_event_name.
var hooksReader = reader{
	name: "hooks", grouping: byDirectory,
	claims: func(first firstRow) bool {
		return first.has("event_type", "session_id") || first.has("hook_event_name")
	},
	open: openHooks,
}

type hooksRow struct {
	jsonscan.Scanner

	event, session, tool, input, cwd, adapter, id, failure []byte
	legacy, interrupted, agent                             bool
	at                                                     time.Time
}

type hooksParser struct {
	*part

	row hooksRow
	// open are the calls without an id that began and did not complete yet.
	open []int
}

func openHooks(p *part, _ Options) func([]byte, int) bool {
	h := &hooksParser{part: p}
	return h.read
}

func (h *hooksParser) read(row []byte, line int) bool {
	h.row = hooksRow{Scanner: jsonscan.New(row)}
	h.row.Object(h.row.member)
	if !h.row.AtEnd() {
		return false
	}
	h.addRow(line)
	return true
}

func (r *hooksRow) member(key []byte) {
	switch string(key) {
	case "event_type":
		r.event, _ = r.Text()
	case "hook_event_name":
		name, _ := r.Text()
		if r.event == nil {
			r.event, r.legacy = name, true
		}
	case "timestamp":
		text, _ := r.Text()
		r.at = instant(text)
	case "session_id":
		r.session, _ = r.Text()
	case "tool_name":
		r.tool, _ = r.Text()
	case "tool_input":
		r.input = r.Skip()
	case "tool_response":
		if r.Peek() == '{' {
			readInterruption(&r.Scanner, &r.interrupted)
		}
	case "cwd":
		r.cwd, _ = r.Text()
	case "adapter":
		r.adapter, _ = r.Text()
	case "tool_use_id":
		r.id, _ = r.Text()
	case "error":
		r.failure = r.Skip()
	case "is_interrupt":
		r.interrupted = r.Bool() || r.interrupted
	case "agent_id":
		r.agent = string(r.Skip()) != "null"
	}
}

func (h *hooksParser) addRow(line int) {
	r := &h.row
	h.extendSpan(r.at)
	if len(r.session) > 0 {
		id := h.intern(r.session)
		h.ids[id] = true
		if h.ID == "" {
			h.ID = id
		}
	}
	if len(r.cwd) > 0 && h.Cwd == "" {
		h.Cwd = h.intern(r.cwd)
	}
	switch adapter := string(r.adapter); {
	case adapter == "claude_code" || adapter == "legacy" || r.legacy && h.Agent == "":
		h.Agent = "claude"
	case adapter != "":
		h.Agent = h.intern(r.adapter)
	}
	event := strings.ToLower(strings.ReplaceAll(string(r.event), "_", ""))
	switch event {
	case "pretooluse", "posttooluse", "posttoolusefailure":
		h.tool(event, line)
	case "userpromptsubmit":
		h.journalsPrompts = true
		h.Prompts = append(h.Prompts, session.Prompt{At: r.at, Place: h.place(line)})
	case "":
		h.note(session.UnknownType, line, "rows without the name of an event", true)
	}
}

func (h *hooksParser) tool(event string, line int) {
	r := &h.row
	if len(r.tool) == 0 {
		h.note(session.WrongType, line, "an event of a tool without the name of the tool", true)
		return
	}
	c := session.ToolCall{
		ID: valid(r.id), Name: h.intern(r.tool), At: r.at, Status: session.Running, Sidechain: r.agent, Place: h.place(line),
	}
	if event != "pretooluse" {
		failure := r.failure
		if len(failure) > 1 && failure[0] == '"' {
			failure = failure[1 : len(failure)-1]
		}
		res := claudeResult(event == "posttoolusefailure", r.interrupted, r.at, failure)
		c.Status, c.ExitCode, c.End = res.status, res.exit, res.at
	}
	cwd := h.Cwd
	if len(r.cwd) > 0 {
		cwd = h.intern(r.cwd)
	}
	h.claudeInput(&c, r.input, cwd)
	at, known := h.calls[c.ID]
	if c.ID == "" {
		at, known = h.begun(&c)
	}
	switch {
	case !known:
		h.addCall(c)
		if c.ID == "" && c.Status == session.Running {
			h.open = append(h.open, len(h.Calls)-1)
		}
	case h.Calls[at].Status == session.Running && c.Status != session.Running:
		h.Calls[at] = c
	}
}

// begun finds the call without an id that c completes.
func (h *hooksParser) begun(c *session.ToolCall) (at int, ok bool) {
	if c.Status == session.Running {
		return 0, false
	}
	for i, at := range h.open {
		o := &h.Calls[at]
		if actionOf(o) == actionOf(c) {
			h.open = append(h.open[:i], h.open[i+1:]...)
			return at, true
		}
	}
	return 0, false
}
