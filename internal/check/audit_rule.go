package check

import (
	"regexp"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/policies"
)

// sessionRule is a rule about sessions, ready to be asked.
type sessionRule struct {
	*rule.Rule

	mode    policies.Mode
	phases  []string // the rule is limited to; empty: all
	measure session.Measure
}

func newSessionRule(r *rule.Rule, mode policies.Mode) sessionRule {
	return sessionRule{Rule: r, mode: mode, phases: r.Phases, measure: measureOf(r, mode)}
}

// modesOf are the modes of rules, each once.
func modesOf(rules []sessionRule) []string {
	list := make([]*rule.Rule, len(rules))
	for i, r := range rules {
		list[i] = r.Rule
	}
	return modesOfRules(list)
}

// longest is how many seconds a window may have that a time can still be told by:
// some 285 years.
const longest = 9_000_000_000

// measureOf is what a rule wants counted, by what its mode declares.
func measureOf(r *rule.Rule, mode policies.Mode) session.Measure {
	c := mode.Counts
	if c == nil {
		return session.Measure{}
	}
	m := session.Measure{Of: session.Quantity(c.Of)}
	if text, ok := r.Params[c.Matching].(string); ok {
		m.Matching = regexp.MustCompile(text) // the rule would not have loaded
	}
	if seconds, ok := r.Params[c.Within].(int); ok {
		m.Within = time.Duration(min(seconds, longest)) * time.Second
	}
	switch parts := r.Params[c.Parts].(type) {
	case string:
		m.Parts = []string{parts}
	case []string:
		m.Parts = parts
	}
	return m
}

// limit is the rule's number that counts are compared with; 0: it has none.
func (r sessionRule) limit() int64 {
	if r.mode.Counts == nil {
		return 0
	}
	n, _ := r.Params[r.mode.Counts.Limit].(int)
	return int64(n)
}

// pattern is the rule's own text of what it counts; empty where it counts all.
func (r sessionRule) pattern() string {
	if r.measure.Matching == nil {
		return ""
	}
	return r.measure.Matching.String()
}

// concerns reports whether the rule is about a visit of a session; unsaid is what
// it would take to know and the log does not say.
func (r sessionRule) concerns(s *session.Session, v session.Visit) (yes bool, unsaid string) {
	switch {
	case v.Phase != nil && v.Phase.Terminal:
		return false, ""
	case len(r.phases) > 0 && (v.Phase == nil || !slices.Contains(r.phases, v.Phase.Name)):
		return false, ""
	case len(r.Agents) == 0 || slices.Contains(r.Agents, s.Agent):
		return true, ""
	case s.Agent == "":
		return false, "the log does not say which agent it is of"
	default:
		return false, ""
	}
}
