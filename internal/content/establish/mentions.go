package establish

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/mentions"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// mentionsOf returns the mentions of what the change removed, in the files that the patterns of
// the rule match. Files that it excludes neither have mentions nor are missed.
func (s *Sources) mentionsOf(ctx context.Context, of Subject) ([]mentions.Mention, error) {
	if of.Facts.Silenced() {
		return nil, nil
	}
	patterns := of.patterns()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, err := s.mentions.Of(ctx, mentions.Scope{
		Covers: func(name string) bool { return of.covers(patterns, name) },
		Named: func(name string) bool {
			return slices.ContainsFunc(patterns, func(p *pattern.Pattern) bool { path, ok := p.FilePath(); return ok && path == name })
		},
	})
	return slices.DeleteFunc(found, func(m mentions.Mention) bool { return matchesAny(of.Patterns[rule.Exclude], m.Removed) }), err
}
