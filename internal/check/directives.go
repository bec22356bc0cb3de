package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Source answers questions about changes and the files at head; every diff.Engine does.
type Source interface {
	correspondence.Detailer
	ifchange.Repository
	commits.Messenger
}

// directives reads the directives of a changeset for the rules that ask for them.
type directives struct {
	*ifchange.Reader

	modes policies.Modes
}

// decide reports whether a rule cannot fire without directives.
func (d directives) decide(r *rule.Rule) bool {
	mode := d.modes.Of(r.Mode)
	return !mode.Project && slices.Contains(mode.Facts, policies.FactDirectives)
}

// read adds the directives to the facts of a rule. Only those of the files that the patterns
// of the rule match concern it, without those that it excludes.
func (d directives) read(ctx context.Context, v *Verdict) {
	mode := d.modes.Of(v.Rule.Mode)
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
	v.Directives, v.unread = d.Facts(ctx, ifchange.Scope{
		Changed: slices.Compact(changed),
		Covers: func(name string) bool {
			return matchesAny(patterns, name) && !matchesAny(v.Rule.Patterns["exclude"], name)
		},
		Below: directoriesOf(patterns),
	})
}

// directoriesOf returns the directories that hold all files that the patterns match; none: any
// directory may.
func directoriesOf(patterns []*pattern.Pattern) []string {
	var dirs []string
	for _, p := range patterns {
		prefix := p.Prefix()
		end := strings.LastIndexByte(prefix, '/')
		if end < 0 {
			return nil
		}
		dirs = append(dirs, prefix[:end])
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func matchesAny(patterns []*pattern.Pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool {
		_, matches := p.Match(name)
		return matches
	})
}

// noticesOf returns a notice for each file with directives in the form of other linters, which
// are read, and which one command rewrites.
func noticesOf(verdicts []Verdict) []string {
	var notices []string
	for i := range verdicts {
		for _, f := range verdicts[i].Directives {
			if len(f.Foreign) == 0 {
				continue
			}
			first := f.Foreign[0]
			notice := fmt.Sprintf("%s:%d: %q is the form of another linter; want %q; run rulecheck rules migrate ifttt", f.Path, first.Line, first.Text, first.Want)
			if !slices.Contains(notices, notice) {
				notices = append(notices, notice)
			}
		}
	}
	return notices
}
