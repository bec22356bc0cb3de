package session

import (
	"math"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// subagentShare returns the share of the tokens that subagents used until now. Tokens that are missing may be those
// of either side, so that without them there is no share.
func (s *Session) subagentShare(v Visit, m Measure, now time.Time) (fact.Metrics, []high) {
	x := m.describe(nil)
	x.Start, x.End = v.Start, v.End
	var sum tally
	var all, theirs int64
	var latest *Tokens
	unknown := s.subagentsElsewhere(v, m)
	for i := range v.Tokens {
		t := &v.Tokens[i]
		if t.At.After(now) {
			break
		}
		sum.add(&t.TokenCount)
		n, missing := addedUp(&t.TokenCount, m.parts())
		unknown = joinReasons(unknown, missing)
		all = fact.SaturatedSum(all, n)
		if t.Sidechain {
			theirs = fact.SaturatedSum(theirs, n)
			latest = t
		}
	}
	if s.TokensKnown {
		x.Tokens = new(sum.count())
	}
	if all > math.MaxInt64/million {
		unknown = joinReasons(unknown, TooManyTokens)
	}
	x.Incomplete = joinReasons(s.incompleteReasons(v, m, false), unknown)
	if x.Incomplete != "" || theirs == 0 {
		return x, nil
	}
	x.Count, x.At = share(theirs, all), latest.At
	if !m.isFresh(latest.Old) {
		return x, nil
	}
	return x, []high{{count: x.Count, at: latest.At, place: latest.Place}}
}

// subagentsElsewhere explains why a log does not show what subagents used; empty if it does, or if there were none.
func (s *Session) subagentsElsewhere(v Visit, m Measure) string {
	theirs := func(t Tokens) bool { return t.Sidechain }
	started := slices.ContainsFunc(v.Calls, func(c ToolCall) bool {
		return c.Sidechain || c.Status != fact.Rejected && m.Starts != nil && m.Starts(c.Name)
	})
	switch {
	case len(s.Tokens) == 0 && len(v.Tokens) > 0:
		return "the log holds only the sums of phases, not what subagents used"
	case len(v.Tokens) > 0 && !slices.ContainsFunc(v.Tokens, func(t Tokens) bool { return !theirs(t) }):
		return "the session is of a subagent, and the log does not have the tokens of the agent that started it"
	case started && !slices.ContainsFunc(v.Tokens, theirs):
		return "the log does not show what the subagents used that it started"
	}
	return ""
}
