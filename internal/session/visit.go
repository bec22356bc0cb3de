package session

import (
	"sort"
	"time"
)

// A Visit is one stay in a phase, or a whole session that has no phases. Its
// events are those in [Start, End), in time order; an open visit also holds
// the event at its End, which is the last one of the session. Events without a
// time are in no visit.
type Visit struct {
	Index int
	Phase *Phase // nil: the session has no phases
	Start time.Time
	End   time.Time
	Open  bool // the log ends before the visit does

	Calls   []ToolCall
	Tokens  []Tokens
	Prompts []Prompt
}

// Visits divides a session into its stays. Entering a phase again starts an
// empty visit. What came before the first phase is in none.
func (s *Session) Visits() []Visit {
	if len(s.Phases) == 0 {
		if s.Start.IsZero() {
			return nil
		}
		return []Visit{s.visit(0, nil, s.Start, s.End, true)}
	}
	visits := make([]Visit, 0, len(s.Phases))
	for i := range s.Phases {
		p := &s.Phases[i]
		open := p.End.IsZero()
		end := p.End
		if open {
			end = s.End
			if end.Before(p.Start) {
				end = p.Start
			}
		}
		visits = append(visits, s.visit(i, p, p.Start, end, open))
	}
	return visits
}

func (s *Session) visit(index int, p *Phase, start, end time.Time, open bool) Visit {
	return Visit{
		Index: index, Phase: p, Start: start, End: end, Open: open,
		Calls:   within(s.Calls, func(c *ToolCall) time.Time { return c.At }, start, end, open),
		Tokens:  within(s.Tokens, func(t *Tokens) time.Time { return t.At }, start, end, open),
		Prompts: within(s.Prompts, func(p *Prompt) time.Time { return p.At }, start, end, open),
	}
}

// within is the run of events in [start, end), or in [start, end] of an open
// visit. Events are in time order, those without a time first.
func within[E any](events []E, at func(*E) time.Time, start, end time.Time, open bool) []E {
	from := sort.Search(len(events), func(i int) bool { return !at(&events[i]).Before(start) })
	to := sort.Search(len(events), func(i int) bool {
		t := at(&events[i])
		return t.After(end) || !open && t.Equal(end)
	})
	to = max(from, to)
	return events[from:to:to]
}
