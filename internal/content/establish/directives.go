package establish

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// directivesOf returns the directives of the files that the patterns of the rule match, without
// those that it excludes.
func (s *Sources) directivesOf(ctx context.Context, of Subject) ([]ifchange.File, error) {
	if of.Facts.Silenced() {
		return nil, nil
	}
	var changed []string
	for _, p := range of.Mode.Params {
		for _, match := range of.Facts.Matches[p.Name] {
			if match.Path == match.Change.Path {
				changed = append(changed, match.Path)
			}
		}
	}
	patterns := of.patterns()
	slices.Sort(changed)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.directives.Facts(ctx, ifchange.Scope{
		Changed: slices.Compact(changed),
		Covers: func(name string) bool {
			return of.covers(patterns, name)
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

// patterns returns the patterns of the parameters of the mode.
func (of Subject) patterns() []*pattern.Pattern {
	var patterns []*pattern.Pattern
	for _, p := range of.Mode.Params {
		patterns = append(patterns, of.Patterns[p.Name]...)
	}
	return patterns
}

// covers reports whether one of the patterns matches a file that the rule does not exclude.
func (of Subject) covers(patterns []*pattern.Pattern, name string) bool {
	return matchesAny(patterns, name) && !matchesAny(of.Patterns[rule.Exclude], name)
}

func matchesAny(patterns []*pattern.Pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool {
		_, matches := p.Match(name)
		return matches
	})
}
