package inside

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// Both is a changed file at base and at head; of a renamed file, what was under its old name. Nil
// is a file that does not exist, or whose name is not one that the source covers.
type Both struct {
	OldPath, Path string
	Base, Head    Document
	Changed       []part.Change // the parts that differ, each before those inside it
	Err           error         // why they are not known
}

// Open begins to load what reading changed files takes, for example while git reads them.
func (s Source) Open(changes []diff.Change) {
	for i := range changes {
		if s.open != nil {
			s.open(changes[i].Path)
		}
	}
}

// Both reads and compares changed files, several at a time.
func (s Source) Both(ctx context.Context, changes []diff.Change, details map[string]*diff.Detail) []Both {
	return iter.Map(changes, func(c *diff.Change) Both {
		b := Both{OldPath: c.Names()[0], Path: c.Path}
		if b.Err = s.fill(ctx, &b, *c, details[c.Path]); b.Err == nil {
			s.compare(&b)
		}
		return b
	})
}

// Joined returns the files that concern one rule, in which parts that moved from one of them to
// another are compared with themselves.
func (s Source) Joined(files []Both) []Both {
	if s.join == nil || len(files) < 2 {
		return files
	}
	files = slices.Clone(files)
	s.join(files)
	return files
}

func (s Source) compare(b *Both) {
	if b.Changed, b.Err = s.changed(b.Base, b.Head); b.Err != nil {
		b.Err = fmt.Errorf("%s: %w", finding.Visible(b.Path), b.Err)
	}
}

// fill reads both sides of a file.
func (s Source) fill(ctx context.Context, b *Both, c diff.Change, d *diff.Detail) (err error) {
	if c.Kind != diff.File {
		return fmt.Errorf("%s: is a %s; want a file with %s, or exclude it", finding.Visible(c.Path), c.Kind, s.What)
	}
	if d == nil || d.Content == nil {
		return fmt.Errorf("%s: its content is not known", finding.Visible(c.Path))
	}
	before, after := s.Covers(b.OldPath), s.Covers(b.Path)
	if !before && !after {
		return s.unknown(c.Path)
	}
	if before && c.Status != diff.Added {
		if b.Base, err = s.Read(ctx, b.OldPath, "the base", d.Content.Base); err != nil {
			return err
		}
	}
	if after && c.Status != diff.Deleted {
		was := ""
		if b.Base != nil && path.Ext(b.OldPath) == path.Ext(b.Path) {
			was = *d.Content.Base
		}
		b.Head, err = s.readSide(ctx, b.Path, "head", was, d.Content.Head)
	}
	return err
}

func (s Source) unknown(name string) error {
	return fmt.Errorf("%s: no file with %s has this name; want %s, or exclude it", finding.Visible(name), s.What, s.Names())
}

// Read reads a file on one side of a change. Content is nil if its text is not known.
func (s Source) Read(ctx context.Context, name, side string, content *string) (Document, error) {
	return s.readSide(ctx, name, side, "", content)
}

// readSide reads a file on one side of a change. Before is its text on the other side, if that could be
// read, or else empty: a reader may need less time with it.
func (s Source) readSide(ctx context.Context, name, side, before string, content *string) (Document, error) {
	shown := finding.Visible(name)
	switch {
	case !s.Covers(name):
		return nil, s.unknown(name)
	case content == nil:
		return nil, fmt.Errorf("%s: at %s it is in a binary format, or larger than %d MiB, so its %s are not known; exclude it", shown, side, diff.ContentLimit>>20, s.What)
	case diff.IsLFSPointer([]byte(*content)):
		return nil, fmt.Errorf("%s: at %s it is in Git LFS, so its %s are not known; exclude it", shown, side, s.What)
	}
	d, err := s.read(ctx, name, before, *content)
	if wrong, ok := errors.AsType[*part.Error](err); ok {
		return nil, fmt.Errorf("%s:%d:%d: at %s, %s; fix the file, or exclude it", shown, wrong.Line, wrong.Column, side, wrong.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: at %s, %w", shown, side, err)
	}
	return d, nil
}
