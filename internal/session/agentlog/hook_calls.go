package agentlog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/session"
)

// toldCall is what a journal has told of a call so far.
type toldCall struct {
	does string // session, kind, command and paths
	by   eventSource
	end  eventSource // which told of its end
	last time.Time   // when it was told of
}

// twice is the longest time between the deliveries of one event to two hooks.
const twice = 2 * time.Second

// maxOpen is how many equal calls may have events to come.
const maxOpen = 64

// tell adds a call, or completes the one of which the row tells.
func (h *hooksParser) tell(c session.ToolCall, e hookEvent) {
	of := h.intern(h.row.session)
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

// isAgain reports whether a row tells of the last call with its id, and not of a new one:
// it completes the call, or repeats what was told.
func (h *hooksParser) isAgain(at int, c *session.ToolCall, e hookEvent, does string) bool {
	told := h.told[at]
	runs, ran := c.Status == session.Running, h.Calls[at].Status != session.Running
	switch {
	case !runs && !ran:
		return true
	case runs && ran || told.does != does:
		return false
	case ran && told.end != e.source:
		return true
	}
	return !c.At.After(told.last.Add(twice))
}

// findOpen finds the call without an id that a row completes, the youngest of several
// because a call that failed may never complete, or the call that another event told of.
func (h *hooksParser) findOpen(c *session.ToolCall, e hookEvent, does string) (at int, ok bool) {
	for _, at := range slices.Backward(h.open[does]) {
		old, told := &h.Calls[at], h.told[at]
		running := old.Status == session.Running
		switch {
		case told.by&e.source == 0:
			if running || !c.At.After(told.last.Add(hookDelay)) {
				return at, true
			}
		case running && e.does != began && c.ID == "" && (e.source != toolEvents || old.ID == "" && old.Name == c.Name):
			return at, true
		}
	}
	return 0, false
}

// begin adds a call.
func (h *hooksParser) begin(c session.ToolCall, e hookEvent, does, of string) int {
	at := len(h.Calls)
	if c.ID != "" {
		h.appendCall(c, fingerprintOf("journal", h.numbered(of+" "+c.ID)))
	} else {
		h.appendCall(c, fingerprintOf(h.rowID()))
	}
	info := hooked{session: of}
	if c.Status == session.Running {
		info.began = c.At
	}
	h.hooks = append(h.hooks, info)
	told := toldCall{does: does, by: e.source, last: c.At}
	if c.Status != session.Running {
		told.end = e.source
	}
	h.told = append(h.told, told)
	if h.Agent == "cursor" || c.ID == "" && c.Status == session.Running {
		open := append(h.open[does], at)
		h.open[does] = open[max(0, len(open)-maxOpen):]
	}
	return at
}

// add adds what a row tells of a call.
func (h *hooksParser) add(at int, c session.ToolCall, e hookEvent, does string) {
	old := &h.Calls[at]
	told := &h.told[at]
	told.by |= e.source
	told.last = c.At
	id := cmp.Or(old.ID, c.ID)
	if old.Status == session.Running && c.Status != session.Running {
		if h.Agent != "cursor" {
			h.open[told.does] = slices.DeleteFunc(h.open[told.does], func(i int) bool { return i == at })
		}
		told.does, told.end = does, e.source
		*old = c
	}
	old.ID = id
}
