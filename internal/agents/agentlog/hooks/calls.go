package hooks

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// loggedCall holds what the rows so far record of a call.
type loggedCall struct {
	does string // session, kind, command and paths
	by   eventSource
	end  eventSource // which recorded its end
	last time.Time   // of the last row about it
	// shell is when Cursor began to execute the command, which it may do long after the agent
	// asked for it; the zero time if no event states it.
	shell time.Time
	// denied is true if rulecheck refused the call. Events after it show that the agent
	// executed it nevertheless.
	denied bool
}

// twice is the longest time between the deliveries of one event to two hooks.
const twice = 2 * time.Second

// maxOpen is how many equal calls may have events to come.
const maxOpen = 64

// record adds a call, or completes the one that the row is about.
func (h *parser) record(c session.ToolCall, e hookEvent) {
	of := h.Intern(h.row.session)
	does := strings.Join(append([]string{of, string(c.Kind), c.Command}, c.Paths...), "\x00")
	id := of + "\x00" + c.ID
	at, known := -1, false
	if c.ID != "" {
		if at, known = h.last[id]; known && !h.isAgain(at, &c, e, does) {
			known = false
		}
	}
	if !known {
		at, known = h.findOpen(&c, e, does)
	}
	if known {
		h.add(at, c, e, does)
	} else {
		at = h.begin(c, e, does, of)
	}
	if c.ID != "" {
		h.last[id] = at
	}
}

// isAgain reports whether a row is about the last call with its id, and not about a new one:
// it completes the call, or repeats a row.
func (h *parser) isAgain(at int, c *session.ToolCall, e hookEvent, does string) bool {
	logged := h.logged[at]
	runs, ran := e.does == began, h.Calls[at].Status != fact.Running && !logged.denied
	switch {
	case !runs && !ran:
		return true
	case runs && ran || logged.does != does:
		return false
	case ran && logged.end != e.source:
		return true
	}
	return !c.At.After(logged.last.Add(twice))
}

// findOpen finds the call without an id that a row completes, the youngest of several
// because a call that failed may never complete, or the call that another source recorded.
func (h *parser) findOpen(c *session.ToolCall, e hookEvent, does string) (at int, ok bool) {
	for _, at := range slices.Backward(h.open[does]) {
		old, logged := &h.Calls[at], h.logged[at]
		running := old.Status == fact.Running || logged.denied
		switch {
		case logged.by&e.source == 0:
			if running || !c.At.After(logged.last.Add(record.HookDelay)) {
				return at, true
			}
		case running && e.does != began && c.ID == "" && (e.source != toolEvents || old.ID == "" && old.Name == c.Name):
			return at, true
		}
	}
	return 0, false
}

// begin adds a call.
func (h *parser) begin(c session.ToolCall, e hookEvent, does, of string) int {
	at := len(h.Calls)
	if c.ID != "" {
		h.AppendCall(c, record.FingerprintOf("journal", h.Numbered(of+" "+c.ID)))
	} else {
		h.AppendCall(c, record.FingerprintOf(h.RowID()))
	}
	info := record.Hooked{Session: of}
	if e.does == began {
		info.Began = c.At
	}
	h.Hooks = append(h.Hooks, info)
	logged := loggedCall{does: does, by: e.source, last: c.At, denied: e.does == began && c.Status == fact.Rejected}
	switch {
	case e.does != began:
		logged.end = e.source
	case e.source == shellEvents:
		logged.shell = c.At
	}
	h.logged = append(h.logged, logged)
	if h.Agent == "cursor" || c.ID == "" && e.does == began {
		h.open[does] = append(h.open[does], at)
		h.open[does] = h.open[does][max(0, len(h.open[does])-maxOpen):]
	}
	return at
}

// add adds a row about a call.
func (h *parser) add(at int, c session.ToolCall, e hookEvent, does string) {
	old := &h.Calls[at]
	logged := &h.logged[at]
	logged.by |= e.source
	logged.last = c.At
	id := cmp.Or(old.ID, c.ID)
	switch open := old.Status == fact.Running || logged.denied; {
	case e.does == began:
		if e.source == shellEvents {
			logged.shell = c.At
		}
		if open && c.Status == fact.Rejected {
			old.Status, old.End, logged.denied = c.Status, c.End, true
		}
	case open:
		if h.Agent != "cursor" {
			h.open[logged.does] = slices.DeleteFunc(h.open[logged.does], func(i int) bool { return i == at })
		}
		logged.does, logged.end, logged.denied = does, e.source, false
		*old = c
		if !logged.shell.IsZero() {
			old.At = logged.shell
		}
	}
	// Cursor's events about a command do not have its outcome.
	if e.does == failed && old.Status == fact.OK || e.does != began && old.Status == fact.Unknown && c.Status != fact.Unknown {
		old.Status, old.ExitCode = c.Status, c.ExitCode
	}
	old.ID = id
}
