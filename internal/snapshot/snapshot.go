// Package snapshot stores snapshots of a working tree as it was when a prompt was submitted.
package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// Snapshot records HEAD, the index and the working tree, untracked files included. It is a
// directory with its own objects, so dropping it means removing that directory. Objects
// that the previous snapshot also has are hard links to it if the file system allows.
//
//	<git dir>/rulecheck/prompts/<id>/manifest.json
//	<git dir>/rulecheck/prompts/<id>/objects/
//
// The manifest is written last: a directory without one was left by an interrupted capture.
type Snapshot struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"` // 16 hexadecimal digits; those of a later one are greater
	Time      time.Time `json:"time"`
	Commit    string    `json:"commit,omitempty"` // of HEAD; empty while it was unborn
	Branch    string    `json:"branch,omitempty"` // checked out; empty when detached
	IndexTree string    `json:"index_tree,omitempty"`
	Tree      string    `json:"tree"`  // of the working tree, without the files that were too large
	Files     []File    `json:"files"` // that differed from the index, in byte order
}

// File is a file that differed from the index.
type File struct {
	Path  FileName `json:"path"`
	State State    `json:"state"`
	// Unclean marks a submodule with uncommitted changes.
	Unclean bool `json:"unclean,omitempty"`
	// The remaining fields describe a file over LargeFile, whose content is not kept.
	Object string `json:"object,omitempty"`
	Mode   string `json:"mode,omitempty"`
	Size   int64  `json:"size,omitempty"` // bytes, in the working tree
}

// State names how a file differed from the index.
type State string

// The states of a file.
const (
	Dirty     State = "modified"
	Missing   State = "deleted"
	Untracked State = "untracked"
	Conflict  State = "unmerged"
)

// The limits of what is kept.
const (
	LargeFile = 10 << 20 // bytes; only the hash of a larger file is kept
	Kept      = 50
	KeptAge   = 30 * 24 * time.Hour // the newest is kept however old it is
)

func dirOf(gitDir string) string { return filepath.Join(gitDir, "rulecheck", "prompts") }

// ownDirs returns an error if a directory in which snapshots are kept is a link, and with
// ids also if one of those snapshots is.
func ownDirs(gitDir string, ids ...string) error {
	dirs := []string{filepath.Dir(dirOf(gitDir)), dirOf(gitDir)}
	for _, id := range ids {
		dirs = append(dirs, filepath.Join(dirOf(gitDir), id))
	}
	return regular.Directories(dirs...)
}

// Objects returns the object directory of the snapshot.
func (s *Snapshot) Objects(gitDir string) string {
	return filepath.Join(dirOf(gitDir), s.ID, "objects")
}

// Large returns the files whose content was not kept.
func (s *Snapshot) Large() []File {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f File) bool { return f.Object == "" })
}

// List returns the snapshots below a git directory, newest first. The error joins those of
// the manifests that cannot be read; the other snapshots are listed nevertheless.
func List(gitDir string) ([]Snapshot, error) {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return nil, err
	}
	var list []Snapshot
	var errs []error
	for _, id := range ids {
		s, err := Read(gitDir, id)
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

// Last returns the newest snapshot, or nil if there is none. It fails if the newest cannot
// be read: an older one would be the wrong base.
func Last(gitDir string) (*Snapshot, error) {
	ids, err := snapshotIDs(gitDir)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if s, err := Read(gitDir, id); !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
	}
	return nil, nil
}

// snapshotIDs lists the directories of snapshots, newest first, complete or not.
func snapshotIDs(gitDir string) ([]string, error) {
	if err := ownDirs(gitDir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dirOf(gitDir))
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
