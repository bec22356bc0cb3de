package agentlog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// clockSkew is how far two clocks may disagree.
const clockSkew = time.Second

// journaled is a call of a journal or of a transcript.
type journaled struct {
	*session.ToolCall

	part          *part
	index         int    // in the calls of the part
	record.Hooked        // of a transcript: its session
	key           string // of the merged session
	joined        bool
	dropped       bool // a transcript holds the call
}

// joinJournals joins the calls of hook journals with those of transcripts. The call of the
// journal remains, because it has the time at which rules count it.
func joinJournals(parts []*part, dirs directories) {
	if !slices.ContainsFunc(parts, (*part).isState) {
		return
	}
	var hooks, calls []*journaled
	for _, p := range parts {
		if p.isState() || p.Grouping == record.ByIDOrDirectory {
			for i := range p.Calls {
				j := &journaled{ToolCall: &p.Calls[i], part: p, index: i, key: dirs.keyOf(p), Hooked: record.Hooked{Session: p.ID}}
				if !p.isState() {
					calls = append(calls, j)
					continue
				}
				j.Hooked = p.Hooks[i]
				hooks = append(hooks, j)
			}
		}
	}
	if len(hooks) == 0 || len(calls) == 0 {
		return
	}
	byStart := func(a, b *journaled) int { return a.At.Compare(b.At) }
	slices.SortStableFunc(hooks, byStart)
	slices.SortStableFunc(calls, byStart)

	byID := groupBy(calls, func(j *journaled) string { return j.ID })
	for id, of := range groupBy(hooks, func(j *journaled) string { return j.ID }) {
		if id == "" {
			continue
		}
		for _, same := range []func(h, c *journaled) bool{
			func(h, c *journaled) bool { return h.isIn(c) && actionOf(h) == actionOf(c) && h.ranDuring(c) },
			func(h, c *journaled) bool { return h.isIn(c) && actionOf(h) == actionOf(c) },
			func(h, c *journaled) bool { return h.isIn(c) },
			func(h, c *journaled) bool { return actionOf(h) == actionOf(c) && h.ranDuring(c) },
		} {
			join(of, byID[id], same)
		}
	}
	byAction := groupBy(calls, actionOf)
	for _, of := range groupBy(hooks, func(h *journaled) string { return h.key + "\x00" + h.Session + "\x00" + actionOf(h) }) {
		of = slices.DeleteFunc(of, func(h *journaled) bool { return h.ID != "" || h.At.IsZero() })
		if len(of) > 0 {
			joinByTime(of, byAction[actionOf(of[0])])
		}
	}
	remove(parts, append(hooks, calls...))
}

func groupBy(calls []*journaled, key func(*journaled) string) map[string][]*journaled {
	groups := map[string][]*journaled{}
	for _, j := range calls {
		groups[key(j)] = append(groups[key(j)], j)
	}
	return groups
}

// join joins each hook with the first call that may be the same.
func join(hooks, calls []*journaled, same func(h, c *journaled) bool) {
	for _, h := range hooks {
		if i := slices.IndexFunc(calls, func(c *journaled) bool { return !c.joined && same(h, c) }); i >= 0 && !h.joined {
			h.joinWith(calls[i])
		}
	}
}

func (j *journaled) joinWith(c *journaled) {
	j.joined, c.joined = true, true
	j.ID = cmp.Or(j.ID, c.ID)
	fillFrom(j.ToolCall, *c.ToolCall)
}

// joinByTime joins equal calls without ids. An event that ended a call belongs to a call
// of the transcript that ended then. Which announcement belongs to which end is unknown,
// so that announcements are only counted: those of no call and no end remain.
func joinByTime(hooks, calls []*journaled) {
	first := hooks[0]
	calls = slices.DeleteFunc(slices.Clone(calls), func(c *journaled) bool { return c.joined || c.key != first.key || !first.isIn(c) })
	var begun []time.Time
	ended := 0
	for _, h := range hooks {
		if !h.Began.IsZero() {
			begun = append(begun, h.Began)
		}
		if h.Status == fact.Running {
			continue
		}
		ended++
		if c := h.firstEnded(calls); c != nil {
			h.joinWith(c)
			ended--
		}
	}
	slices.SortFunc(begun, time.Time.Compare)
	for _, c := range calls {
		nearest := -1
		for i, at := range begun {
			if (&journaled{ToolCall: &session.ToolCall{At: at}}).ranDuring(c) && (nearest < 0 || at.Sub(c.At).Abs() < begun[nearest].Sub(c.At).Abs()) {
				nearest = i
			}
		}
		if nearest >= 0 {
			begun = slices.Delete(begun, nearest, nearest+1)
		}
	}
	left := max(0, len(begun)-ended)
	for _, h := range hooks {
		if h.Status == fact.Running && !h.joined {
			h.dropped = left == 0
			left = max(0, left-1)
		}
	}
}

// firstEnded returns the first call to end in which a hook ran; hooks of the old form ran only
// after calls that succeeded.
func (j *journaled) firstEnded(calls []*journaled) *journaled {
	var best *journaled
	failed := func(c *journaled) bool { return c.Status == fact.Error || c.Status == fact.Rejected }
	for _, c := range calls {
		switch {
		case c.joined || !j.ranDuring(c):
		case best == nil, failed(best) && !failed(c), failed(best) == failed(c) && c.last().Before(best.last()):
			best = c
		}
	}
	return best
}

// isIn reports whether a journal may record a call of this session.
func (j *journaled) isIn(c *journaled) bool { return j.Session == "" || j.Session == c.Session }

// ranDuring reports whether a hook ran between the start of a call and soon after its end.
func (j *journaled) ranDuring(c *journaled) bool {
	return j.At.IsZero() || c.At.IsZero() || !j.At.Add(clockSkew).Before(c.At) && !j.At.After(c.last().Add(record.HookDelay))
}

// last returns the end of a call; a call without a result may not have ended.
func (j *journaled) last() time.Time {
	switch {
	case j.Status == fact.Running:
		return j.At.AddDate(100, 0, 0)
	case j.End.After(j.At):
		return j.End
	}
	return j.At
}

// remove removes the calls of transcripts that are joined with one of a journal, and the
// announcements of calls that transcripts hold.
func remove(parts []*part, calls []*journaled) {
	gone := map[*part]map[int]bool{}
	for _, c := range calls {
		if c.dropped || c.joined && !c.part.isState() {
			if gone[c.part] == nil {
				gone[c.part] = map[int]bool{}
			}
			gone[c.part][c.index] = true
		}
	}
	for _, p := range parts {
		if gone[p] == nil {
			continue
		}
		kept := p.Calls[:0]
		for i := range p.Calls {
			if !gone[p][i] {
				kept = append(kept, p.Calls[i])
			}
		}
		p.Calls = kept
	}
}

// actionOf returns tool, command and paths of a call as one text to compare by.
func actionOf(j *journaled) string {
	return j.Name + "\x00" + j.Command + "\x00" + strings.Join(j.Paths, "\x00")
}
