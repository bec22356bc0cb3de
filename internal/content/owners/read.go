package owners

import (
	"context"
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Owned is a changed file that exists at head.
type Owned struct {
	Path      string   `json:"path"`
	Owners    []string `json:"owners"`
	File      string   `json:"file,omitempty"` // the CODEOWNERS file; empty: there is none
	Line      int      `json:"line,omitempty"` // of that file, which decides
	Directory string   `json:"directory"`      // the highest one above the file that is new; empty: none is

	OldPath   string   `json:"old_path,omitempty"`   // of a renamed file
	OldOwners []string `json:"old_owners,omitempty"` // of the renamed file at the base
}

// Files reads the files at head; every [diff.Engine] does.
type Files interface {
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Files(ctx context.Context, head diff.Head) ([]string, error)
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
}

// Reader finds the owners of the files of one changeset. It is for one goroutine.
type Reader struct {
	source Files
	set    diff.Changeset

	file    *File // nil: not read
	name    string
	before  *File             // at the base
	dirs    *directories      // nil: not listed
	renamed map[string]string // old names of renamed files
}

// NewReader returns a reader of the owners of files in a changeset.
func NewReader(source Files, set diff.Changeset) *Reader { return &Reader{source: source, set: set} }

// Of returns the owners of those of the paths that exist at head, in their order.
func (r *Reader) Of(ctx context.Context, paths []string) ([]Owned, error) {
	owned := []Owned{}
	if len(paths) == 0 {
		return owned, nil
	}
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if !r.dirs.has(path) {
			continue
		}
		names, line := r.file.Owners(path)
		o := Owned{Path: path, Owners: append([]string{}, names...), File: r.name, Line: line, Directory: r.dirs.created(path)}
		if o.OldPath = r.renamed[path]; o.OldPath != "" {
			o.OldOwners, _ = r.before.Owners(o.OldPath)
		}
		owned = append(owned, o)
	}
	return owned, nil
}

// read reads CODEOWNERS and lists the files at head, once.
func (r *Reader) read(ctx context.Context) error {
	if r.file != nil {
		return nil
	}
	contents, err := r.source.Contents(ctx, r.set.Head, Places(), diff.ContentLimit+1)
	if err != nil {
		return err
	}
	files, err := r.source.Files(ctx, r.set.Head)
	if err != nil {
		return err
	}
	text := ""
	for _, place := range Places() {
		content, ok := contents[place]
		if !ok {
			continue
		}
		if len(content) > diff.ContentLimit {
			return fmt.Errorf("%s is larger than %d MiB, so its owners are not known", place, diff.ContentLimit>>20)
		}
		r.name, text = place, string(content)
		break
	}
	parsed := Parse(text)
	if r.before, err = r.atBase(ctx, contents); err != nil {
		return err
	}
	r.file, r.dirs, r.renamed = &parsed, directoriesOf(r.set.Changes, files), map[string]string{}
	for i := range r.set.Changes {
		if c := &r.set.Changes[i]; c.Status == diff.Renamed {
			r.renamed[c.Path] = c.OldPath
		}
	}
	return nil
}

// atBase returns CODEOWNERS as it was at the base: a file that did not change is as at head.
func (r *Reader) atBase(ctx context.Context, atHead map[string][]byte) (*File, error) {
	texts := map[string]string{}
	for _, place := range Places() {
		if content, ok := atHead[place]; ok {
			texts[place] = string(content)
		}
	}
	var list []diff.Change
	for i := range r.set.Changes {
		if slices.ContainsFunc(r.set.Changes[i].Names(), func(name string) bool { return slices.Contains(Places(), name) }) {
			list = append(list, r.set.Changes[i])
			for _, name := range r.set.Changes[i].Names() {
				delete(texts, name)
			}
		}
	}
	if len(list) > 0 {
		details, err := r.source.Details(ctx, r.set.Base, r.set.Head, list, []diff.Part{diff.PartContent})
		if err != nil {
			return nil, err
		}
		for i := range list {
			if d := details[list[i].Path]; d != nil && d.Content != nil && d.Content.Base != nil {
				texts[list[i].Names()[0]] = *d.Content.Base
			}
		}
	}
	for _, place := range Places() {
		if text, ok := texts[place]; ok {
			parsed := Parse(text)
			return &parsed, nil
		}
	}
	return &File{}, nil
}
