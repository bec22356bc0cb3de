package check

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Selection says which rules are judged. The zero value takes all that are enabled.
type Selection struct {
	Only []string // ids; empty: all
	Skip []string // ids
	Tags []string // rules with one of these; empty: all
	// SkipIfAny are ids that need not exist: they come from an environment that
	// may serve many repositories.
	SkipIfAny []string
}

// skip is a rule that is not judged, and who chose so.
type skip struct{ id, why string }

// SelectionError is a selection that names what does not exist.
type SelectionError struct{ message string }

func (e *SelectionError) Error() string { return e.message }

// choose sorts the rules into those to judge and those that are skipped.
func (s *setting) choose(sel Selection) error {
	if err := s.knows(sel); err != nil {
		return err
	}
	for _, r := range s.all {
		switch {
		case !r.Enabled:
			s.skipped = append(s.skipped, skip{r.ID, "enabled: false"})
		case slices.Contains(sel.Skip, r.ID):
			s.skipped = append(s.skipped, skip{r.ID, "--skip"})
		case slices.Contains(sel.SkipIfAny, r.ID):
			s.skipped = append(s.skipped, skip{r.ID, "RULECHECK_SKIP"})
		case len(sel.Only) > 0 && !slices.Contains(sel.Only, r.ID):
			s.skipped = append(s.skipped, skip{r.ID, "--only"})
		case len(sel.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(sel.Tags, t) }):
			s.skipped = append(s.skipped, skip{r.ID, "--tag"})
		default:
			s.chosen = append(s.chosen, r)
		}
	}
	return nil
}

// knows refuses ids and tags that no rule has: a slip must not leave a change
// unjudged. A rule that does not load may be named.
func (s *setting) knows(sel Selection) error {
	var ids, tags []string
	for _, r := range s.all {
		ids = append(ids, r.ID)
		tags = append(tags, r.Tags...)
	}
	ids = append(ids, s.broken...)
	if !s.config.Enabled {
		return nil
	}
	for _, group := range []struct {
		flag, noun   string
		given, known []string
	}{
		{"--only", "rule", sel.Only, ids},
		{"--skip", "rule", sel.Skip, ids},
		{"--tag", "tag", sel.Tags, tags},
	} {
		for _, name := range group.given {
			if !slices.Contains(group.known, name) {
				return &SelectionError{fmt.Sprintf("%s: unknown %s %q%s", group.flag, group.noun, name, suggest.OneOf(name, group.known))}
			}
		}
	}
	return nil
}
