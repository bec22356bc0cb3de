package audit

import (
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/session/activity"
	"github.com/rulecheck/rulecheck/internal/report"
)

// addActivity adds what the agent did in a session, in its visits, and outside of them.
func addActivity(row *report.Session, counter *activity.Counter, s *session.Session, visits []session.Visit, root string) {
	row.Activity = counter.Session(s, root)
	for i, v := range visits {
		if isWhole(s, v) {
			row.Visits[i].Activity = row.Activity
			continue
		}
		row.Visits[i].Activity = counter.Visit(s, v, root)
	}
	if len(s.Phases) == 0 {
		return
	}
	if v := outside(s, visits); len(v.Calls)+len(v.Tokens)+len(v.Prompts)+len(v.Compactions)+len(v.Interrupts) > 0 {
		row.Outside = counter.Visit(s, v, root)
	}
}

// isWhole reports whether a visit has all events of a session.
func isWhole(s *session.Session, v session.Visit) bool {
	return len(v.Calls) == len(s.Calls) && len(v.Tokens) == len(s.Tokens) && len(v.Prompts) == len(s.Prompts) &&
		len(v.Compactions) == len(s.Compactions) && len(v.Interrupts) == len(s.Interrupts)
}

// outside returns the events that belong to no visit, those without a time among them.
func outside(s *session.Session, visits []session.Visit) session.Visit {
	visited := func(at time.Time) bool {
		return slices.ContainsFunc(visits, func(v session.Visit) bool {
			return !at.Before(v.Start) && (at.Before(v.End) || v.Open && at.Equal(v.End))
		})
	}
	incident := func(i session.Incident) bool { return visited(i.At) }
	return session.Visit{
		Calls:       without(s.Calls, func(c session.ToolCall) bool { return visited(c.At) }),
		Tokens:      without(s.Tokens, func(t session.Tokens) bool { return visited(t.At) }),
		Prompts:     without(s.Prompts, func(p session.Prompt) bool { return visited(p.At) }),
		Compactions: without(s.Compactions, incident),
		Interrupts:  without(s.Interrupts, incident),
	}
}

// without returns a list without the elements that match; nil stays nil.
func without[E any](list []E, matches func(E) bool) []E {
	return slices.DeleteFunc(slices.Clone(list), matches)
}

// addForks lists the forks of each session.
func addForks(sessions []report.Session) {
	index := map[report.SessionKey]int{}
	for i, s := range sessions {
		index[s.Key()] = i
	}
	for _, s := range sessions {
		if i, ok := index[report.SessionKey{Agent: s.Agent, ID: s.Parent}]; ok && s.Parent != "" && s.Parent != s.ID {
			sessions[i].Forks = append(sessions[i].Forks, s.ID)
		}
	}
}
