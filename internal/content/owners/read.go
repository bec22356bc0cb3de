package owners

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Owned is a changed file that exists at head.
type Owned struct {
	Path      string   `json:"path"`
	Owners    []string `json:"owners"`
	File      string   `json:"file,omitempty"` // the CODEOWNERS file; empty: there is none
	Line      int      `json:"line,omitempty"` // of that file, which decides
	Directory string   `json:"directory"`      // the highest one above the file that is new; empty: none is
}

// Files reads the files at head; every [diff.Engine] does.
type Files interface {
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	Files(ctx context.Context, head diff.Head) ([]string, error)
}

// Reader finds the owners of the files of one changeset. It is for one goroutine.
type Reader struct {
	source Files
	set    diff.Changeset

	file *File // nil: not read
	name string
	dirs *directories // nil: not listed
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
		owned = append(owned, Owned{Path: path, Owners: append([]string{}, names...), File: r.name, Line: line, Directory: r.dirs.created(path)})
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
	r.file, r.dirs = &parsed, directoriesOf(r.set.Changes, files)
	return nil
}
