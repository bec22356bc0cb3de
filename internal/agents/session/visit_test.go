package session_test

import (
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func TestVisits(t *testing.T) {
	start := noon
	empty := session.Session{}
	if got := empty.Visits(); got != nil {
		t.Errorf("got %v", got)
	}
	s := session.Session{
		Start: start, End: start,
		Phases: []session.Phase{{Name: "a", Start: start, End: start}, {Name: "b", Start: start.Add(1)}},
		Calls:  []session.ToolCall{{}, {At: start}},
	}
	visits := s.Visits()
	if len(visits) != 2 || len(visits[0].Calls) != 0 || !visits[1].End.Equal(visits[1].Start) || len(visits[1].Calls) != 0 {
		t.Errorf("got %+v", visits)
	}
	s.Phases = nil
	if visits := s.Visits(); len(visits) != 1 || len(visits[0].Calls) != 2 || visits[0].Phase != nil || !visits[0].Open {
		t.Errorf("got %+v", visits)
	}
}

// TestUntimed counts calls without times: in a whole session they count where no time is needed, and
// in their order if it is that of one file.
func TestUntimed(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	failed := func(file string, at time.Time) session.ToolCall {
		return session.ToolCall{At: at, Kind: fact.Command, Command: "make", Status: fact.Error, Place: fact.Place{File: file, Line: 1}}
	}
	for name, test := range map[string]struct {
		session session.Session
		measure session.Measure
		count   int64
		why     string
	}{
		"commands":           {session.Session{Calls: []session.ToolCall{failed("a", time.Time{}), failed("a", time.Time{})}}, session.Measure{Of: session.Commands}, 2, ""},
		"a window":           {session.Session{Calls: []session.ToolCall{failed("a", time.Time{})}}, session.Measure{Of: session.Commands, Within: time.Hour}, 0, session.NoTimes},
		"a window, no calls": {session.Session{Tokens: []session.Tokens{{}}}, session.Measure{Of: session.Commands, Within: time.Hour}, 0, ""},
		"a duration":         {session.Session{Calls: []session.ToolCall{failed("a", time.Time{})}}, session.Measure{Of: session.Seconds}, 0, session.NoTimes},
		"failures":           {session.Session{Calls: []session.ToolCall{failed("a", time.Time{}), failed("a", time.Time{})}}, session.Measure{Of: session.Failures}, 2, ""},
		"failures before a success": {
			session.Session{Calls: []session.ToolCall{
				failed("a", time.Time{}), failed("a", time.Time{}), {Kind: fact.Command, Command: "make", Status: fact.OK, Place: fact.Place{File: "a", Line: 2}}, failed("a", time.Time{}),
			}}, session.Measure{Of: session.Failures}, 2, "",
		},
		"failures in two files": {
			session.Session{Calls: []session.ToolCall{failed("a", time.Time{}), failed("b", time.Time{})}}, session.Measure{Of: session.Failures}, 0, session.NoTimes,
		},
		"commands, some with times": {
			session.Session{Start: at, End: at, Calls: []session.ToolCall{failed("a", time.Time{}), failed("a", at)}}, session.Measure{Of: session.Commands}, 2, "",
		},
		"failures, some with times": {
			session.Session{Start: at, End: at, Calls: []session.ToolCall{failed("a", time.Time{}), failed("a", at)}}, session.Measure{Of: session.Failures}, 0, "commands without a readable time",
		},
		"commands of a phase": {
			session.Session{Start: at, End: at, Phases: []session.Phase{{Start: at}}, Calls: []session.ToolCall{failed("a", time.Time{}), failed("a", at)}},
			session.Measure{Of: session.Commands},
			1, "commands without a readable time",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.session
			if s.Start.IsZero() {
				s.TokensKnown = true
			}
			v := s.Visits()[0]
			if got := s.Audit(v, test.measure); got.Count != test.count || got.Incomplete != test.why {
				t.Errorf("audit: %d, %q; want %d, %q", got.Count, got.Incomplete, test.count, test.why)
			}
			if got := s.Live(v, test.measure, at); name != "failures before a success" && got.Count != test.count || got.Incomplete != test.why {
				t.Errorf("live: %d, %q; want %d, %q", got.Count, got.Incomplete, test.count, test.why)
			}
		})
	}
}
