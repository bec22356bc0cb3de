package check

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxInside bounds the files of a change in which parts are looked up.
const maxInside = 300

// inside returns what the change since the first base alters in files, and which rules held.
func (r *run) inside(ctx context.Context, changes []*change) (*report.Inside, error) {
	of := &report.Inside{}
	for _, s := range r.selected.Skipped {
		if s.Disabled() {
			of.Resting = append(of.Resting, s.ID)
		}
	}
	for _, c := range changes {
		for _, v := range c.verdicts {
			if v.Applies() && len(v.Violations) == 0 && v.Facts.Triggered(r.project.Modes.Of(v.Rule.Mode)) {
				of.Held = append(of.Held, v.Rule.ID)
			}
		}
	}
	at := slices.IndexFunc(changes, func(c *change) bool { return c.missing == nil })
	if at < 0 {
		return of, nil
	}
	c := changes[at]
	sources := []inside.Source{inside.Of(pattern.API), inside.Of(pattern.Keys)}
	covered := make([][]diff.Change, len(sources))
	var list []diff.Change
	for i := range c.Changes {
		one := c.Changes[i]
		at := slices.IndexFunc(sources, func(s inside.Source) bool { return s.Covers(one.Path) })
		switch {
		case at < 0 || one.Kind != diff.File || isTest(one.Path):
		case len(list) == maxInside:
			of.Left++
		default:
			covered[at], list = append(covered[at], one), append(list, one)
		}
	}
	if len(list) == 0 {
		return of, nil
	}
	details, err := r.engine.Details(ctx, c.Base, c.Head, list, []diff.Part{diff.PartContent})
	if err != nil {
		return nil, err
	}
	for at, source := range sources {
		for i, both := range source.Both(ctx, covered[at], details) {
			file := report.InsideFile{Path: both.Path}
			switch {
			case both.Err != nil && at == 0 && sources[1].Covers(both.Path): // not all JSON and YAML describes an API
				covered[1] = append(covered[1], covered[0][i])
			case both.Err != nil:
				of.Unread++
			case source.Kind == pattern.API:
				base, head := both.Symbols()
				for _, s := range symbol.Diff(both.Path, both.Changed, base, head) {
					file.API = append(file.API, report.InsidePart{Name: s.Name, Status: s.Status, Before: s.Before, After: s.After})
				}
			default:
				file.Keys = innermost(both.Changed)
			}
			if len(file.API)+len(file.Keys) > 0 {
				of.Files = append(of.Files, file)
			}
		}
	}
	slices.SortFunc(of.Files, func(a, b report.InsideFile) int { return cmp.Compare(a.Path, b.Path) })
	return of, nil
}

// isTest reports whether a file is a test by its name: what it exports is no API.
func isTest(name string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return strings.ContainsRune("/._-", c) }) {
		if slices.Contains([]string{"test", "tests", "spec", "specs", "testdata", "fixtures"}, word) {
			return true
		}
	}
	return false
}

// innermost returns the keys that have no other one inside them. Each is listed before those inside it.
func innermost(list []part.Change) []report.InsidePart {
	var keys []report.InsidePart
	for i := range list {
		if i+1 == len(list) || !strings.HasPrefix(list[i+1].Name, list[i].Name+"/") {
			keys = append(keys, report.InsidePart{Name: list[i].Name, Status: list[i].Status})
		}
	}
	return keys
}
