package native

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// Before returns the source of the files at base.
func (e source) Before(diff.Base) read.Backend { return e }

// Sizes returns the length of objects in bytes.
func (e source) Sizes(_ context.Context, names []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(names))
	for _, name := range names {
		b, err := e.objects.Blob(gitfile.ParseID(name))
		if err != nil {
			return nil, err
		}
		sizes[name] = int64(len(b))
	}
	return sizes, nil
}

// LFSFiles returns none: a working tree with filters is refused.
func (e source) LFSFiles(context.Context, []string) (map[string]bool, error) { return nil, nil }
