// Package native answers questions about a change without a git program, by reading the
// repository itself. It shares no code with package program that answers a question about a
// repository, so each engine is a test of the other.
package native

import (
	"context"
	"io/fs"
	"runtime"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/diff/resolve"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// Options configure the engine. The zero value reads the repository around the process's
// directory with an empty environment.
type Options struct {
	Dir    string   // where the search for the repository starts; empty: the process's directory
	Env    []string // as KEY=value; the last value of a variable counts
	Notice string   // added to every changeset, such as why this engine was chosen
	// Texts are in the place of files of the working tree, by path; see [read.Disk].
	Texts map[string][]byte
}

// Engine is a diff.Engine that needs no git program. It answers exactly as git would, or fails
// with a *diff.NoVerdictError that wraps diff.ErrNeedsGit: shapes of repositories that are not
// on its allow-list are refused, either by Open or by the question that they matter for. It
// keeps what it read for one run and never writes.
type Engine struct {
	env     gitfile.Environment
	notice  string
	texts   map[string][]byte // in the place of files
	place   *git.Repo         // its fields only; it has no runner
	config  gitfile.Config
	objects *gitfile.Objects
	shallow map[gitfile.ID]bool // commits whose parents a shallow clone lacks
}

var _ diff.Engine = (*Engine)(nil)

// emptyTree is the id of the tree without entries.
var emptyTree = diff.EmptyTree("sha1")

// Open returns the engine for the repository around a directory, or refuses it.
func Open(o Options) (*Engine, error) {
	if runtime.GOOS != "linux" {
		return nil, diff.NeedsGit("a repository on " + runtime.GOOS)
	}
	e := &Engine{env: gitfile.ParseEnvironment(o.Env), notice: o.Notice, texts: o.Texts}
	if err := e.env.Known(); err != nil {
		return nil, err
	}
	found, err := discover(o.Dir, e.env)
	if err != nil {
		return nil, err
	}
	e.place = found.repo
	if e.config, err = gitfile.ReadConfig(e.env, e.place); err != nil {
		return nil, err
	}
	if err := e.setPlace(found); err != nil {
		return nil, err
	}
	if err := e.checkShape(); err != nil {
		return nil, err
	}
	if e.shallow, err = gitfile.ShallowCommits(e.place.CommonDir); err != nil {
		return nil, err
	}
	e.place.Shallow = len(e.shallow) > 0
	if err := e.readHead(); err != nil {
		return nil, err
	}
	e.objects, err = gitfile.OpenObjects(e.place.CommonDir)
	return e, err
}

// readHead records which commit and branch HEAD is.
func (e *Engine) readHead() error {
	target, object, err := gitfile.OpenRefs(e.place).Resolve("HEAD")
	if err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(target, "refs/heads/"); ok {
		e.place.Branch = name
	}
	if object != (gitfile.ID{}) {
		e.place.Head = object.String()
	}
	return nil
}

// Root returns the top of the working tree, or "" if there is none.
func (e *Engine) Root() string { return e.place.Root }

// GitDir returns the git directory of the working tree.
func (e *Engine) GitDir() string { return e.place.GitDir }

// Place returns where the repository is, and HEAD. It has no git program.
func (e *Engine) Place() *git.Repo { return e.place }

// Head resolves the tree to check; see [resolve.Head].
func (e *Engine) Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error) {
	return resolve.Head(ctx, repository{e}, kind, ref)
}

// Resolve finds a base; see [resolve.Base]. It refuses the snapshot of a prompt.
func (e *Engine) Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error) {
	b, err := resolve.Base(ctx, repository{e}, r)
	if err == nil && snapshot.IDOf(b) != "" {
		return diff.Base{}, diff.NeedsGit("a comparison with the snapshot of a prompt")
	}
	return b, err
}

// Contents returns files at head; see [read.Contents].
func (e *Engine) Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	return read.Contents(ctx, source{e}, head, paths, limit)
}

// Links returns the symlinks at head; see [diff.Engine].
func (e *Engine) Links(ctx context.Context, head diff.Head, paths []string) (map[string]bool, error) {
	return read.Links(ctx, source{e}, head, paths)
}

// EachContent visits files at head; see [diff.Engine].
func (e *Engine) EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(path string, content []byte)) error {
	return read.Each(ctx, source{e}, head, diff.PathsOf(sought), limit, visit, read.WithoutNone)
}

// Tree returns a part of head as a file system; see [read.Tree].
func (e *Engine) Tree(ctx context.Context, head diff.Head, paths ...string) (fs.FS, error) {
	return read.Tree(ctx, source{e}, head, paths)
}

// Details returns, by path, the requested parts of each change.
func (e *Engine) Details(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part,
) (map[string]*diff.Detail, error) {
	return read.Details(ctx, source{e}, base, head, list, parts)
}
