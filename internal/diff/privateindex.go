package diff

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// privateIndex is a copy of the index for comparisons with the working tree. It is
// locked: git diff would write the times it has just looked up into an index that
// it can lock, whatever --no-optional-locks says.
type privateIndex struct {
	repo   *git.Repo
	dir    string
	config []string // for git, ahead of the subcommand
	env    []string // for git
}

// apart keeps git from writing beside the user's index what it would for this
// one: the shared part of a split index, the trees of a sparse one. A hook would
// be told of an index that is not the user's.
var apart = []string{"-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.hooksPath=/dev/null"}

// Whether git looks up the times of every file before it compares any, which pays
// where all are compared and not where few are.
var (
	refreshed   = []string{"-c", "diff.autoRefreshIndex=true"}
	unrefreshed = []string{"-c", "diff.autoRefreshIndex=false"}
)

// privately copies the index as it is now, to compare it with base.
func (p *Program) privately(base Base) (*privateIndex, error) {
	dir, err := tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{repo: p.repo, dir: dir, config: refreshed, env: p.reading(base)}
	if len(x.env) == 0 && p.sparse() {
		x.env = p.repo.OnlyInto(dir)
	}
	if err := errors.Join(copyIndex(p.repo.IndexFile, x.file()), x.lock()); err != nil {
		x.discard()
		return nil, err
	}
	return x, nil
}

func (x *privateIndex) file() string { return filepath.Join(x.dir, "index") }
func (x *privateIndex) lock() error  { return os.WriteFile(x.file()+".lock", nil, 0o600) }
func (x *privateIndex) discard()     { _ = os.RemoveAll(x.dir) } // of no consequence to the answer

// call is git with args on this index.
func (x *privateIndex) call(args []string) git.Call {
	return git.Call{Args: slices.Concat(x.config, args), Env: slices.Concat(x.env, []string{"GIT_INDEX_FILE=" + x.file()})}
}

// add enters untracked files. To a comparison with the working tree this is what
// intent-to-add in the user's index would be: an entry whose content git must
// read from the file. It needs no object, does not mind sparse checkouts, and
// leaves out names git refuses to track.
//
// commits are those that untracked submodules are known by, if any: one that is
// still at its commit is unchanged.
func (x *privateIndex) add(ctx context.Context, base string, untracked []string, commits map[string]string) error {
	return x.enter(ctx, indexInfo(base, untracked, commits))
}

// forget removes entries.
func (x *privateIndex) forget(ctx context.Context, paths []string) error {
	var entries strings.Builder
	for _, name := range paths {
		entries.WriteString(noEntryOf(x.repo, name))
	}
	return x.enter(ctx, entries.String())
}

// enter changes the index by the input of git update-index --index-info.
func (x *privateIndex) enter(ctx context.Context, info string) error {
	x.config = slices.Concat(x.config, apart)
	if err := os.Remove(x.file() + ".lock"); err != nil {
		return err
	}
	call := x.call([]string{"update-index", "-z", "--index-info"})
	call.Stdin = strings.NewReader(info)
	if _, err := x.repo.Do(ctx, call); err != nil {
		return err
	}
	return x.lock()
}

// indexInfo is the input of git update-index --index-info.
func indexInfo(base string, untracked []string, commits map[string]string) string {
	var entries strings.Builder
	for _, name := range untracked {
		// The base's own id stands for an object that no file is equal to.
		mode, object := "100644", base
		if nested, ok := strings.CutSuffix(name, "/"); ok {
			name, mode = nested, "160000"
			if commit, ok := commits[nested]; ok {
				object = commit
			}
		}
		entries.WriteString(mode + " " + object + " 0\t" + name + "\x00")
	}
	return entries.String()
}

// copyIndex copies the index file, which does not exist before the first git add.
// The copy is as old as the original: git compares by content what was changed no
// earlier than its index was written.
func copyIndex(from, to string) error {
	file, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	made, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(made, file)
	if err := errors.Join(err, made.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
