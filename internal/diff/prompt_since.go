package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/git"
)

// prompted finds what was there at the last prompt: the working tree, the index or
// HEAD, whichever is judged now. Without a snapshot it is HEAD.
func prompted(repo repository, b Base, head Head) (Base, error) {
	here := repo.place()
	s, err := LastSnapshot(here.GitDir)
	if err != nil {
		return Base{}, err
	}
	if s == nil {
		b.Ref, b.Commit, b.FoundBy = "HEAD", here.Head, "HEAD, as no prompt was captured"
		if here.Head == "" {
			b.Ref, b.Commit, b.FoundBy = "", repo.emptyTree(), "the empty tree, as there is no commit yet"
		}
		return b, nil
	}
	at := "prompt " + s.ID + ", captured at " + s.Time.UTC().Format(time.RFC3339)
	b.Ref = s.ID
	switch head.Kind {
	case Worktree:
		b.Commit, b.FoundBy = s.Tree, at
	case Index:
		if s.IndexTree == "" {
			return Base{}, &UnjudgeableError{
				Reason: "the index was unmerged when the last prompt was captured",
				Mend:   "rulecheck --staged --from HEAD",
			}
		}
		b.Commit, b.FoundBy = s.IndexTree, "index of "+at
	case Commit:
		b.Commit, b.FoundBy = s.Commit, "HEAD of "+at
		if s.Commit == "" {
			b.Commit = repo.emptyTree()
		}
	}
	return b, nil
}

// snapshotOf is the snapshot that base was taken from; nil for any other base.
func (p *Program) snapshotOf(base Base) (*Snapshot, error) {
	if base.ID != Prompt || !snapshotID().MatchString(base.Ref) {
		return nil, nil
	}
	s, err := ReadSnapshot(p.repo.GitDir, base.Ref)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &UnjudgeableError{Reason: "the snapshot of the prompt was dropped meanwhile", Mend: "rulecheck", Err: err}
	}
	return s, err
}

// reading is the environment of a call that needs the objects of base.
func (p *Program) reading(base Base) []string {
	if base.ID != Prompt || !snapshotID().MatchString(base.Ref) {
		return nil
	}
	return p.repo.AlsoObjects((&Snapshot{ID: base.Ref}).objects(p.repo.GitDir))
}

// sincePrompt is what is different in the working tree from a snapshot of it.
// Git compares all but the files whose content was not kept; it never sees them.
func (p *Program) sincePrompt(ctx context.Context, base Base, head Head, s *Snapshot) ([]Change, []string, error) {
	large, err := p.lookAgain(ctx, s.large())
	if err != nil {
		return nil, nil, err
	}
	var hidden []string
	for _, l := range large {
		if l.info != nil {
			hidden = append(hidden, string(l.Path))
		}
	}
	list, notices, err := p.worktree(ctx, base, head, hidden)
	if err != nil {
		return nil, nil, err
	}
	list, unsure, err := p.settleSubmodules(ctx, base, head, list, s)
	if err != nil || len(large) == 0 {
		return list, append(notices, unsure...), err
	}
	list, err = p.settleLarge(ctx, list, large)
	slices.SortStableFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list, append(notices, unsure...), err
}

// settleSubmodules looks again at submodules that git calls modified. To git one
// whose commit is not that of the index differs from any base; and one that is not
// clean differs from itself.
func (p *Program) settleSubmodules(ctx context.Context, base Base, head Head, list []Change, s *Snapshot) ([]Change, []string, error) {
	var paths, entries []string
	for _, c := range list {
		if c.Kind == Submodule && c.Status == Modified {
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
	index, err := p.privately(base)
	if err != nil {
		return nil, nil, err
	}
	defer index.discard()
	if err := index.add(ctx, base.Commit, entries, then); err != nil {
		return nil, nil, err
	}
	differ := func(ignored string) (map[string]bool, error) {
		args := compare(base.Commit, head, rawForm, []string{"--no-renames", "--ignore-submodules=" + ignored})
		records, _, err := p.compared(ctx, index.call(append(args, pathspecs(paths)...)))
		set := map[string]bool{}
		for _, r := range records {
			set[r.path] = true
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
	list = slices.DeleteFunc(list, func(c Change) bool {
		if c.Kind != Submodule || c.Status != Modified || moved[c.Path] {
			return false
		}
		if !differs[c.Path] {
			return true
		}
		if !unclean[c.Path] {
			return false
		}
		notices = append(notices, fmt.Sprintf("submodule %q was not clean when the prompt was captured: "+
			"what changed in it since and is not committed there cannot be told", c.Path))
		return true
	})
	return list, notices, nil
}

// entriesOf gives the objects of files in the tree of a snapshot.
func (p *Program) entriesOf(ctx context.Context, base Base, paths []string) (map[string]string, error) {
	args := compare(p.emptyTree(), Head{Kind: Commit, Commit: base.Commit}, rawForm, []string{"--no-renames"})
	records, _, err := p.compared(ctx, git.Call{Args: append(args, pathspecs(paths)...), Env: p.reading(base)})
	objects := map[string]string{}
	for _, r := range records {
		objects[r.path] = r.newObject
	}
	return objects, err
}
