package inside

import (
	"context"
	"errors"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// InChange lists the parts of a file that differ between base and head, each before those inside
// it; those of a renamed file are compared with those under its old name.
func (s Source) InChange(ctx context.Context, c diff.Change, d *diff.Detail) ([]part.Change, error) {
	base, head, err := s.Both(ctx, c, d)
	if err != nil {
		return nil, err
	}
	changed, err := s.changed(base, head)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", finding.Visible(c.Path), err)
	}
	return changed, nil
}

// Both reads a file at base and at head; of a renamed file, what was under its old name. Nil is a
// file that does not exist, or whose name is not one that the source covers.
func (s Source) Both(ctx context.Context, c diff.Change, d *diff.Detail) (base, head Document, err error) {
	if c.Kind != diff.File {
		return nil, nil, fmt.Errorf("%s: is a %s; want a file with %s, or exclude it", finding.Visible(c.Path), c.Kind, s.What)
	}
	if d == nil || d.Content == nil {
		return nil, nil, fmt.Errorf("%s: its content is not known", finding.Visible(c.Path))
	}
	oldPath := c.Names()[0]
	before, after := s.Covers(oldPath), s.Covers(c.Path)
	if !before && !after {
		return nil, nil, s.unknown(c.Path)
	}
	if before && c.Status != diff.Added {
		if base, err = s.Read(ctx, oldPath, "the base", d.Content.Base); err != nil {
			return nil, nil, err
		}
	}
	if after && c.Status != diff.Deleted {
		if head, err = s.Read(ctx, c.Path, "head", d.Content.Head); err != nil {
			return nil, nil, err
		}
	}
	return base, head, nil
}

func (s Source) unknown(path string) error {
	return fmt.Errorf("%s: no file with %s has this name; want %s, or exclude it", finding.Visible(path), s.What, s.Names())
}

// Read reads a file on one side of a change. Content is nil if its text is not known.
func (s Source) Read(ctx context.Context, path, side string, content *string) (Document, error) {
	shown := finding.Visible(path)
	switch {
	case !s.Covers(path):
		return nil, s.unknown(path)
	case content == nil:
		return nil, fmt.Errorf("%s: at %s it is in a binary format, or larger than %d MiB, so its %s are not known; exclude it", shown, side, diff.ContentLimit>>20, s.What)
	case diff.IsLFSPointer([]byte(*content)):
		return nil, fmt.Errorf("%s: at %s it is in Git LFS, so its %s are not known; exclude it", shown, side, s.What)
	}
	d, err := s.read(ctx, path, *content)
	if wrong, ok := errors.AsType[*part.Error](err); ok {
		return nil, fmt.Errorf("%s:%d:%d: at %s, %s; fix the file, or exclude it", shown, wrong.Line, wrong.Column, side, wrong.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: at %s, %w", shown, side, err)
	}
	return d, nil
}
