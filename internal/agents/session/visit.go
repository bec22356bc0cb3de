package session

import (
	"sort"
	"time"
)

// Visit is one visit to a phase, or a whole session without phases. Its events are those
// in [Start, End), in time order; an open visit includes the event at End, the last one of
// the session. Events without a time belong only to visits that are whole sessions, first.
type Visit struct {
	Index int
	Phase *Phase // nil: the session has no phases
	Start time.Time
	End   time.Time
	Open  bool // the log ends before the visit does
	Whole bool // it has all events of the session

	Calls       []ToolCall
	Tokens      []Tokens
	Prompts     []Prompt
	Compactions []Incident // nil: the log does not record them
	Interrupts  []Incident // nil: the log does not record them
}

// Visits divides a session into visits. Entering a phase again starts an empty visit.
// Events before the first phase belong to no visit.
func (s *Session) Visits() []Visit {
	if len(s.Phases) == 0 {
		if s.IsEmpty() {
			return nil
		}
		return []Visit{s.whole()}
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

// IsEmpty reports whether a session has neither a time nor an event that counts.
func (s *Session) IsEmpty() bool {
	return s.Start.IsZero() && len(s.Phases) == 0 && len(s.Calls) == 0 && len(s.Tokens) == 0 && len(s.Prompts) == 0
}

func (s *Session) whole() Visit {
	v := s.visit(0, nil, time.Time{}, s.End, true)
	v.Start, v.Whole = s.Start, true
	return v
}

// Whole returns the session as one visit, whatever its phases. Phases with only sums in the
// log have their tokens at their start; summed reports whether there are any.
func (s *Session) Whole() (v Visit, summed bool) {
	v = s.whole()
	var sums []Tokens
	for i := range s.Phases {
		if p := &s.Phases[i]; p.Totals != nil {
			sums = append(sums, Tokens{At: p.Start, TokenCount: *p.Totals, Place: p.Place, Old: p.Old})
		}
	}
	if len(sums) > 0 && len(s.Tokens) == 0 {
		v.Tokens = sums
		for i := range sums { // a session without other events
			if v.Start.IsZero() || sums[i].At.Before(v.Start) {
				v.Start = sums[i].At
			}
			if sums[i].At.After(v.End) {
				v.End = sums[i].At
			}
		}
	}
	return v, len(sums) > 0
}

func (s *Session) visit(index int, p *Phase, start, end time.Time, open bool) Visit {
	incidentAt := func(i *Incident) time.Time { return i.At }
	return Visit{
		Index: index, Phase: p, Start: start, End: end, Open: open,
		Calls:       within(s.Calls, func(c *ToolCall) time.Time { return c.At }, start, end, open),
		Tokens:      within(s.Tokens, func(t *Tokens) time.Time { return t.At }, start, end, open),
		Prompts:     within(s.Prompts, func(p *Prompt) time.Time { return p.At }, start, end, open),
		Compactions: within(s.Compactions, incidentAt, start, end, open),
		Interrupts:  within(s.Interrupts, incidentAt, start, end, open),
	}
}

// OpenVisit returns the visit that began with a phase and lasts until now, for a phase
// that the log itself does not record.
func (s *Session) OpenVisit(index int, p Phase, now time.Time) Visit {
	return s.visit(index, &p, p.Start, now, true)
}

// within returns the events in [start, end), or in [start, end] of an open visit. Events
// are in time order, those without a time first.
func within[E any](events []E, at func(*E) time.Time, start, end time.Time, open bool) []E {
	from := sort.Search(len(events), func(i int) bool { return !at(&events[i]).Before(start) })
	to := sort.Search(len(events), func(i int) bool {
		t := at(&events[i])
		return t.After(end) || !open && t.Equal(end)
	})
	to = max(from, to)
	return events[from:to:to]
}
