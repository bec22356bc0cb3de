package ifchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Source answers questions about a repository; every [diff.Engine] does.
type Source interface {
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Files(ctx context.Context, head diff.Head) ([]string, error)
}

// Reader reads the directives of one changeset. It is for one goroutine.
type Reader struct {
	source Source
	set    diff.Changeset

	changed map[string]*version // by path at head, or at base of deleted files; nil: not read
	lines   tally
	files   []string            // at head, in byte order; nil: not read
	others  map[string]Document // of files that did not change
}

// version is a changed file on both sides.
type version struct {
	diff.Change

	now, before Document
	was         []*Block // by block of now, what it was
	differs     bool     // the content does, not the name or mode alone
	unread      bool     // it is text, and too long to be read
}

// NewReader returns a reader of the directives in a changeset.
func NewReader(source Source, set diff.Changeset) *Reader {
	return &Reader{source: source, set: set, others: map[string]Document{}}
}

// Facts returns the files with directives that concern a rule, in byte order: of the changed
// files of the rule all directives, of the other files that the rule covers the targets that
// the change removed. Other files are read only if it removed files or labels.
func (r *Reader) Facts(ctx context.Context, changed []string, covers func(name string) bool) ([]File, error) {
	if err := r.readChanged(ctx); err != nil {
		return nil, err
	}
	if err := r.readTargets(ctx, changed); err != nil {
		return nil, err
	}
	facts := []File{}
	for _, name := range changed {
		v := r.changed[name]
		if v != nil && v.unread {
			return nil, fmt.Errorf("%s has more than %d MiB, so its directives are not known; leave it out with the key \"exclude\"", name, diff.ContentLimit>>20)
		}
		if v == nil || v.Status == diff.Deleted || len(v.now.Blocks) == 0 && len(v.now.Problems) == 0 {
			continue
		}
		f := File{Path: name, Changed: true, Blocks: []BlockFact{}, Problems: append([]Problem{}, v.now.Problems...)}
		for i, b := range v.now.Blocks {
			fact := BlockFact{Line: b.Line, Label: b.Label, Changed: v.was[i] != nil && r.blockDiffers(v, i), Targets: []TargetFact{}}
			for _, t := range b.Targets {
				fact.Targets = append(fact.Targets, r.targetFact(t))
			}
			f.Blocks = append(f.Blocks, fact)
		}
		facts = append(facts, f)
	}
	stale, err := r.stale(ctx, covers)
	facts = append(facts, stale...)
	slices.SortFunc(facts, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return facts, err
}

// readChanged reads both sides of all changed files, once.
func (r *Reader) readChanged(ctx context.Context) error {
	if r.changed != nil {
		return nil
	}
	details, err := r.source.Details(ctx, r.set.Base, r.set.Head, r.set.Changes, []diff.Part{diff.PartContent, diff.PartSize})
	if err != nil {
		return err
	}
	unread, err := r.tooLong(ctx, details)
	if err != nil {
		return err
	}
	changed := make(map[string]*version, len(r.set.Changes))
	r.lines = tally{}
	for _, c := range r.set.Changes {
		v := &version{Change: c, unread: unread[c.Path], differs: c.Status != diff.Renamed || c.Similarity < 100}
		if d := details[c.Path]; d != nil && d.Content != nil && c.Kind == diff.File {
			now, before := d.Content.Head, d.Content.Base
			if now != nil && before != nil {
				v.differs = *now != *before
			}
			if now != nil {
				v.now = Parse(c.Path, *now)
				r.lines.add(*now, 1)
			}
			if before != nil {
				v.before = Parse(c.Names()[0], *before)
				r.lines.add(*before, -1)
			}
		}
		changed[c.Path] = v
	}
	r.changed = changed
	for _, v := range changed {
		v.was = pairUp(v.now.Blocks, v.before.Blocks)
		for i, b := range v.now.Blocks {
			if v.was[i] == nil && b.Label != "" {
				v.was[i] = r.movedBlock(b.Label)
			}
		}
	}
	return nil
}

// tooLong returns the changed text files that are too long to be read. Only of those git is
// asked whether they are text.
func (r *Reader) tooLong(ctx context.Context, details map[string]*diff.Detail) (map[string]bool, error) {
	var long []diff.Change
	for _, c := range r.set.Changes {
		if d := details[c.Path]; d != nil && d.Size != nil && *d.Size > diff.ContentLimit && c.Kind == diff.File {
			long = append(long, c)
		}
	}
	if len(long) == 0 {
		return nil, nil
	}
	kinds, err := r.source.Details(ctx, r.set.Base, r.set.Head, long, []diff.Part{diff.PartBinary})
	if err != nil {
		return nil, err
	}
	text := map[string]bool{}
	for path, d := range kinds {
		text[path] = d.Binary != nil && !*d.Binary
	}
	return text, nil
}

// movedBlock returns the only block with a label that the change took out of a file, or nil.
func (r *Reader) movedBlock(label string) *Block {
	var found *Block
	for _, v := range r.changed {
		if i := labelled(v.before, label); i >= 0 && labelled(v.now, label) < 0 {
			if found != nil {
				return nil
			}
			found = &v.before.Blocks[i]
		}
	}
	return found
}

// blockDiffers reports whether a block at head has other lines than at base.
func (r *Reader) blockDiffers(v *version, i int) bool {
	var before []string
	if v.was[i] != nil {
		before = v.was[i].text
	}
	return r.lines.differs(v.now.Blocks[i].text, before)
}

// labelled returns the index of the block with a label, or -1.
func labelled(d Document, label string) int {
	return slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Label == label })
}

