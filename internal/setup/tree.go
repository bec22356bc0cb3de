package setup

import (
	"context"
	"io/fs"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// completeTree adds the files of head that are not in a tree, when they are opened:
// documents of phases may be anywhere in the repository.
type completeTree struct {
	fs.FS
	fetch func(name string) (fs.FS, error)
}

func (p *Project) completeTree(ctx context.Context) fs.FS {
	if p.Head.Kind == diff.Worktree {
		return p.Tree
	}
	return completeTree{p.Tree, func(name string) (fs.FS, error) { return p.engine.Tree(ctx, p.Head, name) }}
}

// Open opens a file of head.
func (t completeTree) Open(name string) (fs.File, error) {
	f, err := t.FS.Open(name)
	if err == nil || strings.HasPrefix(name, Dir+"/") { // the tree has all of Dir
		return f, err
	}
	tree, fetchErr := t.fetch(name)
	if fetchErr != nil {
		return nil, fetchErr
	}
	return tree.Open(name)
}
