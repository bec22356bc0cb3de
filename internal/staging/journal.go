package staging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/git"
)

const (
	journalFile    = "journal.json"
	journalVersion = 1
)

// journal is all that is needed to complete or to undo what a run was about to
// write. It is written before anything visible changes and removed when all has.
type journal struct {
	Version int          `json:"version"`
	Index   []byte       `json:"index,omitempty"` // the index file that is written too, from the git directory
	Files   []journalled `json:"files"`
}

// journalled is one file. Entries of the index are known by object, files of the
// working tree by content.
type journalled struct {
	Number  int    `json:"number"` // of the edit, by which its files are named
	Path    []byte `json:"path"`   // names are bytes
	Before  string `json:"before,omitempty"`
	After   string `json:"after,omitempty"`
	Rewrite bool   `json:"rewrite"` // the file in the working tree is written
	Old     []byte `json:"old,omitempty"`
	New     []byte `json:"new,omitempty"`
}

// write makes a journal of dir: whole or not at all, and on the disk.
func (j *journal) write(dir string) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	unfinished := filepath.Join(dir, journalFile+".new")
	if err := writeSynced(unfinished, text); err != nil {
		return err
	}
	if err := os.Rename(unfinished, filepath.Join(dir, journalFile)); err != nil {
		return err
	}
	return syncDir(dir)
}

func writeSynced(name string, content []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

func readJournal(dir string) (*journal, error) {
	file := filepath.Join(dir, journalFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	j := &journal{}
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed; when nothing in it is missed, remove the directory", file, err)
	}
	if j.Version != journalVersion {
		return nil, fmt.Errorf("%s: version %d; want %d: recover with the rulecheck that wrote it", file, j.Version, journalVersion)
	}
	return j, nil
}

// dropJournal takes the journal first, so that what may be left is none.
func dropJournal(dir string) error {
	if err := os.Remove(filepath.Join(dir, journalFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	step("journal removed")
	_ = os.RemoveAll(dir) // what is left goes another time
	return nil
}

// PendingError says that an earlier run was stopped while it wrote, and that what
// it left must be completed or undone first.
type PendingError struct {
	Left string // the journal's directory, or the lock of the index
}

func (e *PendingError) Error() string {
	return "an earlier rulecheck --fix was stopped while it wrote files, and left " + e.Left + "; run: rulecheck recover"
}

// Pending is a *PendingError where an earlier run was stopped while it wrote.
// One that is still writing is none.
func Pending(repo *git.Repo) error {
	err := pending(repo)
	if err == nil {
		return nil
	}
	lock := flockOf(repo)
	locked, lockErr := lock.TryLock()
	if lockErr != nil {
		return err
	}
	if !locked {
		return nil
	}
	defer func() { _ = lock.Unlock() }()
	return pending(repo) // it may have finished in between
}

// pending is Pending where nobody is writing.
func pending(repo *git.Repo) error {
	journals, err := journals(repo)
	switch {
	case err != nil:
		return err
	case len(journals) > 0:
		return &PendingError{Left: journals[0]}
	case heldByUs(repo.IndexFile):
		return &PendingError{Left: repo.IndexFile + ".lock"}
	}
	return nil
}

// journals are the directories in which there is a journal.
func journals(repo *git.Repo) ([]string, error) {
	dirs, err := stagings(repo)
	var found []string
	for _, dir := range dirs {
		if _, err := os.Lstat(filepath.Join(dir, journalFile)); err == nil {
			found = append(found, dir)
		}
	}
	return found, err
}

// stagings are the directories of all runs that did not end by themselves.
func stagings(repo *git.Repo) ([]string, error) {
	entries, err := os.ReadDir(home(repo))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	dirs := make([]string, len(entries))
	for i, e := range entries {
		dirs[i] = filepath.Join(home(repo), e.Name())
	}
	return dirs, err
}
