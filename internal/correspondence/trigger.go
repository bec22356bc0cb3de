package correspondence

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// trigger is a changed file that makes the rule expect the other files of its correspondence.
type trigger struct {
	param    *policies.Param
	at       int // index of the pattern that matches it, in param
	name     int
	captures pattern.Captures
	key      string // of captures
	changed  *part.Change
	excluded bool // it belongs to its pattern, and triggers nothing
}

// triggers returns the changed files that trigger the rule. A file that several patterns
// match belongs to the most literal pattern, or to the first of equals. It triggers nothing
// if that pattern is of a parameter whose files are only expected.
func (f *factBuilder) triggers(params []policies.Param) []trigger {
	var candidates []trigger
	for i := range params {
		for at, hits := range f.hits[params[i].Name] {
			for _, h := range hits {
				candidates = append(candidates, trigger{param: &params[i], at: at, name: h.name, captures: h.captures, changed: h.part, excluded: f.excludes(h)})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b trigger) int { return cmp.Or(a.name-b.name, compareNames(a.changed, b.changed)) })
	triggers := make([]trigger, 0, len(candidates))
	sameFile := func(a, b trigger) bool { return a.name == b.name && compareNames(a.changed, b.changed) == 0 }
	for ofFile := range runs(candidates, sameFile) {
		if t := f.mostLiteral(ofFile); canTrigger(*t.param) && !t.excluded {
			triggers = append(triggers, t)
		}
	}
	return triggers
}

// mostLiteral returns the candidate whose pattern has the most literal bytes, or the first of
// equals. All candidates are of one file.
func (f *factBuilder) mostLiteral(candidates []trigger) trigger {
	if len(candidates) == 1 {
		return candidates[0]
	}
	literalBytes := func(t trigger) int {
		p := f.patternOf(t)
		bytes := p.LiteralBytes(f.names[t.name].path)
		if t.changed != nil {
			bytes += p.PartLiteralBytes(t.changed.Name)
		}
		return bytes
	}
	best := candidates[0]
	most := literalBytes(best)
	for _, c := range candidates[1:] {
		if n := literalBytes(c); n > most {
			best, most = c, n
		}
	}
	return best
}

// patternOf returns the pattern that matches a trigger.
func (f *factBuilder) patternOf(t trigger) *pattern.Pattern {
	return f.rule.Patterns[t.param.Name][t.at]
}

// canTrigger reports whether files that p matches trigger the rule: all do but those of a
// parameter whose captures another parameter binds.
func canTrigger(p policies.Param) bool {
	return p.Captures == "" || p.Captures == policies.CapturesSame
}

// isExpected reports whether the rule expects files that p matches.
func isExpected(p policies.Param) bool { return p.Captures != "" }

// Covers returns whether a rule is about a file, changed or not: a pattern whose files trigger
// it matches the name, and none of "exclude" does.
func Covers(r *rule.Rule, mode policies.Mode) func(name string) bool {
	var patterns []*pattern.Pattern
	for _, p := range mode.Params {
		if canTrigger(p) {
			patterns = append(patterns, r.Patterns[p.Name]...)
		}
	}
	matches := func(patterns []*pattern.Pattern, name string) bool {
		return slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool { _, ok := p.Match(name); return ok })
	}
	return func(name string) bool { return matches(patterns, name) && !matches(r.Patterns[rule.Exclude], name) }
}
