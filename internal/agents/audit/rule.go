package audit

import (
	"cmp"
	"context"
	"math"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Rule is a rule about sessions with what its mode counts.
type Rule struct {
	*rule.Rule

	mode    policies.Mode
	counts  policies.Counts // of the mode; zero: it counts nothing
	measure session.Measure
	// holds evaluates the rule's conditions on a session; nil: it has none, or they hold for the
	// change.
	holds func(context.Context, policy.SessionFacts) condition.Answer
}

// NewRule prepares a rule whose mode is about sessions.
func NewRule(r *rule.Rule, mode policies.Mode) Rule {
	of := Rule{Rule: r, mode: mode}
	if len(mode.Counts) > 0 {
		return of.counting(mode.Counts[0])
	}
	return of
}

// counting returns the rule as it counts one of the things that its mode counts.
func (r Rule) counting(c policies.Counts) Rule {
	r.counts, r.measure = c, measureOf(r.Rule, c)
	return r
}

// parts returns the rule once for each count whose limit it sets, all of which must hold.
func (r Rule) parts() []Rule {
	var parts []Rule
	for _, c := range r.mode.Counts {
		if _, limited := r.Params[c.Limit]; limited {
			parts = append(parts, r.counting(c))
		}
	}
	if parts == nil {
		return []Rule{r} // the policy finds that the limit is missing
	}
	return parts
}

// When returns the rule with its conditions, if they depend on the session. Change may be nil if
// they read nothing of one.
func (r Rule) When(set *condition.Set, change *condition.Change) Rule {
	if set != nil && set.ReadsSession(r.ID) {
		of := r.Info
		r.holds = func(ctx context.Context, s policy.SessionFacts) condition.Answer {
			return set.OfSession(ctx, change, of, s)
		}
	}
	return r
}

// In returns the rule as it applies in a phase that names it.
func (r Rule) In(phase string) Rule {
	limited := *r.Rule
	limited.Phases, limited.Workflow = []string{phase}, ""
	r.Rule = &limited
	return r
}

// Modes returns the modes of rules, each once, in byte order.
func Modes(rules []Rule) []string {
	list := make([]*rule.Rule, len(rules))
	for i, r := range rules {
		list[i] = r.Rule
	}
	return setup.ModesOf(list)
}

// maxWindow is the longest window in seconds that a time.Duration can hold, some 285
// years.
const maxWindow = 9_000_000_000

// measureOf returns what a rule counts, as its mode declares.
func measureOf(r *rule.Rule, c policies.Counts) session.Measure {
	m := session.Measure{Of: session.Quantity(c.Of)}
	if r.Params[c.Denied] == true {
		m.Of = session.Denials
	}
	if text, ok := r.Params[c.Matching].(string); ok {
		m.Matching = regexp.MustCompile(text) // a rule with a malformed expression does not load
	}
	if n, ok := r.Params[c.Least].(int); ok {
		m.Least = int64(n)
	}
	if text, ok := r.Params[c.Until].(string); ok {
		m.Until = regexp.MustCompile(text)
	}
	if seconds, ok := r.Params[c.Within].(int); ok {
		m.Within = time.Duration(min(seconds, maxWindow)) * time.Second
	}
	switch parts := r.Params[c.Parts].(type) {
	case string:
		m.Parts = []string{parts}
	case []string:
		m.Parts = parts
	}
	return m
}

// Since returns the instant from which events count for the rule at an instant of a visit.
// It is the instant itself if none do, or only their times.
func (r Rule) Since(start, now time.Time) time.Time {
	switch {
	case !r.measure.Of.OfCalls():
		return now
	case r.measure.Within > 0 && now.Add(-r.measure.Within).After(start):
		return now.Add(-r.measure.Within)
	}
	return start
}

// Afterwards reports whether the rule can be checked only after a session.
func (r Rule) Afterwards() bool { return r.mode.Needs(policies.NeedHooks) }

// NeedsTimes reports whether the rule cannot be checked on a log that states no times. A rule that is
// limited to phases needs a log that records them, with their times.
func (r Rule) NeedsTimes() bool { return r.measure.NeedsTimes() || r.over() == policies.OverDay }

// over returns what the rule counts over; empty: a visit.
func (r Rule) over() string {
	if per, ok := r.Params[r.counts.Over].(string); ok {
		return per
	}
	return r.counts.Over
}

// Unmoved reports whether a call cannot have raised what the rule counts.
func (r Rule) Unmoved(c *session.ToolCall, root string) bool {
	return r.measure.Of.OfCalls() && !r.measure.Counts(c, root)
}

// limit returns the number that counts are compared with; 0 if the rule has none.
func (r Rule) limit() int64 {
	switch n := r.Params[r.counts.Limit].(type) {
	case int:
		return int64(n)
	case float64:
		if r.measure.Of != session.Cost {
			return int64(math.Round(n * 1_000_000))
		}
		usd, _ := money.Dollars(n)
		return int64(usd)
	}
	return 0
}

// pattern returns the expression that limits what is counted; empty if all is counted.
func (r Rule) pattern() string {
	if r.measure.Matching == nil {
		return ""
	}
	return r.measure.Matching.String()
}

// window returns the length of the window in seconds as the rule states it; 0 if it has
// none.
func (r Rule) window() int64 {
	n, _ := r.Params[r.counts.Within].(int)
	return int64(n)
}

// limits reports whether the rule is about sessions of this agent, branch and models; missing
// names what the log would have to contain to decide that.
func (r Rule) limits(s *session.Session) (yes bool, missing string) {
	agent, branch := []string{s.Agent}, []string{s.GitBranch}
	for _, limit := range []struct {
		wanted, found []string
		missing       string
	}{
		{r.Agents, agent, "the log does not say which agent it is of"},
		{r.Branches, branch, noBranch},
		{r.Models, modelsOf(s, len(r.Models)), "the log does not name the models"},
	} {
		found := slices.DeleteFunc(limit.found, func(name string) bool { return name == "" })
		switch {
		case len(limit.wanted) == 0:
		case len(found) == 0:
			missing = cmp.Or(missing, limit.missing)
		case !slices.ContainsFunc(found, func(name string) bool {
			return slices.ContainsFunc(limit.wanted, func(wanted string) bool {
				fits, _ := path.Match(wanted, name) // a malformed one does not load
				return fits
			})
		}):
			return false, ""
		}
	}
	return missing == "", missing
}

// modelsOf lists the models that answered in a session, if any are wanted.
func modelsOf(s *session.Session, wanted int) (models []string) {
	if wanted == 0 {
		return nil
	}
	for i := range s.Tokens {
		if name := s.Tokens[i].Model; !slices.Contains(models, name) {
			models = append(models, name)
		}
	}
	return models
}

// mayBeOf reports whether the rule is about a session, or may be.
func (r Rule) mayBeOf(s *session.Session) bool {
	yes, missing := r.limits(s)
	return yes || missing != ""
}

// appliesTo reports whether the rule applies to a visit of a session; missing names
// what the log would have to contain to decide that.
func (r Rule) appliesTo(s *session.Session, v session.Visit) (yes bool, missing string) {
	switch {
	case v.Phase != nil && v.Phase.Terminal:
		return false, ""
	case len(r.Phases) > 0 && (v.Phase == nil || !slices.Contains(r.Phases, v.Phase.Name)):
		return false, ""
	case r.Workflow != "" && v.Phase.Workflow != r.Workflow && (v.Phase.Source != "workflow" || v.Phase.Workflow != r.Run):
		return false, ""
	}
	return r.limits(s)
}
