package check

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// change is the changeset since one base, with the rules that compare to that base.
type change struct {
	diff.Changeset

	base     string // id
	missing  error  // why there is no such base; nil: there is
	rules    []*rule.Rule
	verdicts []Verdict
	staged   map[string]bool // names that the commit being made changes; nil unless the index is checked

	asked map[string]bool // files whose lines were asked for ahead
	ahead func() (map[string][]diff.Lines, error)
}

// modified returns the changes of files of the list that are not new: the first line of a new file
// is changed.
func (c *change) modified(files map[string]bool) []diff.Change {
	var changes []diff.Change
	for _, of := range c.Changes {
		if files[of.Path] && of.Status != diff.Added {
			changes = append(changes, of)
		}
	}
	return changes
}

// changes compares head with every base that a selected rule needs, in the order of the
// bases' ids.
func (r *run) changes(ctx context.Context) ([]*change, error) {
	rules := map[string][]*rule.Rule{}
	if r.overridesBase() || slices.ContainsFunc(r.selected.Rules, r.aboutSessions) {
		rules[r.baseID(diff.MergeBase)] = nil // reported, and searched for waivers of findings in sessions
	}
	for _, of := range r.selected.Rules {
		if !r.aboutSessions(of) {
			id := r.baseID(of.CompareTo)
			rules[id] = append(rules[id], of)
		}
	}
	ids := slices.Sorted(maps.Keys(rules))
	for _, id := range ids {
		r.bases.compare(ctx, id)
	}
	var changes []*change
	for _, id := range ids {
		c := &change{base: id, rules: rules[id]}
		compared := r.bases.compare(ctx, id)
		changes = append(changes, c)
		var err error
		if c.Changeset, err = compared.changes(); errors.As(err, new(*diff.NoVerdictError)) {
			c.missing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		if c.staged, err = compared.staged(); err != nil {
			return nil, err
		}
	}
	return changes, nil
}
