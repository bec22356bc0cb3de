package session

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// NoTimes is the reason for which nothing about times can be checked on a session.
const NoTimes = "no event has a readable time"

// incompleteReasons explains why the count of a visit may be too low; it is empty if the
// count is exact.
func (s *Session) incompleteReasons(v Visit, m Measure, unknownOutcome bool) string {
	switch {
	case m.Of == "":
		return ""
	case m.Of == Seconds && v.Start.IsZero():
		return NoTimes
	}
	var why []string
	if m.Of.ofTokens() && !s.TokensKnown {
		why = append(why, "the log does not record the use of tokens")
	}
	if unknownOutcome {
		why = append(why, "the log does not record the outcome of some "+m.Of.events())
	}
	switch {
	case !s.leavesOut(v, m):
	case s.Start.IsZero():
		why = append(why, NoTimes)
	default:
		why = append(why, m.Of.events()+" without a readable time")
	}
	for _, d := range s.Diagnostics {
		if d.Loss && !m.isUnaffected(d.Code) {
			why = append(why, d.Message)
		}
	}
	return joinReasons(why...)
}

// hasUnknownOutcome reports whether the count would be larger if all actions without an
// outcome in the log were done.
func (m Measure) hasUnknownOutcome(actions []action, count int64) bool {
	return slices.ContainsFunc(actions, func(d action) bool { return !d.done }) && last(m.highs(actions, false)).count > count
}

// mayBeMore is [Measure.hasUnknownOutcome] as of the end of a window.
func (m Measure) mayBeMore(window []action, count int64) bool {
	if m.Of.isStreak() {
		return m.longest(window, false) > count
	}
	return m.hasUnknownOutcome(window, count)
}

// isUnaffected reports whether a diagnostic with this code hides nothing that is counted.
// leavesOut handles events without a time, and sumTokens sums that are too large.
func (m Measure) isUnaffected(code fact.Code) bool {
	switch code {
	case fact.NoTime, fact.ClockOutlier:
		return m.Of != Seconds
	case fact.UnknownType:
		return m.Of == Seconds // their times are known, or reported
	case fact.UnknownTool:
		return !m.Of.OfCalls() && m.Of != Share // it may start a subagent
	case fact.Opaque:
		return !m.Of.OfCalls()
	case fact.WrongTokens, fact.Overflow:
		return !m.Of.ofTokens()
	default:
		return false
	}
}

// countsUntimed reports whether events of a visit without a time count: there is no need for one, or
// the order of all of them is that of one file.
func (m Measure) countsUntimed(v Visit) bool {
	switch {
	case !v.Whole || m.NeedsTimes():
		return false
	case !m.Of.isOrdered() || len(v.Calls) == 0:
		return true
	}
	first, last := v.Calls[0], v.Calls[len(v.Calls)-1]
	return last.At.IsZero() && !slices.ContainsFunc(v.Calls, func(c ToolCall) bool { return c.File != first.File })
}

// countable returns the calls of a visit that may count.
func (m Measure) countable(v Visit) []ToolCall {
	if m.countsUntimed(v) {
		return v.Calls
	}
	return v.Calls[sort.Search(len(v.Calls), func(i int) bool { return !v.Calls[i].At.IsZero() }):]
}

// leavesOut reports whether events without a time do not count, but would with one.
func (s *Session) leavesOut(v Visit, m Measure) bool {
	if m.countsUntimed(v) {
		return false
	}
	if m.Of.ofTokens() {
		return len(s.Tokens) > 0 && s.Tokens[0].At.IsZero()
	}
	for i := range s.Calls {
		if !s.Calls[i].At.IsZero() {
			break
		}
		if len(m.actions(s.Calls[i:i+1], cmp.Or(m.Root, s.Cwd))) > 0 {
			return true
		}
	}
	return false
}

// joinReasons joins reasons into one text, each once.
func joinReasons(why ...string) string {
	var distinct []string
	for _, w := range why {
		if w != "" && !slices.Contains(distinct, w) {
			distinct = append(distinct, w)
		}
	}
	return strings.Join(distinct, "; ")
}
