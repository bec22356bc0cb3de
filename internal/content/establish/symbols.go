package establish

import (
	"context"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// symbolsOf returns the symbols that changed in the files that concern the rule.
func (s *Sources) symbolsOf(ctx context.Context, of Subject) ([]symbol.Changed, error) {
	files, err := s.symbolsInFiles(ctx, of)
	all := []symbol.Changed{}
	for _, f := range files {
		all = append(all, symbol.Diff(f.path, f.base, f.head)...)
	}
	return all, err
}

// apiOf returns what changed of the exported symbols in the files that concern the rule.
func (s *Sources) apiOf(ctx context.Context, of Subject) (symbol.API, error) {
	files, err := s.symbolsInFiles(ctx, of)
	api := symbol.API{Added: []symbol.Changed{}, Removed: []symbol.Changed{}, Changed: []symbol.Changed{}}
	for _, f := range files {
		api.Add(symbol.Diff(f.path, symbol.Exported(f.base), symbol.Exported(f.head)))
	}
	return api, err
}

// symbols are those of a file on both sides of a change.
type symbols struct {
	path       string
	base, head []symbol.Symbol
}

// symbolsInFiles reads the symbols of the changed files that concern the rule, in byte order of
// their paths.
func (s *Sources) symbolsInFiles(ctx context.Context, of Subject) ([]symbols, error) {
	changes := of.changes()
	if len(changes) == 0 {
		return nil, nil
	}
	details, err := s.from.Details(ctx, s.set.Base, s.set.Head, changes, []diff.Part{diff.PartContent})
	if err != nil {
		return nil, err
	}
	failed := make([]error, len(changes))
	read := make([]symbols, len(changes))
	iter.ForEachIdx(changes, func(i int, c *diff.Change) {
		base, head, err := inside.Of(pattern.Symbols).Both(ctx, *c, details[c.Path])
		was, _ := base.(inside.Symbols)
		is, _ := head.(inside.Symbols)
		read[i], failed[i] = symbols{c.Path, was.All, is.All}, err
	})
	if at := slices.IndexFunc(failed, func(err error) bool { return err != nil }); at >= 0 {
		return nil, failed[at]
	}
	return read, nil
}

// changes returns the changes of the files that concern the rule, in byte order of their paths;
// none if the change matches its safety.
func (of Subject) changes() []diff.Change {
	if of.Facts.Silenced() {
		return nil
	}
	byPath := map[string]diff.Change{}
	var paths []string
	for _, matches := range of.Facts.Matches {
		for i := range matches {
			c := matches[i].Change
			if _, known := byPath[c.Path]; !known {
				paths = append(paths, c.Path)
			}
			byPath[c.Path] = c
		}
	}
	slices.Sort(paths)
	changes := make([]diff.Change, 0, len(paths))
	for _, path := range paths {
		changes = append(changes, byPath[path])
	}
	return changes
}
