package program

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// privateIndex is a temporary index for comparisons with the working tree. It is locked:
// git diff would refresh an index that it can lock, even with --no-optional-locks.
type privateIndex struct {
	repo   *git.Repo
	dir    string
	config []string // options before the subcommand
	env    []string // added to the environment of git

	expand func(context.Context) error // rewrites a sparse index with all files; nil: it is not sparse
}

// isolated keeps git from writing next to the user's index (the shared part of a split
// index, the trees of a sparse one) and from running a hook for an index that is not the
// user's.
var isolated = []string{"-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.hooksPath=/dev/null"}

// refreshed has git look up the times of every file first, which pays off if all files are
// compared; unrefreshed is for few files.
var (
	refreshed   = []string{"-c", "diff.autoRefreshIndex=true"}
	unrefreshed = []string{"-c", "diff.autoRefreshIndex=false"}
)

// copyOfIndex copies the current index, to compare it with base.
func (p *Engine) copyOfIndex(ctx context.Context, base diff.Base) (*privateIndex, error) {
	dir, err := p.tempDir()
	if err != nil {
		return nil, err
	}
	x := &privateIndex{repo: p.repo, dir: dir, config: refreshed, env: p.snapshotObjects(base)}
	err = p.copyTo(ctx, x)
	if err == nil {
		err = p.reveal(ctx, x)
	}
	if err := errors.Join(err, x.lock()); err != nil {
		x.remove()
		return nil, err
	}
	return x, nil
}

// copyTo copies the current index, a sparse one with all files.
func (p *Engine) copyTo(ctx context.Context, x *privateIndex) error {
	if p.sparse() {
		return p.copyFull(ctx, x.file())
	}
	return copyIndex(p.repo.IndexFile, x.file())
}

func (x *privateIndex) file() string { return filepath.Join(x.dir, "index") }
func (x *privateIndex) lock() error  { return os.WriteFile(x.file()+".lock", nil, 0o600) }
func (x *privateIndex) remove()      { _ = os.RemoveAll(x.dir) } // cleaning up must not fail the run

// call returns a call of git with args on this index.
func (x *privateIndex) call(args []string) git.Call {
	return git.Call{Args: slices.Concat(x.config, args), Env: slices.Concat(x.env, []string{"GIT_INDEX_FILE=" + x.file()})}
}

// add adds untracked files. In a comparison with the working tree such an entry works like
// intent-to-add: git must read the content from the file. It needs no object, works in sparse
// checkouts, and git leaves out names that it refuses to track.
//
// commits maps untracked submodules to the commits they had, if known: one that is still at
// its commit is unchanged.
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

// enter updates the index with input of git update-index --index-info.
func (x *privateIndex) enter(ctx context.Context, info string) error {
	if x.expand != nil {
		if err := x.expand(ctx); err != nil {
			return err
		}
		x.expand = nil
	}
	x.config = slices.Concat(x.config, isolated)
	if err := os.Remove(x.file() + ".lock"); err != nil {
		return err
	}
	if err := x.update(ctx, info); err != nil {
		return err
	}
	return x.lock()
}

// update runs git update-index --index-info on an index that is not locked. New entries have no
// mark.
func (x *privateIndex) update(ctx context.Context, info string) error {
	call := x.call([]string{"-c", "core.ignoreStat=false", "update-index", "-z", "--index-info"})
	call.Stdin = strings.NewReader(info)
	_, err := x.repo.Do(ctx, call)
	return err
}

// indexInfo formats untracked files as input of git update-index --index-info.
func indexInfo(base string, untracked []string, commits map[string]string) string {
	var entries strings.Builder
	for _, name := range untracked {
		// The id of base itself: an object that no file is equal to.
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

// copyIndex copies the index file, which does not exist before the first git add. The copy
// keeps the time of the original: git compares the content of files that are not older than
// the index.
func copyIndex(from, to string) error {
	file, err := regular.Open(from)
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

// noEntryOf formats the line of --index-info that removes name.
func noEntryOf(repo *git.Repo, name string) string {
	return "0 " + strings.Repeat("0", len(diff.EmptyTree(repo.ObjectFormat))) + "\t" + name + "\x00"
}

// abandonedAfter is the age at which a temporary directory belongs to a run that was killed:
// no run takes as long.
const abandonedAfter = 24 * time.Hour

// tempPrefix begins the names of temporary directories.
const tempPrefix = "rulecheck-git-"

// tempDir makes a directory for temporary files, and removes those that killed runs left. It is in the
// git directory if TMPDIR is in the working tree, where git would list it as untracked.
func (p *Engine) tempDir() (string, error) {
	in := os.TempDir()
	if path, err := filepath.EvalSymlinks(in); err == nil && p.repo.Root != "" && strings.HasPrefix(filepath.ToSlash(path)+"/", filepath.ToSlash(p.repo.Root)+"/") {
		in = p.repo.GitDir
	}
	dir, err := os.MkdirTemp(in, tempPrefix)
	if err != nil {
		return "", err
	}
	made, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	parent := filepath.Dir(dir)
	entries, _ := os.ReadDir(parent) // cleaning up must not fail the run
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.IsDir() && made.ModTime().Sub(info.ModTime()) > abandonedAfter {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
	return dir, nil
}