// atHead returns the changed file at a path, or nil if the file did not change or is gone.
func (r *Reader) atHead(name string) *version {
	if v := r.changed[name]; v != nil && v.Status != diff.Deleted {
		return v
	}
	return nil
}

// readTargets reads what the targets in changed files are at head.
func (r *Reader) readTargets(ctx context.Context, changed []string) error {
	var unread []string
	unknown := false // a target is no changed file
	for _, name := range changed {
		v := r.atHead(name)
		if v == nil {
			continue
		}
		for _, b := range v.now.Blocks {
			for _, t := range b.Targets {
				if r.atHead(t.Path) != nil {
					continue
				}
				unknown = true
				if _, read := r.others[t.Path]; t.Label != "" && !read {
					unread = append(unread, t.Path)
				}
			}
		}
	}
	if !unknown {
		return nil
	}
	if err := r.listFiles(ctx); err != nil {
		return err
	}
	unread = slices.DeleteFunc(unread, func(name string) bool { return !r.isFile(name) })
	slices.Sort(unread)
	_, err := r.readOthers(ctx, slices.Compact(unread))
	return err
}

func (r *Reader) listFiles(ctx context.Context) (err error) {
	if r.files == nil {
		r.files, err = r.source.Files(ctx, r.set.Head)
	}
	return err
}

func (r *Reader) isFile(name string) bool {
	_, found := slices.BinarySearch(r.files, name)
	return found
}

// exists reports whether a path is a file at head, or with a slash at its end a directory.
func (r *Reader) exists(name string) bool {
	if r.atHead(name) != nil {
		return true
	}
	if !strings.HasSuffix(name, "/") {
		return r.isFile(name)
	}
	i, _ := slices.BinarySearch(r.files, name)
	return i < len(r.files) && strings.HasPrefix(r.files[i], name)
}

// readOthers reads files that did not change, and returns the names of those with directives.
func (r *Reader) readOthers(ctx context.Context, names []string) (with []string, err error) {
	contents, err := r.source.Contents(ctx, r.set.Head, names, diff.ContentLimit+1)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, ok := contents[name]
		if !ok || len(content) > diff.ContentLimit {
			continue
		}
		if d := Parse(name, string(content)); len(d.Blocks) > 0 {
			r.others[name] = d
			with = append(with, name)
		}
	}
	return with, nil
}

// targetFact returns what is known about a target.
func (r *Reader) targetFact(t Target) TargetFact {
	fact := TargetFact{Name: t.Path, Path: t.Path, Line: t.Line, Label: t.Label, Exists: r.exists(t.Path), Found: t.Label == "", At: 1}
	v := r.atHead(t.Path)
	switch {
	case t.Label != "":
		fact.Name += ":" + t.Label
		d := r.others[t.Path]
		if v != nil {
			d = v.now
		}
		if i := labelled(d, t.Label); i >= 0 {
			fact.Found, fact.At = true, d.Blocks[i].Line
			fact.Changed = v != nil && r.blockDiffers(v, i)
		}
	case strings.HasSuffix(t.Path, "/"):
		for name, below := range r.changed {
			fact.Changed = fact.Changed || below.differs && strings.HasPrefix(name, t.Path)
		}
	default:
		fact.Changed = v != nil && v.differs
	}
	return fact
}
