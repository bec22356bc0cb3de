package correspondence

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// Limits of the files whose keys the rules of one changeset expect to exist.
const (
	maxExpected      = 10_000
	maxExpectedBytes = 64 << 20
	expectedAtOnce   = 100
)

// readExpected reads the files at head whose keys triggered rules ask the existence of. Rules
// that cannot be checked are added to failed.
func (m *Matched) readExpected(ctx context.Context, from Detailer, head diff.Head, files []string, asking []int, failed map[int]error) {
	wanted := map[string][]int{} // rules by path
	present := pattern.NewPaths(files)
	for _, i := range asking {
		if m.rules[i].AsksExistence() && failed[i] == nil {
			for path := range m.expectedFiles(i, files, present) {
				wanted[path] = append(wanted[path], i)
			}
		}
	}
	fail := func(path string, err error) {
		for _, i := range wanted[path] {
			if failed[i] == nil {
				failed[i] = err
			}
		}
	}
	m.documents = make(map[string]keys.Document, len(wanted))
	total := 0
	for paths := range slices.Chunk(slices.Sorted(maps.Keys(wanted)), expectedAtOnce) {
		contents, err := from.Contents(ctx, head, paths, diff.ContentLimit+1)
		for _, path := range paths {
			total += len(contents[path])
			switch text, ok := contents[path]; {
			case err != nil:
				fail(path, err)
			case len(m.documents) >= maxExpected || total > maxExpectedBytes:
				fail(path, fmt.Errorf("more than %d files or %d MiB are expected to have keys; want patterns that match fewer", maxExpected, maxExpectedBytes>>20))
			case ok:
				content, _ := diff.TextOf(path, text)
				d, err := parse(path, "head", content)
				if err != nil {
					fail(path, err)
				}
				d.Index()
				m.documents[path] = d
			}
		}
	}
}

// expectedFiles returns the files at head in which a rule that is triggered expects keys.
func (m *Matched) expectedFiles(i int, files []string, present *pattern.Paths) map[string]bool {
	f := &factBuilder{rule: m.rules[i], names: m.names, changes: m.changes, hits: m.hits[i]}
	f.markExcluded()
	mode := m.modes.Of(f.rule.Mode)
	params := slices.DeleteFunc(slices.Clone(mode.Params), func(p policies.Param) bool { return f.hits[p.Name] == nil })
	found := map[string]bool{}
	var triggers []trigger
	for _, p := range params {
		for _, each := range f.rule.Patterns[p.Name] {
			if !isExpected(p) || !each.HasKey() {
				continue
			}
			if triggers == nil {
				triggers = f.triggers(params)
			}
			for _, t := range triggers {
				bound := each.Bind(t.captures)
				if path, ok := bound.FilePath(); ok {
					found[path] = true
					continue
				}
				for at := range present.Match(bound) {
					found[files[at]] = true
				}
			}
		}
	}
	return found
}
