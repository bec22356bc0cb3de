package staging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

const (
	journalFile    = "journal.json"
	journalVersion = 1
	maxJournal     = 1 << 30 // bytes; it has each file twice
)

// journal has all that is needed to complete or undo a run. It is written before
// the index or a file changes and removed after all have.
type journal struct {
	Version int            `json:"version"`
	Index   []byte         `json:"index,omitempty"` // the index file, relative to the git directory, if it changes
	Files   []journalEntry `json:"files"`
}

// journalEntry is one file: as objects for the index, and as contents for the
// working tree.
type journalEntry struct {
	Number  int    `json:"number"` // of the edit; part of the names of its temporary files
	Path    []byte `json:"path"`   // bytes, because names need not be UTF-8
	Before  string `json:"before,omitempty"`
	After   string `json:"after,omitempty"`
	Rewrite bool   `json:"rewrite"` // the file in the working tree changes
	Old     []byte `json:"old,omitempty"`
	New     []byte `json:"new,omitempty"`
	// The modes in the index and the permissions in the working tree, if they change.
	BeforeMode string `json:"before_mode,omitempty"`
	AfterMode  string `json:"after_mode,omitempty"`
	OldPerm    uint32 `json:"old_perm,omitempty"`
	NewPerm    uint32 `json:"new_perm,omitempty"`
}

// write writes the journal to dir atomically and syncs it.
func (j *journal) write(dir string) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	temp := filepath.Join(dir, journalFile+".new")
	if err := writeSynced(temp, text); err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(dir, journalFile)); err != nil {
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
	text, err := regular.ReadAtMost(file, maxJournal)
	if err != nil {
		return nil, err
	}
	j := &journal{}
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed; remove the directory if you do not need its content", file, err)
	}
	if j.Version != journalVersion {
		return nil, fmt.Errorf("%s: version %d; want %d; run the recover of the rulecheck that wrote it", file, j.Version, journalVersion)
	}
	return j, nil
}

// removeRun removes the directory of a run, its journal first, so that an
// interruption leaves no directory with a journal.
func removeRun(dir string) error {
	if err := os.Remove(filepath.Join(dir, journalFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	step("journal removed")
	_ = os.RemoveAll(dir) // the next run removes what remains
	return nil
}

// PendingError means that an earlier run was interrupted while it wrote, and that
// Recover must complete or undo it first.
type PendingError struct {
	Left string // the journal's directory, or the lock of the index
}

func (e *PendingError) Error() string {
	return "an earlier rulecheck --fix was interrupted while it wrote files and left " + e.Left + "; run: rulecheck recover"
}

// Pending returns a *PendingError if an earlier run was interrupted while it wrote,
// and nil if it is still writing.
func Pending(repo *git.Repo) error {
	err := pending(repo)
	if err == nil {
		return nil
	}
	unlock, locked, lockErr := atomicfile.TryLock(lockFile(repo))
	if lockErr != nil {
		return err
	}
	if !locked {
		return nil
	}
	defer unlock()
	return pending(repo) // again: it may have finished in the meantime
}

// pending is Pending for callers that hold the lock.
func pending(repo *git.Repo) error {
	dirs, err := journalDirs(repo)
	switch {
	case err != nil:
		return err
	case len(dirs) > 0:
		return &PendingError{Left: dirs[0]}
	case isOurLock(repo.IndexFile):
		return &PendingError{Left: repo.IndexFile + ".lock"}
	}
	return nil
}

// journalDirs returns the directories of runs that have a journal.
func journalDirs(repo *git.Repo) ([]string, error) {
	dirs, err := runDirs(repo)
	var found []string
	for _, dir := range dirs {
		if _, err := os.Lstat(filepath.Join(dir, journalFile)); err == nil {
			found = append(found, dir)
		}
	}
	return found, err
}

// runDirs returns the directories of all runs that were interrupted.
func runDirs(repo *git.Repo) ([]string, error) {
	entries, err := os.ReadDir(stagingDir(repo))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	dirs := make([]string, len(entries))
	for i, e := range entries {
		dirs[i] = filepath.Join(stagingDir(repo), e.Name())
	}
	return dirs, err
}
