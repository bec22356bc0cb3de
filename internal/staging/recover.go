package staging

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Recovery is how an interrupted run ended for a file.
type Recovery string

// The ends of an interrupted run.
const (
	Completed Recovery = "completed" // index and working tree are as after the run
	Undone    Recovery = "undone"    // they are as before
	Untouched Recovery = "untouched" // the file has been changed since, and is left as it is
)

// Recovered is one file of an interrupted run.
type Recovered struct {
	Path string
	End  Recovery
	Note string // for people, where there is more to say
}

// Recover completes or undoes what an interrupted run left: it is completed where
// the index has what the run staged or no index was concerned, else undone. Files
// that are neither as before nor as after have been edited since, and are left.
// Once more, it finds nothing to do. Notices are for people.
func Recover(ctx context.Context, repo *git.Repo) (files []Recovered, notices []string, err error) {
	unlock, err := lockStaging(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	dirs, err := stagings(repo)
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
	if heldByUs(repo.IndexFile) {
		if err := unlockIndex(repo.IndexFile); err != nil {
			return files, notices, err
		}
		notices = append(notices, "released the lock of the index, "+repo.IndexFile+".lock")
	}
	return files, append(notices, orphans(repo)...), nil
}

// recoverFrom ends one run. Only then does its journal go, so that a recovery too
// may be interrupted.
func recoverFrom(ctx context.Context, repo *git.Repo, dir string) ([]Recovered, error) {
	j, err := readJournal(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, os.RemoveAll(dir) // nothing was changed
	}
	if err != nil {
		return nil, err
	}
	index := string(j.Index)
	if index != "" && !filepath.IsAbs(index) {
		index = filepath.Join(repo.GitDir, index)
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
		if heldByUs(index) {
			if err := unlockIndex(index); err != nil {
				return list, err
			}
		}
		_ = os.Remove(besideIndex(index, dir)) // there is none, nearly always
	}
	return list, dropJournal(dir)
}

// stagedNow are the entries of the index that a run wrote. It may be gone: the
// one that git commit -a makes goes with its commit.
func stagedNow(ctx context.Context, repo *git.Repo, index string) (map[string]entry, error) {
	if index == "" {
		return nil, nil
	}
	if _, err := os.Stat(index); errors.Is(err, fs.ErrNotExist) {
		return map[string]entry{}, nil
	}
	return entries(ctx, repo, index)
}

// recover ends the run for one file; now is nil where the index is not concerned.
func (t *workingTree) recover(f journalled, now map[string]entry) Recovered {
	r := Recovered{Path: string(f.Path), End: Completed}
	again := &replacement{number: f.Number, name: r.Path}
	t.tidy(again)
	from, to := f.Old, f.New
	if now != nil {
		switch object := now[r.Path].object; object {
		case f.After:
		case f.Before, "":
			r.End, from, to = Undone, f.New, f.Old
		default:
			return Recovered{Path: r.Path, End: Untouched, Note: "something else has been staged since"}
		}
	}
	if !f.Rewrite {
		return r
	}
	content, info, err := t.read(r.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("it has been deleted since")
	case err != nil || bytes.Equal(content, to):
	case !bytes.Equal(content, from):
		err = errors.New("it has been edited since")
	default:
		again.content, again.old = to, info
		if err = t.prepare(again); err == nil {
			err = t.put(again)
		}
		t.tidy(again)
	}
	if err != nil {
		r.End, r.Note = Untouched, "the file in the working tree is as it was: "+err.Error()
	}
	return r
}

// elsewhere are files, below the git directory, in which other hook runners put
// what they take out of the working tree while they work.
var elsewhere = []struct{ file, program string }{
	{"info/lefthook-unstaged.patch", "lefthook"},
	{"lint-staged_unstaged.patch", "lint-staged"},
}

// orphans names what other programs may have left, which is never touched.
func orphans(repo *git.Repo) []string {
	var notices []string
	for _, e := range elsewhere {
		for _, dir := range []string{repo.GitDir, repo.CommonDir} {
			file := filepath.Join(dir, filepath.FromSlash(e.file))
			if _, err := os.Lstat(file); err == nil {
				notices = append(notices, file+" may hold unstaged changes that "+e.program+" hid; look at it, then: git apply "+git.Quote(file))
				break
			}
		}
	}
	return notices
}
