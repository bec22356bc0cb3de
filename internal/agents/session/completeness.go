package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// incompleteReasons explains why the count of a visit may be too low; it is empty if the
// count is exact.
func (s *Session) incompleteReasons(m Measure, unknownOutcome bool) string {
	if m.Of == "" {
		return ""
	}
	var why []string
	if m.Of.ofTokens() && !s.TokensKnown {
		why = append(why, "the log does not record the use of tokens")
	}
	if unknownOutcome {
		why = append(why, "the log does not record the outcome of some "+m.Of.events())
	}
	if s.hasUntimed(m) {
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
// hasUntimed handles events without a time, and sumTokens sums that are too large.
func (m Measure) isUnaffected(code fact.Code) bool {
	switch code {
	case fact.NoTime, fact.ClockOutlier:
		return m.Of != Seconds
	case fact.UnknownType:
		return m.Of == Seconds // their times are known, or reported
	case fact.Opaque, fact.UnknownTool:
		return !m.Of.OfCalls()
	case fact.WrongTokens, fact.Overflow:
		return !m.Of.ofTokens()
	default:
		return false
	}
}

// hasUntimed reports whether events without a time, which belong to no visit, would count.
func (s *Session) hasUntimed(m Measure) bool {
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
