// Package program answers questions about a change by asking the git program. Each answer
// is a process whose output is parsed; git's configuration is the only one that is kept.
package program

import (
	"context"
	"io/fs"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Engine is a diff.Engine that asks the git program. Its methods may be called concurrently.
// It writes neither to the index nor to the object store. It is meant for one run: git's
// configuration is read once.
type Engine struct {
	repo *git.Repo

	settingsMutex sync.Mutex
	settings      *resolve.Settings // nil until first asked for

	indexMutex sync.Mutex
	index      *indexState // nil until first asked for

	seen seenFiles

	// LargeIndexSize is the size of an index in bytes from which reading it is avoided. New
	// sets the default; tests set 0.
	LargeIndexSize int64

	// SearchedFrom is the number of files from which they are searched before they are read.
	// New sets the default; tests set 0.
	SearchedFrom int
}

// seenFiles holds what git listed last of the working tree: the untracked files, nil before, and
// the tracked ones that it searches as they are.
type seenFiles struct {
	sync.Mutex
	untracked, searched map[string]bool
}

var _ diff.Engine = (*Engine)(nil)

// Open returns the engine for the repository around a directory. It fails as [git.Open] does.
func Open(ctx context.Context, o git.Options) (*Engine, error) {
	repo, err := git.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return New(repo), nil
}

// New returns the engine for an open repository.
func New(repo *git.Repo) *Engine {
	return &Engine{repo: repo, LargeIndexSize: largeIndexSize, SearchedFrom: searchedFrom}
}

// Repo returns the repository that git has opened.
func (p *Engine) Repo() *git.Repo { return p.repo }

// Root returns the top of the working tree, or "" if there is none.
func (p *Engine) Root() string { return p.repo.Root }

// GitDir returns the git directory of the working tree.
func (p *Engine) GitDir() string { return p.repo.GitDir }

// Head resolves the tree to check; see [resolve.Head].
func (p *Engine) Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error) {
	return resolve.Head(ctx, repository{p}, kind, ref)
}

// Resolve finds a base; see [resolve.Base].
func (p *Engine) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	return resolve.Base(ctx, repository{p}, r)
}

// Contents returns files at head; see [read.Contents].
func (p *Engine) Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	return read.Contents(ctx, source{p, nil}, head, paths, limit)
}

// Links returns the symlinks at head; see [diff.Engine].
func (p *Engine) Links(ctx context.Context, head diff.Head, paths []string) (map[string]bool, error) {
	return read.Links(ctx, source{p, nil}, head, paths)
}

// EachContent visits files at head; see [diff.Engine].
func (p *Engine) EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(path string, content []byte)) error {
	var group conc.WaitGroup
	defer group.Wait()
	without := async.Go(&group, func() (map[string]bool, error) { return p.without(ctx, head, sought), nil })
	return read.Each(ctx, source{p, nil}, head, diff.PathsOf(sought), limit, visit, without)
}

// Tree returns a part of head as a file system; see [read.Tree].
func (p *Engine) Tree(ctx context.Context, head diff.Head, paths ...string) (fs.FS, error) {
	return read.Tree(ctx, localReader{source{p, nil}, map[string]string{}}, head, paths)
}

// Details returns, by path, the requested parts of each change. A part costs at most one
// comparison and one process for the objects of each side.
func (p *Engine) Details(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part,
) (map[string]*diff.Detail, error) {
	return read.Details(ctx, source{p, nil}, base, head, list, parts)
}

func (p *Engine) emptyTree() string { return diff.EmptyTree(p.repo.ObjectFormat) }
