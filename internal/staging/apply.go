// Package staging writes files to the index and the working tree so that no
// interruption loses a line, and recovers from interrupted runs.
package staging

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Edit is the new content of a file, and its new executable bit.
type Edit struct {
	Path                      string
	WasExecutable, Executable bool
	Before, After             []byte
}

// changesMode reports whether the edit changes the executable bit.
func (e Edit) changesMode() bool { return e.WasExecutable != e.Executable }

// Status is the result of writing a file to the index or the working tree. It is
// empty if the edit does not concern that place.
type Status string

// The results of writing a file.
const (
	Replaced Status = "replaced" // it has the edit's content
	Merged   Status = "merged"   // it has the edit and its other changes
	Same     Status = "same"     // there was nothing to write
	Left     Status = "left"     // it could not be written and is unchanged
)

// Applied reports where one edit was written.
type Applied struct {
	Path     string
	Index    Status
	Worktree Status
	Note     string // details for the user; may be empty
}

// Kept reports whether the head that the edit was made for contains it.
func (r Applied) Kept() bool {
	if r.Index != "" {
		return r.Index != Left
	}
	return r.Worktree != Left
}

// step is called between any two steps that an interruption could separate. Tests
// replace it.
var step = func(string) {}

// staging is one call of Apply.
type staging struct {
	repo  *git.Repo
	dir   string // private to this run
	tree  *workingTree
	files []*staged
	lock  bool // the lock of the index is held
	index bool // the index changes
}

// staged is one edit and its progress.
type staged struct {
	*Applied
	edit Edit
	entry
	after string // object
	old   []byte // content in the working tree
	info  fs.FileInfo
	new   *replacement // for the file in the working tree; nil: unchanged
}

// Apply writes edits to the head that their Before was read from, the working tree
// or the index, and returns the result of each, in their order. A file that was
// edited in the meantime is merged or left.
//
// The index is replaced in one step, under git's own lock; then each file in the
// working tree is replaced in one step. Unstaged changes are never missing from a
// file, not even for an instant. If Apply returns an error without results, nothing
// was written; with results, some of its temporary files remain. A killed run
// leaves a journal for Recover, and Apply returns a *PendingError until then.
func Apply(ctx context.Context, repo *git.Repo, head diff.HeadKind, edits []Edit) (results []Applied, err error) {
	if err := checkEdits(repo, head, edits); err != nil {
		return nil, err
	}
	unlock, err := lockStaging(ctx, repo)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := pending(repo); err != nil {
		return nil, err
	}
	results = make([]Applied, len(edits))
	s, err := newStaging(repo, edits, results)
	if err != nil {
		return nil, err
	}
	defer s.tree.close()
	if err := s.prepare(ctx, head); err != nil {
		return nil, errors.Join(err, s.end())
	}
	if err := s.commit(); err != nil {
		return nil, errors.Join(err, s.end())
	}
	if s.index {
		s.refresh(ctx)
	}
	return results, s.end()
}

func newStaging(repo *git.Repo, edits []Edit, results []Applied) (*staging, error) {
	stale, err := runDirs(repo)
	if err != nil {
		return nil, err
	}
	for _, dir := range stale {
		_ = os.RemoveAll(dir) // of a run that was killed before it wrote a journal
	}
	dir, err := os.MkdirTemp(stagingDir(repo), "rulecheck-") // mode 0700
	if err != nil {
		return nil, err
	}
	step("directory made")
	s := &staging{repo: repo, dir: dir, files: make([]*staged, len(edits))}
	if s.tree, err = openTree(repo.Root, dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for i, e := range edits {
		results[i].Path = e.Path
		s.files[i] = &staged{Applied: &results[i], edit: e}
	}
	return s, nil
}

// prepare does everything that may fail or take long. It holds the lock of the
// index, but changes neither the index nor the working tree.
func (s *staging) prepare(ctx context.Context, head diff.HeadKind) error {
	if head == diff.Index {
		if err := s.stage(ctx); err != nil {
			return err
		}
	}
	if err := s.plan(ctx, head); err != nil {
		return err
	}
	if !s.index && !s.rewrites() {
		return nil
	}
	if err := s.journal().write(s.dir); err != nil {
		return err
	}
	step("journal written")
	if err := s.writeReplacements(); err != nil {
		return err
	}
	return ctx.Err()
}

func (s *staging) rewrites() bool {
	return slices.ContainsFunc(s.files, func(f *staged) bool { return f.new != nil })
}

func (s *staging) journal() *journal {
	j := &journal{Version: journalVersion}
	if s.index {
		j.Index = []byte(s.repo.IndexFile)
		if near, err := filepath.Rel(s.repo.GitDir, s.repo.IndexFile); err == nil && filepath.IsLocal(near) {
			j.Index = []byte(near)
		}
	}
	for i, f := range s.files {
		if f.new == nil && f.after == "" {
			continue
		}
		entry := journalEntry{Number: i, Path: []byte(f.Path), Before: f.object, After: f.after}
		if f.after != "" && f.edit.changesMode() {
			entry.BeforeMode, entry.AfterMode = f.mode, modeOf(f.edit.Executable)
		}
		if f.new != nil {
			entry.Rewrite, entry.Old, entry.New = true, f.old, f.new.content
			if f.new.perm != f.info.Mode().Perm() {
				entry.OldPerm, entry.NewPerm = uint32(f.info.Mode().Perm()), uint32(f.new.perm)
			}
		}
		j.Files = append(j.Files, entry)
	}
	return j
}
