package audit

import (
	"math"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Added holds the lines that a change adds to logs in the repository, by path. It limits
// an audit to sessions with such a line, and to what happens in them from the first such
// line on: what an older log violates was reported with the change that added it.
type Added map[string][]diff.Lines

// Whole are the lines of a log that the change adds as a whole, or of one whose lines git
// does not compare.
var Whole = []diff.Lines{{First: 1, Last: math.MaxInt}}

// has reports whether a line is added.
func (a Added) has(p fact.Place) bool {
	return slices.ContainsFunc(a[p.File], func(l diff.Lines) bool { return l.First <= p.Line && p.Line <= l.Last })
}

// of returns the part of a session on added lines, nil for all of it; ok is false if it has no
// added line. A session with a log outside of the repository counts as added.
func (a Added) of(s *session.Session) (fresh *session.Fresh, ok bool) {
	if a == nil {
		return nil, true
	}
	for _, source := range s.Sources {
		if !isInside(source.File) {
			return nil, true
		}
		ok = ok || len(a[source.File]) > 0
	}
	if !ok {
		return nil, false
	}
	first := time.Time{}
	see := func(at time.Time, p fact.Place) {
		if !at.IsZero() && a.has(p) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	for i := range s.Calls {
		see(s.Calls[i].At, s.Calls[i].Place)
	}
	for i := range s.Tokens {
		see(s.Tokens[i].At, s.Tokens[i].Place)
	}
	for _, p := range s.Prompts {
		see(p.At, p.Place)
	}
	for i := range s.Phases {
		see(s.Phases[i].Start, s.Phases[i].Place)
	}
	if first.IsZero() && !s.End.IsZero() {
		first = s.End.Add(1) // no event, or none with a time
	}
	return &session.Fresh{Has: a.has, Since: first}, true
}

// trigger returns the log that a finding in a session counts as caused by: the one where it
// is placed, unless the change adds nothing to that one.
func (a Added) trigger(s *session.Session, placed string) string {
	if a == nil || len(a[placed]) > 0 {
		return placed
	}
	for _, source := range s.Sources {
		if len(a[source.File]) > 0 {
			return source.File
		}
	}
	return placed
}
