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
		var err error
		if c.Changeset, err = r.bases.compare(ctx, id).changes(); errors.As(err, new(*diff.NoVerdictError)) {
			c.missing, err = err, nil
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, r.addStaged(ctx, changes)
}

// addStaged adds the names staged for the commit. A changeset that starts at HEAD holds
// them already.
func (r *run) addStaged(ctx context.Context, changes []*change) (err error) {
	if !r.Staged {
		return nil
	}
	var staged map[string]bool
	for _, c := range changes {
		switch {
		case c.missing != nil:
		case c.Base.Commit == r.head.Commit:
			c.staged = map[string]bool{}
			for i := range c.Changes {
				for _, name := range c.Changes[i].Names() {
					c.staged[name] = true
				}
			}
		case staged == nil:
			if staged, err = r.engine.Staged(ctx); err != nil {
				return err
			}
			c.staged = staged
		default:
			c.staged = staged
		}
	}
	return nil
}
