package correspondence

import (
	"context"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Detailer gives details of changes; every [diff.Engine] does.
type Detailer interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
}

// Detail adds to the facts of rules about c the details of changes that their modes ask
// for, of the changes that the rules see, with one query for all rules of a mode. It
// returns errors by mode; rules of those modes could not be checked.
func Detail(ctx context.Context, from Detailer, c diff.Changeset, rules []*rule.Rule, modes map[string]policies.Mode, facts []Facts) map[string]error {
	unknown := map[string]error{}
	asking := map[string][]*Facts{}
	for i, r := range rules {
		if len(partsOf(modes[r.Mode])) > 0 {
			asking[r.Mode] = append(asking[r.Mode], &facts[i])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asking)) {
		seen := map[string]diff.Change{}
		for _, f := range asking[name] {
			f.eachChange(modes[name], func(c *diff.Change) { seen[c.Path] = *c })
		}
		if len(seen) == 0 {
			continue
		}
		list := make([]diff.Change, 0, len(seen))
		for _, path := range slices.Sorted(maps.Keys(seen)) {
			list = append(list, seen[path])
		}
		details, err := from.Details(ctx, c.Base, c.Head, list, partsOf(modes[name]))
		if err != nil {
			unknown[name] = err
			continue
		}
		for _, f := range asking[name] {
			f.Changes = slices.Clone(f.Changes) // all rules share them
			f.eachChange(modes[name], func(c *diff.Change) { c.Detail = details[c.Path] })
		}
	}
	return unknown
}

// partsOf are the facts of changes that a mode asks for.
func partsOf(mode policies.Mode) []diff.Part {
	var parts []diff.Part
	for _, fact := range mode.Facts {
		if slices.Contains(policies.ChangeFacts(), fact) {
			parts = append(parts, diff.Part(fact))
		}
	}
	return parts
}

// eachChange visits every change that a rule of the mode sees.
func (f *Facts) eachChange(mode policies.Mode, visit func(*diff.Change)) {
	for _, matches := range f.Matches {
		for i := range matches {
			visit(&matches[i].Change)
		}
	}
	if slices.Contains(mode.Facts, policies.FactChanges) {
		for i := range f.Changes {
			visit(&f.Changes[i])
		}
	}
}
