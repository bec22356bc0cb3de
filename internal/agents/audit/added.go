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

// of returns what a change adds to a session, nil for all of it; ok is false if it adds
// nothing. A session with a log outside of the repository counts as added. It marks the
// events as old that are on other lines, or that the base has: a log that was compressed,
// renamed or edited holds them again.
func (a Added) of(s *session.Session, base *earlier) (fresh *session.Fresh, ok bool, err error) {
	if a == nil {
		return nil, true, nil
	}
	for _, source := range s.Sources {
		if !isInside(source.File) {
			return nil, true, nil
		}
		ok = ok || len(a[source.File]) > 0
	}
	if !ok {
		return nil, false, nil
	}
	before, err := base.of(s, a)
	if err != nil {
		return nil, false, err
	}
	first, some := time.Time{}, false
	see := func(at time.Time, p fact.Place, keys []eventKey) (old bool) {
		if before.take(keys) || !a.has(p) {
			return true
		}
		some = true
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
		return false
	}
	scopes := scopesOf(s, nil)
	for i := range s.Calls {
		c := &s.Calls[i]
		c.Old = see(c.At, c.Place, keysOfCall(scopes, c))
	}
	for i := range s.Tokens {
		t := &s.Tokens[i]
		t.Old = see(t.At, t.Place, keysOfTokens(scopes, t))
	}
	for i := range s.Prompts {
		p := &s.Prompts[i]
		p.Old = see(p.At, p.Place, keysOfPrompt(scopes, p))
	}
	for i := range s.Phases {
		p := &s.Phases[i]
		p.Old = see(p.Start, p.Place, keysOfPhase(scopes, p))
	}
	if !some && before.knows(s, scopes) {
		return nil, false, nil
	}
	if first.IsZero() && !s.End.IsZero() {
		first = s.End.Add(1) // no event, or none with a time
	}
	return &session.Fresh{Since: first}, true, nil
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
