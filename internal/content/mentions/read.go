package mentions

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Repository reads changed lines and files at head; every [diff.Engine] does.
type Repository interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(path string, content []byte)) error
	Files(ctx context.Context, head diff.Head) ([]string, error)
}

// The bound of what is read.
const longest = 16 << 20 // bytes of a file; those above diff.ContentLimit are read one at a time

// Reader finds the mentions of what one changeset removed. It is for one goroutine.
type Reader struct {
	source Repository
	set    diff.Changeset

	changed map[string]bool      // by path
	finder  *finder              // nil: head is not listed
	found   map[string][]Mention // by file; those that were read
}

// NewReader returns a reader of the mentions of what a changeset removed.
func NewReader(source Repository, set diff.Changeset) *Reader {
	r := &Reader{source: source, set: set, changed: map[string]bool{}, found: map[string][]Mention{}}
	for i := range set.Changes {
		r.changed[set.Changes[i].Path] = true
	}
	return r
}

// Scope limits mentions to the files of a rule.
type Scope struct {
	Covers func(name string) bool // the file may name what is gone
	Named  func(name string) bool // the rule names the file in full
}

// Of returns the mentions in the files of a rule, in the order of files and lines. Nothing is
// read if the change removes no name.
func (r *Reader) Of(ctx context.Context, about Scope) ([]Mention, error) {
	list := []Mention{}
	if err := r.list(ctx); err != nil || len(r.finder.gone) == 0 {
		return list, err
	}
	var names []string
	for _, name := range r.finder.head {
		if about.Covers(name) && (!never(name) || about.Named(name)) {
			names = append(names, name)
		}
	}
	if err := r.read(ctx, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		list = append(list, r.found[name]...)
	}
	return list, nil
}

// list lists what is gone, once.
func (r *Reader) list(ctx context.Context) error {
	if r.finder != nil {
		return nil
	}
	removed := removals(r.set.Changes)
	if len(removed) == 0 {
		r.finder = newFinder(nil, nil)
		return nil
	}
	files, err := r.source.Files(ctx, r.set.Head)
	if err != nil {
		return err
	}
	r.finder = newFinder(goneOf(removed, files), files)
	return nil
}

// read finds the mentions in files, of those that were not read yet.
func (r *Reader) read(ctx context.Context, names []string) error {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, read := r.found[name]; return read })
	if len(names) == 0 {
		return nil
	}
	var mutex sync.Mutex
	var long []string
	hits := map[string][]hit{}
	err := r.source.EachContent(ctx, r.set.Head, r.finder.sought(names), diff.ContentLimit+1, func(name string, content []byte) {
		var found []hit
		tooLong := len(content) > diff.ContentLimit && r.isText(name, content)
		if !tooLong {
			found = r.finder.find(name, content)
		}
		if mutex.Lock(); tooLong {
			long = append(long, name)
		} else if len(found) > 0 {
			hits[name] = found
		}
		mutex.Unlock()
	})
	if err != nil {
		return err
	}
	slices.Sort(long)
	for _, name := range long {
		content, err := r.readLong(ctx, name)
		if err != nil {
			return err
		}
		hits[name] = r.finder.find(name, content)
	}
	mentions, err := r.mentionsOf(ctx, hits)
	if err != nil {
		return err
	}
	for _, name := range names {
		r.found[name] = mentions[name] // also of none: it is read
	}
	return nil
}

// readLong reads a file that is too long to be read with others.
func (r *Reader) readLong(ctx context.Context, name string) ([]byte, error) {
	contents, err := r.source.Contents(ctx, r.set.Head, []string{name}, longest+1)
	if err != nil {
		return nil, err
	}
	if content := contents[name]; len(content) <= longest || !r.isText(name, content) {
		return content, nil
	}
	return nil, fmt.Errorf("%s has more than %d MiB, so whether it names what the change removed is not known; leave it out with the key \"exclude\"",
		finding.Visible(name), longest>>20)
}

// isText reports whether a long file is read to its end: text is, and what the change could have
// given a NUL.
func (r *Reader) isText(name string, content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 || r.changed[name] && !charset.IsFormat(name, content)
}

// mentionsOf returns the mentions at hits, by file.
func (r *Reader) mentionsOf(ctx context.Context, hits map[string][]hit) (map[string][]Mention, error) {
	added, err := r.addedLines(ctx, hits)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, list := range hits {
		for _, h := range list {
			names[h.name] = true
		}
	}
	var ignored *ignores
	if len(names) > 0 {
		if ignored, err = r.readIgnores(ctx, slices.Sorted(maps.Keys(names))); err != nil {
			return nil, err
		}
	}
	found := make(map[string][]Mention, len(hits))
	for file, list := range hits {
		for _, h := range list {
			found[file] = append(found[file], Mention{
				Path: file, Line: h.line, Name: h.Name(), RenamedTo: h.renamedTo, Directory: h.highest, Removed: h.removed,
				New: added[file][h.line], Ignored: ignored.match(h.Name()),
			})
		}
	}
	return found, nil
}

// addedLines returns, of the changed files with hits, the lines that the change adds.
func (r *Reader) addedLines(ctx context.Context, hits map[string][]hit) (map[string]map[int]bool, error) {
	var changed []diff.Change
	for i := range r.set.Changes {
		if c := r.set.Changes[i]; len(hits[c.Path]) > 0 && c.Status != diff.Deleted {
			changed = append(changed, c)
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	details, err := r.source.Details(ctx, r.set.Base, r.set.Head, changed, []diff.Part{diff.PartAddedLines})
	if err != nil {
		return nil, err
	}
	added := map[string]map[int]bool{}
	for file, d := range details {
		added[file] = map[int]bool{}
		for _, l := range d.AddedLines {
			added[file][l.Line] = true
		}
	}
	return added, nil
}
