package phase

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// stay replies to a step after which the session is in the same phase because no
// transition applies: an agent must not mistake that for progress.
func (a *attempt) stay(s *store.Run) *Reply {
	r := &Reply{Position: positionOf(a.definition, s), Prompt: a.phase.Prompt, Artifacts: artifactsOf(s)}
	r.CurrentContent = contentOf(a.definition, a.phase)
	for _, t := range a.phase.Transitions {
		waits := fmt.Sprintf("%q: true", t.Claim)
		if t.When != nil {
			waits = t.When.Text
		}
		r.Missing = append(r.Missing, fmt.Sprintf("%s leads to %q", waits, t.To))
	}
	known := a.knownNames()
	for _, name := range slices.Sorted(maps.Keys(a.facts.evidence)) {
		_, boolean := a.facts.evidence[name].(bool)
		switch {
		case !slices.Contains(known, name) && !a.reads(name):
			r.UnknownClaims = append(r.UnknownClaims, name)
			r.addNotices(fmt.Sprintf("unknown claim %q%s", name, suggest.OneOf(name, known)))
		case !boolean && a.isClaim(name):
			r.addNotices(fmt.Sprintf("the claim %q is %s; want true or false", name, kindOf(a.facts.evidence[name])))
		}
	}
	return r
}

// isClaim reports whether a transition waits for a claim.
func (a *attempt) isClaim(name string) bool {
	return slices.ContainsFunc(a.phase.Transitions, func(t workflow.Transition) bool { return t.Claim == name })
}

// factName matches the claims and the evidence that a condition reads by name.
var factName = lazyregexp.New(`\b(?:claims|evidence)(?:\.([A-Za-z_][A-Za-z0-9_]*)|\["([^"]*)"\])`)

// wholeFact matches a condition that reads claims or evidence other than by name.
var wholeFact = lazyregexp.New(`\b(?:claims|evidence)\b(?:[^.\[]|\[[^"]|$)`)

// knownNames returns the names of claims and evidence that the phase reads, sorted.
func (a *attempt) knownNames() []string {
	var names []string
	for _, t := range a.phase.Transitions {
		if t.Claim != "" {
			names = append(names, t.Claim)
		}
	}
	for _, c := range a.readers() {
		for _, found := range factName().FindAllStringSubmatch(c.Text, -1) {
			names = append(names, found[1]+found[2])
		}
	}
	names = append(names, a.phase.Outputs...)
	if a.phase.Gate != nil {
		for _, q := range a.phase.Gate.Evidence {
			names = append(names, q.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// readers returns the conditions of transitions and exit conditions.
func (a *attempt) readers() []*rule.Condition {
	var conditions []*rule.Condition
	add := func(c *rule.Condition) {
		if c != nil {
			conditions = append(conditions, c)
		}
	}
	add(a.phase.ExitWhen)
	for _, e := range a.phase.ExitConditions {
		add(e.When)
	}
	for _, t := range a.phase.Transitions {
		add(t.When)
	}
	return conditions
}

// reads reports whether a transition or an exit condition uses a claim or another piece
// of evidence.
func (a *attempt) reads(name string) bool {
	return a.isClaim(name) || slices.ContainsFunc(a.readers(), func(c *rule.Condition) bool {
		return wholeFact().MatchString(c.Text) || slices.ContainsFunc(factName().FindAllStringSubmatch(c.Text, -1), func(found []string) bool {
			return found[1]+found[2] == name
		})
	})
}

// kindOf names the kind of a JSON value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return "a number"
	}
}

// requires reports whether the gate of the phase requires a piece of evidence.
func (a *attempt) requires(name string) bool {
	return a.phase.Gate != nil && slices.ContainsFunc(a.phase.Gate.Evidence, func(q gate.Requirement) bool { return q.Name == name })
}
