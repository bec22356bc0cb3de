// Package staging writes files to the index and the working tree so that no
// interruption loses a line, and recovers what an interrupted run left.
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

// Edit is the new content of a file.
type Edit struct {
	Path          string
	Executable    bool
	Before, After []byte
}

// Fate is what became of a file in one place.
type Fate string

// The fates of a file. Where a place was not concerned at all, it is empty.
const (
	Replaced Fate = "replaced" // it is now exactly what the commands made
	Merged   Fate = "merged"   // it had changes of its own, and has them still
	Same     Fate = "same"     // there was nothing to write
	Left     Fate = "left"     // it could not be written and is as it was
)

// Writing is what became of one edit.
type Writing struct {
	Path     string
	Index    Fate
	Worktree Fate
	Note     string // for people, where there is more to say
}

// Kept reports whether the head that was judged has what the commands made.
func (w Writing) Kept() bool {
	if w.Index != "" {
		return w.Index != Left
	}
	return w.Worktree != Left
}

// step is called between any two steps of which an interruption could leave the
// first without the second.
var step = func(string) {}

// staging is one run that writes back.
type staging struct {
	repo  *git.Repo
	dir   string // of its own, for nobody else
	tree  *workingTree
	files []*staged
	lock  bool // of the index is held
	index bool // the index changes too
}

// staged is one edit on its way.
type staged struct {
	*Writing
	edit Edit
	entry
	after string // object
	old   []byte // content in the working tree
	info  fs.FileInfo
	new   *replacement // for the file in the working tree; nil: it stays
}

// Apply writes edits to the head that their Before was read from, the working tree
// or the index, and tells for each what became of it, in their order. A file that
// has been edited meanwhile is merged or left.
//
// To the index all is written in one step, under git's own lock; the files in the
// working tree follow, each replaced in one step: where one has unstaged changes
// they are in it at every instant. An error without writings says that nothing was
// written; with them, that something of the run could not be removed. A run that
// is killed leaves a journal for Recover, and until then Apply gives a *PendingError.
func Apply(ctx context.Context, repo *git.Repo, head diff.HeadKind, edits []Edit) (writings []Writing, err error) {
	if err := acceptable(repo, head, edits); err != nil {
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
	writings = make([]Writing, len(edits))
	s, err := newStaging(repo, edits, writings)
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
	return writings, s.end()
}

func newStaging(repo *git.Repo, edits []Edit, writings []Writing) (*staging, error) {
	stale, err := stagings(repo)
	if err != nil {
		return nil, err
	}
	for _, dir := range stale {
		_ = os.RemoveAll(dir) // of a run that was stopped before it had a journal
	}
	dir, err := os.MkdirTemp(home(repo), "rulecheck-") // 0700
	if err != nil {
		return nil, err
	}
	step("directory made")
	s := &staging{repo: repo, dir: dir, files: make([]*staged, len(edits))}
	if s.tree, err = openTree(repo.Root, dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for i, e := range edits {
		writings[i].Path = e.Path
		s.files[i] = &staged{Writing: &writings[i], edit: e}
	}
	return s, nil
}

// prepare does all that may fail or take long, and changes nothing that anybody
// sees, beside holding the lock of the index.
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
	if err := s.unfinished(); err != nil {
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
		entry := journalled{Number: i, Path: []byte(f.Path), Before: f.object, After: f.after}
		if f.new != nil {
			entry.Rewrite, entry.Old, entry.New = true, f.old, f.new.content
		}
		j.Files = append(j.Files, entry)
	}
	return j
}
