package read

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// sizes fills in the size of each file at head.
func (q query) sizes(ctx context.Context) error {
	sizes, err := q.sizesAtHead(ctx)
	for name, size := range sizes {
		q.found[name].Size = &size
	}
	return err
}

// sizesAtHead returns the sizes of the changed files at head in bytes, by path.
func (q query) sizesAtHead(ctx context.Context) (map[string]int64, error) {
	if q.head.Kind == diff.Worktree {
		return worktreeSizes(ctx, q.from, q.atHead())
	}
	list, err := q.entriesAtHead(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	lengths, err := q.from.Sizes(ctx, objectsOf(list))
	sizes := make(map[string]int64, len(list))
	for _, e := range list {
		sizes[e.Path] = lengths[e.Object]
	}
	return sizes, err
}
