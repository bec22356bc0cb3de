package ifchange

import (
	"bytes"
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/charset"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// Bounds of what is read of files that did not change.
const (
	chunk   = 200      // files at a time, each up to diff.ContentLimit
	longest = 16 << 20 // bytes of a file, read one at a time
)

// readOthers reads the directives of files that did not change, and which of them are at head.
// It returns the texts that are too long to be read.
func (r *Reader) readOthers(ctx context.Context, names []string) (long []string, err error) {
	for part := range slices.Chunk(names, chunk) {
		contents, err := r.source.Contents(ctx, r.set.Head, part, diff.ContentLimit+1)
		if err != nil {
			return nil, err
		}
		for _, name := range part {
			content, ok := contents[name]
			if !ok {
				continue
			}
			r.present[name] = true
			if charset.IsFormat(name, content) {
				continue // it has no lines
			}
			if len(content) > diff.ContentLimit && bytes.IndexByte(content, 0) < 0 {
				if content, err = r.readLong(ctx, name); err != nil {
					return nil, err
				}
				if len(content) > longest && bytes.IndexByte(content, 0) < 0 {
					long = append(long, name)
					continue
				}
			}
			text, _ := charset.Text(content)
			r.others[name] = Parse(name, string(text))
		}
	}
	return long, nil
}

// readLong reads a file and, if it is longer than the bound, at least one more byte.
func (r *Reader) readLong(ctx context.Context, name string) ([]byte, error) {
	contents, err := r.source.Contents(ctx, r.set.Head, []string{name}, longest+1)
	return contents[name], err
}
