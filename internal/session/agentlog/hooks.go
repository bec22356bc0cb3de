package agentlog

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// A hook journal has a row for each event that an agent's hooks told: its
// canonical form names the event event_type, its older one, the agent's own
// payload with a time, hook_event_name.
func claimsHooks(g glance) bool {
	return g.has("event_type", "session_id") || g.has("hook_event_name")
}

type hookRow struct {
	scanner

	event, session, tool, input, cwd, adapter, id, words []byte
	legacy, interrupted, agent                           bool
	at                                                   time.Time
}

type hookReader struct {
	*part

	row hookRow
	// open are the calls without an id that were announced and not completed.
	open []int
}

func openHooks(p *part, _ Options) func([]byte, int) bool {
	h := &hookReader{part: p}
	return h.read
}

func (h *hookReader) read(row []byte, line int) bool {
	h.row = hookRow{scanner: scanner{b: row}}
	h.row.object(h.row.member)
	if !h.row.ends() {
		return false
	}
	h.take(line)
	return true
}

func (r *hookRow) member(key []byte) {
	switch string(key) {
	case "event_type":
		r.event, _ = r.text()
	case "hook_event_name":
		name, _ := r.text()
		if r.event == nil {
			r.event, r.legacy = name, true
		}
	case "timestamp":
		text, _ := r.text()
		r.at = instant(text)
	case "session_id":
		r.session, _ = r.text()
	case "tool_name":
		r.tool, _ = r.text()
	case "tool_input":
		r.input = r.skip()
	case "tool_response":
		if r.peek() == '{' {
			r.interruption(&r.interrupted)
		}
	case "cwd":
		r.cwd, _ = r.text()
	case "adapter":
		r.adapter, _ = r.text()
	case "tool_use_id":
		r.id, _ = r.text()
	case "error":
		r.words = r.skip()
	case "is_interrupt":
		r.interrupted = r.flag() || r.interrupted
	case "agent_id":
		r.agent = string(r.skip()) != "null"
	}
}

func (h *hookReader) take(line int) {
	r := &h.row
	h.saw(r.at)
	if len(r.session) > 0 {
		id := h.word(r.session)
		h.ids[id] = true
		if h.ID == "" {
			h.ID = id
		}
	}
	if len(r.cwd) > 0 && h.Cwd == "" {
		h.Cwd = h.word(r.cwd)
	}
	switch adapter := string(r.adapter); {
	case adapter == "claude_code" || adapter == "legacy" || r.legacy && h.Agent == "":
		h.Agent = "claude"
	case adapter != "":
		h.Agent = h.word(r.adapter)
	}
	event := strings.ToLower(strings.ReplaceAll(string(r.event), "_", ""))
	switch event {
	case "pretooluse", "posttooluse", "posttoolusefailure":
		h.tool(event, line)
	case "userpromptsubmit":
		h.asked = true
		h.Prompts = append(h.Prompts, session.Prompt{At: r.at, Place: h.place(line)})
	case "":
		h.note(session.UnknownType, line, "rows without an event's name are not known", true)
	}
}

func (h *hookReader) tool(event string, line int) {
	r := &h.row
	if len(r.tool) == 0 {
		h.note(session.WrongType, line, "a tool's event without the tool's name", true)
		return
	}
	c := session.ToolCall{
		ID: h.plain(r.id), Name: h.word(r.tool), At: r.at, Status: session.Running, Sidechain: r.agent, Place: h.place(line),
	}
	if event != "pretooluse" {
		words := r.words
		if len(words) > 1 && words[0] == '"' {
			words = words[1 : len(words)-1]
		}
		res := claudeResult(event == "posttoolusefailure", r.interrupted, r.at, words)
		c.Status, c.ExitCode, c.End = res.status, res.exit, res.at
	}
	cwd := h.Cwd
	if len(r.cwd) > 0 {
		cwd = h.word(r.cwd)
	}
	h.claudeInput(&c, r.input, cwd)
	at, known := h.calls[c.ID]
	if c.ID == "" {
		at, known = h.announced(&c)
	}
	switch {
	case !known:
		h.call(c)
		if c.ID == "" && c.Status == session.Running {
			h.open = append(h.open, len(h.Calls)-1)
		}
	case h.Calls[at].Status == session.Running && c.Status != session.Running:
		h.Calls[at] = c
	}
}

// announced finds the call without an id that c completes.
func (h *hookReader) announced(c *session.ToolCall) (at int, ok bool) {
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
