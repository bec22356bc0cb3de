package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Source answers questions about changes and the files at head; every diff.Engine does.
type Source interface {
	correspondence.Detailer
	ifchange.Source
}

// directives reads the directives of a changeset for the rules that ask for them.
type directives struct {
	*ifchange.Reader

	modes map[string]policies.Mode
}

// decide reports whether a rule cannot fire without directives.
func (d directives) decide(r *rule.Rule) bool {
	mode := d.modes[r.Mode]
	return !mode.Project && slices.Contains(mode.Facts, policies.FactDirectives)
}

// read adds the directives to the facts of a rule. Only those of the files that the patterns
// of the rule match concern it, without those that it excludes.
func (d directives) read(ctx context.Context, v *Verdict) {
	mode := d.modes[v.Rule.Mode]
	if !slices.Contains(mode.Facts, policies.FactDirectives) || len(v.Facts.Matches["safety"]) > 0 {
		return
	}
	var changed []string
	var patterns []*pattern.Pattern
	for _, p := range mode.Params {
		for _, match := range v.Facts.Matches[p.Name] {
			if match.Path == match.Change.Path {
				changed = append(changed, match.Path)
			}
		}
		patterns = append(patterns, v.Rule.Patterns[p.Name]...)
	}
	slices.Sort(changed)
	v.Directives, v.unread = d.Facts(ctx, slices.Compact(changed), func(name string) bool {
		return matchesAny(patterns, name) && !matchesAny(v.Rule.Patterns["exclude"], name)
	})
}

func matchesAny(patterns []*pattern.Pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool {
		_, matches := p.Match(name)
		return matches
	})
}
