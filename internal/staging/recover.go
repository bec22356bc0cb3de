package staging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Recovery is the result of recovering a file.
type Recovery string

// The results of recovering a file.
const (
	Completed Recovery = "completed" // index and working tree have the edit
	Undone    Recovery = "undone"    // index and working tree are as before the run
	Untouched Recovery = "untouched" // the file was changed since and is left alone
)

// Recovered is one file of an interrupted run.
type Recovered struct {
	Path string
	End  Recovery
	Note string // details for the user; may be empty
}

// Recover completes or undoes interrupted runs: a file is completed if the index
// has the edit or was not to be changed, else undone. Files that were edited since
// are left alone. Notices are for the user. Recover may be interrupted and run
// again; if there is nothing to do, it returns nothing.
func Recover(ctx context.Context, repo *git.Repo) (files []Recovered, notices []string, err error) {
	unlock, err := lockStaging(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	dirs, err := runDirs(repo)
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range dirs {
		list, err := recoverFrom(ctx, repo, dir)
		files = append(files, list...)
		if err != nil {
			return files, notices, err
		}
	}
	if isOurLock(repo.IndexFile) {
		if err := unlockIndex(repo.IndexFile); err != nil {
			return files, notices, err
		}
		notices = append(notices, "removed the lock of the index, "+repo.IndexFile+".lock")
	}
	return files, append(notices, otherRunners(repo)...), nil
}

// recoverFrom recovers one run. It removes the journal last, so that a recovery can
// be interrupted too.
func recoverFrom(ctx context.Context, repo *git.Repo, dir string) ([]Recovered, error) {
	j, err := readJournal(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, os.RemoveAll(dir) // nothing was changed
	}
	if err != nil {
		return nil, err
	}
	index, err := j.index(repo)
	if err == nil {
		err = j.checkFiles()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed; if you do not know this run, remove the directory", filepath.Join(dir, journalFile), err)
	}
	now, err := stagedNow(ctx, repo, index)
	if err != nil {
		return nil, err
	}
	tree, err := openTree(repo.Root, dir)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	list := make([]Recovered, len(j.Files))
	for i, f := range j.Files {
		list[i] = tree.recover(f, now)
		step("file recovered")
	}
	if index != "" {
		if isOurLock(index) {
			if err := unlockIndex(index); err != nil {
				return list, err
			}
		}
		_ = os.Remove(tempIndex(index, dir)) // rarely exists
	}
	return list, removeRun(dir)
}

// stagedNow returns the entries of the index that a run wrote. That index may be
// gone: git commit -a removes its temporary one after the commit.
func stagedNow(ctx context.Context, repo *git.Repo, index string) (map[string]entry, error) {
	if index == "" {
		return nil, nil
	}
	if _, err := os.Stat(index); errors.Is(err, fs.ErrNotExist) {
		return map[string]entry{}, nil
	}
	return entries(ctx, repo, index)
}

// state is the content of a file and, if they change, its permissions.
type state struct {
	content []byte
	perm    fs.FileMode // 0: as they are
}

func (s state) isOf(content []byte, info fs.FileInfo) bool {
	return bytes.Equal(content, s.content) && (s.perm == 0 || info.Mode().Perm() == s.perm)
}

// recover recovers one file; now is nil if the run did not change the index.
func (t *workingTree) recover(f journalEntry, now map[string]entry) Recovered {
	r := Recovered{Path: string(f.Path), End: Completed}
	replaced := &replacement{number: f.Number, name: r.Path}
	t.removeTemp(replaced)
	from, to := state{f.Old, fs.FileMode(f.OldPerm)}, state{f.New, fs.FileMode(f.NewPerm)}
	if now != nil {
		switch in := now[r.Path]; {
		case in.object == f.After && (f.AfterMode == "" || in.mode == f.AfterMode):
		case in.object == "", in.object == f.Before && (f.BeforeMode == "" || in.mode == f.BeforeMode):
			r.End, from, to = Undone, to, from
		default:
			return Recovered{Path: r.Path, End: Untouched, Note: "another change was staged since"}
		}
	}
	if !f.Rewrite {
		return r
	}
	content, info, err := t.read(r.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("it was deleted since")
	case err != nil || to.isOf(content, info):
	case !from.isOf(content, info):
		err = errors.New("it was edited since")
	default:
		replaced.content, replaced.old, replaced.perm = to.content, info, info.Mode().Perm()
		if to.perm != 0 {
			replaced.perm = replaced.perm&^0o111 | to.perm&0o111 // a journal may be someone else's
		}
		if err = t.prepare(replaced); err == nil {
			err = t.put(replaced)
		}
		t.removeTemp(replaced)
	}
	if err != nil {
		r.End, r.Note = Untouched, "the file in the working tree is unchanged: "+err.Error()
	}
	return r
}

// patches are the files, below the git directory, in which other hook runners store
// unstaged changes while they run.
var patches = []struct{ file, program string }{
	{"info/lefthook-unstaged.patch", "lefthook"},
	{"lint-staged_unstaged.patch", "lint-staged"},
}

// otherRunners returns notices about such files of interrupted runs, which Recover
// does not change.
func otherRunners(repo *git.Repo) []string {
	var notices []string
	for _, e := range patches {
		for _, dir := range []string{repo.GitDir, repo.CommonDir} {
			file := filepath.Join(dir, filepath.FromSlash(e.file))
			if _, err := os.Lstat(file); err == nil {
				notices = append(notices, file+" may contain unstaged changes that "+e.program+" set aside; review it, then run: git apply "+git.Quote(file))
				break
			}
		}
	}
	return notices
}
