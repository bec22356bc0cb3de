package establish

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// symbolsOf returns the symbols that changed in the files that concern the rule.
func (s *Sources) symbolsOf(ctx context.Context, of Subject) ([]symbol.Changed, error) {
	files, err := s.symbolsInFiles(ctx, of.changes(), pattern.Symbols)
	all := []symbol.Changed{}
	for i := range files {
		base, head := files[i].Symbols()
		all = append(all, symbol.Diff(files[i].Path, files[i].Changed, base, head)...)
	}
	return all, err
}

// apiOf returns what changed of the exported symbols in the files that concern the rule.
func (s *Sources) apiOf(ctx context.Context, of Subject) (symbol.API, error) {
	return s.apiIn(ctx, of.changes())
}

// API returns what changed of the exported symbols in the changed files with a name that a pattern matches.
func (s *Sources) API(ctx context.Context, p *pattern.Pattern) (symbol.API, error) {
	return s.apiIn(ctx, slices.DeleteFunc(slices.Clone(s.set.Changes), func(c diff.Change) bool {
		return !slices.ContainsFunc(c.Names(), func(name string) bool { _, ok := p.Match(name); return ok })
	}))
}

func (s *Sources) apiIn(ctx context.Context, changes []diff.Change) (symbol.API, error) {
	files, err := s.symbolsInFiles(ctx, changes, pattern.API)
	api := symbol.API{Added: []symbol.Changed{}, Removed: []symbol.Changed{}, Changed: []symbol.Changed{}}
	for i := range files {
		base, head := files[i].Symbols()
		api.Add(symbol.Diff(files[i].Path, files[i].Changed, base, head))
	}
	return api, err
}

// symbolsInFiles reads the symbols of changed files, in their order: all, or the exported ones.
func (s *Sources) symbolsInFiles(ctx context.Context, changes []diff.Change, kind pattern.Kind) ([]inside.Both, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.readSymbols(ctx, changes, kind); err != nil {
		return nil, err
	}
	files := make([]inside.Both, 0, len(changes))
	for i := range changes {
		file := s.symbols[symbolsIn{kind, changes[i].Path}]
		if file.Err != nil {
			return nil, file.Err
		}
		files = append(files, file)
	}
	return inside.Of(kind).Joined(files), nil
}

// symbolsIn names the symbols of one kind in a changed file.
type symbolsIn struct {
	kind pattern.Kind
	path string
}

// readSymbols reads the files that no rule asked for before, several at a time.
func (s *Sources) readSymbols(ctx context.Context, changes []diff.Change, kind pattern.Kind) error {
	unread := slices.DeleteFunc(slices.Clone(changes), func(c diff.Change) bool {
		_, known := s.symbols[symbolsIn{kind, c.Path}]
		return known
	})
	if len(unread) == 0 {
		return nil
	}
	inside.Of(kind).Open(unread)
	details, err := s.from.Details(ctx, s.set.Base, s.set.Head, unread, []diff.Part{diff.PartContent})
	if err != nil {
		return err
	}
	for _, file := range inside.Of(kind).Both(ctx, unread, details) {
		s.symbols[symbolsIn{kind, file.Path}] = file
	}
	return nil
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
