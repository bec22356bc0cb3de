package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// lenses answers in how many past commits a rule fired, above its first line, and how many files its
// patterns match, above each of its keys.
func (s *server) lenses(ctx context.Context, params json.RawMessage) (any, *fault) {
	list := []lens{}
	s.mutex.Lock()
	name, _, d, _, f := s.at(params)
	below, ok := s.ruleBelow(name)
	if f != nil || !ok || d.tooLong() {
		s.mutex.Unlock()
		return list, f
	}
	r, _ := rule.Parse(name, []byte(d.text), s.modes())
	found, dir := s.found, s.dir
	for _, c := range s.pastOf(name, d) {
		list = append(list, lens{Command: c})
	}
	files := found.files
	s.mutex.Unlock()
	if r == nil {
		return []lens{}, nil // its problems are published
	}
	if files == nil {
		var err error
		if files, err = s.list(ctx, dir); err != nil {
			return nil, &fault{internalError, err.Error()}
		}
		s.mutex.Lock()
		found.files = files
		s.mutex.Unlock()
	}
	for _, param := range slices.Sorted(maps.Keys(r.PatternAt)) {
		if len(r.PatternAt[param]) == 0 {
			continue
		}
		matched := 0
		for i, file := range files {
			if i&0xfff == 0 && ctx.Err() != nil {
				return list, nil //nolint:nilerr // the caller answers that the request was cancelled
			}
			inside, ok := strings.CutPrefix(file, below)
			if ok && slices.ContainsFunc(r.Patterns[param], func(p *pattern.Pattern) bool { _, ok := p.Match(inside); return ok }) {
				matched++
			}
		}
		at := position{Line: r.PatternAt[param][0].Line - 1}
		list = append(list, lens{span{at, at}, command{Title: param + ": matches " + report.Count(matched, "file")}})
	}
	slices.SortStableFunc(list, func(a, b lens) int { return cmp.Compare(a.Range.Start.Line, b.Range.Start.Line) })
	return list, nil
}

// list lists the files of the working tree.
func (s *server) list(ctx context.Context, dir string) ([]string, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	repo, err := s.Open(ctx, dir, nil)
	if err != nil {
		return nil, err
	}
	head, err := repo.Engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	return repo.Engine.Files(ctx, head)
}
