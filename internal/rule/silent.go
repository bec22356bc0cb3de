package rule

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// checkSilent reports keys that certainly keep a rule from ever firing: they match every file
// that could trigger it.
func checkSilent(mode policies.Mode, values Values, l *yaml.Log) {
	triggers := triggersOf(mode, values)
	if !mode.Change() || mode.Always() || len(triggers) == 0 {
		return
	}
	for _, key := range []string{Safety, Exclude} {
		v := values[key]
		covering := func(p *pattern.Pattern) int {
			return slices.IndexFunc(v.patterns, func(by *pattern.Pattern) bool { return by.Covers(p) })
		}
		if !slices.ContainsFunc(triggers, func(p *pattern.Pattern) bool { return covering(p) < 0 }) {
			l.Add(v.scalars[covering(triggers[0])].At, CodeBadValue, "%q matches every file that %s matches, so the rule could never fire; want fewer files",
				key, yaml.Quote(triggers[0].String()))
		}
	}
}

// triggersOf returns the patterns of the files that trigger a rule.
func triggersOf(mode policies.Mode, values Values) []*pattern.Pattern {
	var triggers []*pattern.Pattern
	for _, p := range mode.Params {
		if p.Captures == "" || p.Captures == policies.CapturesSame {
			triggers = append(triggers, values[p.Name].patterns...)
		}
	}
	return triggers
}
