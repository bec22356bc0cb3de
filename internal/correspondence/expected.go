package correspondence

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// Limits of the files whose parts the rules of one changeset expect to exist.
const (
	maxExpected      = 10_000
	maxExpectedBytes = 64 << 20
	expectedAtOnce   = 100
)

// readExpected reads the files at head whose parts triggered rules ask the existence of. Rules
// that cannot be checked are added to failed.
func (m *Matched) readExpected(ctx context.Context, from Detailer, head diff.Head, files []string, asking []int, failed map[int]error) {
	wanted := map[inFile][]int{} // rules
	present := pattern.NewPaths(files)
	for _, i := range asking {
		if m.rules[i].AsksExistence() && failed[i] == nil {
			for at := range m.expectedFiles(i, files, present) {
				wanted[at] = append(wanted[at], i)
			}
		}
	}
	fail := func(at inFile, err error) {
		for _, i := range wanted[at] {
			if failed[i] == nil {
				failed[i] = err
			}
		}
	}
	m.documents = make(map[inFile]inside.Document, len(wanted))
	total := 0
	for chunk := range slices.Chunk(slices.SortedFunc(maps.Keys(wanted), inFile.compare), expectedAtOnce) {
		contents, err := from.Contents(ctx, head, pathsIn(chunk), diff.ContentLimit+1)
		for _, at := range chunk {
			total += len(contents[at.path])
			switch text, ok := contents[at.path]; {
			case err != nil:
				fail(at, err)
			case len(m.documents) >= maxExpected || total > maxExpectedBytes:
				fail(at, fmt.Errorf("more than %d files or %d MiB are expected to have keys, symbols or sections; want patterns that match fewer", maxExpected, maxExpectedBytes>>20))
			case ok:
				content, _ := diff.TextOf(at.path, text)
				d, err := readPart(ctx, at, content)
				if err != nil {
					fail(at, err)
				}
				m.documents[at] = d
			}
		}
	}
}

// inFile names the parts of one kind in a file.
type inFile struct {
	kind pattern.Kind
	path string
}

func (f inFile) compare(other inFile) int {
	return cmp.Or(strings.Compare(f.path, other.path), strings.Compare(string(f.kind), string(other.kind)))
}

func pathsIn(files []inFile) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
	}
	return slices.Compact(paths)
}

// readPart reads the parts of a file at head. A file of another kind has none.
func readPart(ctx context.Context, at inFile, content *string) (inside.Document, error) {
	return inside.Of(at.kind).Read(ctx, at.path, "head", content)
}

// expectedFiles returns the files at head in which a rule that is triggered expects parts.
func (m *Matched) expectedFiles(i int, files []string, present *pattern.Paths) map[inFile]bool {
	f := &factBuilder{rule: m.rules[i], names: m.names, changes: m.changes, hits: m.hits[i]}
	f.markExcluded()
	mode := m.modes.Of(f.rule.Mode)
	params := slices.DeleteFunc(slices.Clone(mode.Params), func(p policies.Param) bool { return f.hits[p.Name] == nil })
	found := map[inFile]bool{}
	var triggers []trigger
	for _, p := range params {
		for _, each := range f.rule.Patterns[p.Name] {
			if !isExpected(p) || !each.HasPart() {
				continue
			}
			if triggers == nil {
				triggers = f.triggers(params)
			}
			for _, t := range triggers {
				bound := each.Bind(t.captures)
				if path, ok := bound.FilePath(); ok {
					found[inFile{each.PartKind(), path}] = true
					continue
				}
				for at := range present.Match(bound) {
					found[inFile{each.PartKind(), files[at]}] = true
				}
			}
		}
	}
	return found
}
