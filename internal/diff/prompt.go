package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Snapshot is what was in a repository when a prompt was submitted: HEAD, the
// index and the working tree, untracked files included. It is a directory of its
// own, with its own objects, so that to drop it is to remove that directory. An
// object that the snapshot before it has, too, is the same file on disk where the
// file system can do that.
//
//	<git dir>/rulecheck/prompts/<id>/manifest.json
//	<git dir>/rulecheck/prompts/<id>/objects/
//
// The manifest is written last: a directory without one is what is left of a
// capture that was interrupted, and no snapshot.
type Snapshot struct {
	Version   int            `json:"version"`
	ID        string         `json:"id"` // 16 hexadecimal digits; those of a later one are greater
	Time      time.Time      `json:"time"`
	Commit    string         `json:"commit,omitempty"` // of HEAD; empty while it was unborn
	Branch    string         `json:"branch,omitempty"` // checked out; empty when detached
	IndexTree string         `json:"index_tree,omitempty"`
	Tree      string         `json:"tree"`  // of the working tree, without the files that were too large
	Files     []SnapshotFile `json:"files"` // those that differed from the index, in byte order
}

// SnapshotFile is a file that was not as the index had it.
type SnapshotFile struct {
	Path  FileName  `json:"path"`
	State FileState `json:"state"`
	// Unclean is a submodule with changes that are not committed there.
	Unclean bool `json:"unclean,omitempty"`
	// The rest is of a file over LargeFile, whose content is not kept.
	Object string `json:"object,omitempty"`
	Mode   string `json:"mode,omitempty"`
	Size   int64  `json:"size,omitempty"` // bytes, in the working tree
}

// FileState says how a file differed from the index.
type FileState string

// Every state of a file.
const (
	Dirty     FileState = "modified"
	Missing   FileState = "deleted"
	Untracked FileState = "untracked"
	Conflict  FileState = "unmerged"
)

// The bounds of what is kept.
const (
	LargeFile       = 10 << 20 // bytes; of a larger file only the hash is kept
	KeptSnapshots   = 50
	KeptSnapshotAge = 30 * 24 * time.Hour // the newest is kept however old it is
)

func promptsDir(gitDir string) string { return filepath.Join(gitDir, "rulecheck", "prompts") }

func (s *Snapshot) objects(gitDir string) string {
	return filepath.Join(promptsDir(gitDir), s.ID, "objects")
}

// large are the files whose content was not kept.
func (s *Snapshot) large() []SnapshotFile {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f SnapshotFile) bool { return f.Object == "" })
}

// Snapshots lists the snapshots of a repository, newest first, by its git
// directory alone: no engine is needed. The error joins those of the manifests
// that cannot be read; the others are listed all the same.
func Snapshots(gitDir string) ([]Snapshot, error) {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return nil, err
	}
	var list []Snapshot
	var errs []error
	for _, id := range ids {
		s, err := ReadSnapshot(gitDir, id)
		switch {
		case errors.Is(err, fs.ErrNotExist): // dropped meanwhile
		case err != nil:
			errs = append(errs, err)
		default:
			list = append(list, *s)
		}
	}
	return list, errors.Join(errs...)
}

// LastSnapshot is the newest one; nil where there is none. It fails where the
// newest cannot be read: the one before it would be another question's answer.
func LastSnapshot(gitDir string) (*Snapshot, error) {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if s, err := ReadSnapshot(gitDir, id); !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
	}
	return nil, nil
}

// snapshotIDs lists the directories of snapshots, newest first, finished or not.
func snapshotIDs(gitDir string) ([]string, error) {
	entries, err := os.ReadDir(promptsDir(gitDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && snapshotID().MatchString(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	slices.Reverse(ids)
	return ids, nil
}
