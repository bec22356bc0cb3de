package correspondence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Detailer gives details of changes and the files at head; every [diff.Engine] does.
type Detailer interface {
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
}

// Read returns the facts of each rule about c, the changeset that was matched, with the changed
// parts and the details of changes that they ask for. files lists every file at head; it may be
// nil. It returns errors by the index of rules, which could not be checked; see [Matched.Facts].
func (m *Matched) Read(ctx context.Context, from Source, c diff.Changeset, files func() ([]string, error), active func(int) bool) ([]Facts, map[int]error, error) {
	var present []string
	if files != nil && m.AsksFiles() {
		var err error
		if present, err = files(); err != nil {
			return nil, nil, err
		}
	}
	unknown := m.readIgnored(ctx, from, c, active)
	known := func(i int) bool { return active(i) && unknown[i] == nil }
	maps.Copy(unknown, m.ReadParts(ctx, from, c, present, known))
	facts := m.Facts(present, active)
	for i, err := range Detail(ctx, from, c, m.rules, m.modes, facts) {
		unknown[i] = errors.Join(unknown[i], err)
	}
	return facts, unknown, nil
}

// Detail adds to the facts of rules about c the details of changes that they ask for, of the
// changes that the rules see, with one query for all rules of a mode that ask for the same. It
// returns errors by the index of rules, which could not be checked.
func Detail(ctx context.Context, from Detailer, c diff.Changeset, rules []*rule.Rule, modes policies.Modes, facts []Facts) map[int]error {
	unknown := map[int]error{}
	asking := map[question][]int{}
	for i, r := range rules {
		if parts := partsOf(modes.Of(r.Mode).FactsOf(r.Params)); len(parts) > 0 {
			q := question{r.Mode, fmt.Sprint(parts)}
			asking[q] = append(asking[q], i)
		}
	}
	for _, q := range slices.SortedFunc(maps.Keys(asking), question.compare) {
		mode, asked := modes.Of(q.mode), asking[q]
		seen := map[string]diff.Change{}
		for _, i := range asked {
			facts[i].eachChange(mode, func(c *diff.Change) { seen[c.Path] = *c })
		}
		if len(seen) == 0 {
			continue
		}
		list := make([]diff.Change, 0, len(seen))
		for _, path := range slices.Sorted(maps.Keys(seen)) {
			list = append(list, seen[path])
		}
		details, err := from.Details(ctx, c.Base, c.Head, list, partsOf(mode.FactsOf(rules[asked[0]].Params)))
		for _, i := range asked {
			if err != nil {
				unknown[i] = err
				continue
			}
			facts[i].Changes = slices.Clone(facts[i].Changes) // all rules share them
			facts[i].eachChange(mode, func(c *diff.Change) {
				if c.Detail = details[c.Path]; c.Detail != nil && c.Unread != "" && !c.Expected && unknown[i] == nil {
					unknown[i] = fmt.Errorf("%s is %s, so its text is not known; exclude it", finding.Visible(c.Path), c.Unread.Words())
				}
			})
		}
	}
	return unknown
}

// question has the parts of a change that rules of one mode ask for.
type question struct{ mode, parts string }

func (q question) compare(other question) int {
	return cmp.Or(strings.Compare(q.mode, other.mode), strings.Compare(q.parts, other.parts))
}

// partsOf are those of some facts that are of changes.
func partsOf(facts []string) []diff.Part {
	var parts []diff.Part
	for _, fact := range facts {
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
