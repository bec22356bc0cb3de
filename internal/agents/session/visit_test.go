package session_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/session"
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
	if visits := s.Visits(); len(visits) != 1 || len(visits[0].Calls) != 1 || visits[0].Phase != nil || !visits[0].Open {
		t.Errorf("got %+v", visits)
	}
}
