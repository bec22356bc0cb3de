package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// snapshotOf returns the snapshot that base was taken from, or nil for any other base.
func (p *Engine) snapshotOf(base diff.Base) (*snapshot.Snapshot, error) {
	id := snapshot.IDOf(base)
	if id == "" {
		return nil, nil
	}
	s, err := snapshot.Read(p.repo.GitDir, id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &diff.NoVerdictError{Reason: "the snapshot of the prompt was dropped meanwhile", Fix: "rulecheck", Err: err}
	}
	return s, err
}

// snapshotObjects returns the environment of a call that reads the objects of base.
func (p *Engine) snapshotObjects(base diff.Base) []string {
	id := snapshot.IDOf(base)
	if id == "" {
		return nil
	}
	return p.repo.AlsoObjects((&snapshot.Snapshot{ID: id}).Objects(p.repo.GitDir))
}

// sincePrompt compares the working tree with a snapshot. Git compares all files except those
// whose content was not kept, which are hidden from it.
func (p *Engine) sincePrompt(ctx context.Context, base diff.Base, head diff.Head, s *snapshot.Snapshot) (diff.Changeset, error) {
	large, err := p.currentState(ctx, s.Large())
	if err != nil {
		return diff.Changeset{}, err
	}
	var hidden []string
	for _, l := range large {
		if l.info != nil {
			hidden = append(hidden, string(l.Path))
		}
	}
	set, err := p.worktree(ctx, base, head, hidden)
	if err != nil {
		return set, err
	}
	var unsure []string
	set.Changes, unsure, err = p.settleSubmodules(ctx, base, head, set.Changes, s)
	set.Notices = append(set.Notices, unsure...)
	if err != nil || len(large) == 0 {
		return set, err
	}
	set.Changes, err = p.settleLarge(ctx, set.Changes, large)
	slices.SortStableFunc(set.Changes, func(a, b diff.Change) int { return strings.Compare(a.Path, b.Path) })
	return set, err
}

// settleSubmodules checks the submodules that git reports as modified. Git does so for any
// submodule whose commit is not that of the index, and for any with uncommitted changes.
func (p *Engine) settleSubmodules(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, s *snapshot.Snapshot) ([]diff.Change, []string, error) {
	var paths, entries []string
	for _, c := range list {
		if c.Kind == diff.Submodule && c.Status == diff.Modified {
			paths, entries = append(paths, c.Path), append(entries, c.Path+"/")
		}
	}
	if len(paths) == 0 {
		return list, nil, nil
	}
	then, err := p.entriesOf(ctx, base, paths)
	if err != nil {
		return nil, nil, err
	}
	index, err := p.copyOfIndex(ctx, base)
	if err != nil {
		return nil, nil, err
	}
	defer index.remove()
	if err := index.add(ctx, base.Commit, entries, then); err != nil {
		return nil, nil, err
	}
	differ := func(ignored string) (map[string]bool, error) {
		args := compareArgs(base.Commit, head, rawForm, []string{"--no-renames", "--ignore-submodules=" + ignored})
		records, _, err := p.compare(ctx, index.call(append(args, pathspecs(paths)...)))
		set := map[string]bool{}
		for _, r := range records {
			set[r.Path] = true
		}
		return set, err
	}
	moved, err := differ("dirty") // to another commit
	if err != nil {
		return nil, nil, err
	}
	differs, err := differ("none") // or not clean
	if err != nil {
		return nil, nil, err
	}
	unclean := map[string]bool{}
	for _, f := range s.Files {
		unclean[string(f.Path)] = f.Unclean
	}
	var notices []string
	list = slices.DeleteFunc(list, func(c diff.Change) bool {
		if c.Kind != diff.Submodule || c.Status != diff.Modified || moved[c.Path] {
			return false
		}
		if !differs[c.Path] {
			return true
		}
		if !unclean[c.Path] {
			return false
		}
		notices = append(notices, fmt.Sprintf("submodule %q was not clean when the prompt was captured: "+
			"later uncommitted changes in it cannot be detected", c.Path))
		return true
	})
	return list, notices, nil
}

// entriesOf returns the objects of files in the tree of a snapshot.
func (p *Engine) entriesOf(ctx context.Context, base diff.Base, paths []string) (map[string]string, error) {
	args := compareArgs(p.emptyTree(), diff.Head{Kind: diff.Commit, Commit: base.Commit}, rawForm, []string{"--no-renames"})
	records, _, err := p.compare(ctx, git.Call{Args: append(args, pathspecs(paths)...), Env: p.snapshotObjects(base)})
	objects := map[string]string{}
	for _, r := range records {
		objects[r.Path] = r.NewObject
	}
	return objects, err
}
