package program

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// Capture records the current state for the base Prompt, and drops snapshots that are too
// many or too old. It writes only below the directory of snapshots: neither refs nor index
// nor the repository's objects, whose times git may renew.
func (p *Engine) Capture(ctx context.Context, now time.Time) (*snapshot.Snapshot, error) {
	if p.repo.Bare {
		return nil, &diff.NoVerdictError{Reason: "there is no working tree here"}
	}
	s := &snapshot.Snapshot{Time: now.UTC(), Commit: p.repo.Head, Branch: p.repo.Branch}
	err := snapshot.Capture(ctx, p.repo.GitDir, s, func(home string) error { return p.fill(ctx, s, home) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// fill stores the index and the working tree in a snapshot.
func (p *Engine) fill(ctx context.Context, s *snapshot.Snapshot, home string) error {
	private := filepath.Join(home, "index.d")
	if err := os.Mkdir(private, 0o700); err != nil {
		return err
	}
	index := &privateIndex{repo: p.repo, dir: private, config: quiet, env: p.repo.OnlyInto(s.Objects(p.repo.GitDir))}
	defer index.remove()
	if err := p.copyTo(ctx, index); err != nil {
		return err
	}
	if err := p.reveal(ctx, index); err != nil {
		return err
	}
	differing, err := p.differing(ctx, index)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(differing, func(f snapshot.File) bool { return f.State == snapshot.Conflict }) {
		if s.IndexTree, err = index.writeTree(ctx); err != nil {
			return err
		}
	}
	if s.Files, err = p.stageAll(ctx, index, differing); err != nil {
		return err
	}
	if s.Tree, err = index.writeTree(ctx); err != nil {
		return err
	}
	return p.markUnclean(ctx, index, s.Files)
}

// quiet also turns off git's refusal to convert line ends that cannot be converted back.
var quiet = slices.Concat(isolated, []string{"-c", "core.safecrlf=false"})

// differing lists the files that differ from the index, in byte order. An untracked nested
// repository has a final slash.
func (p *Engine) differing(ctx context.Context, index *privateIndex) ([]snapshot.File, error) {
	var group conc.WaitGroup
	defer group.Wait()
	untracked := async.Go(&group, func() ([]string, error) { return p.untracked(ctx) })
	records, _, err := p.compare(ctx, index.call(againstIndex))
	if err != nil {
		return nil, err
	}
	listed, err := untracked()
	if err != nil {
		return nil, err
	}
	var list []snapshot.File
	for _, c := range diff.ChangesOf(records) {
		f := snapshot.File{Path: snapshot.FileName(c.Path), State: snapshot.Dirty, Mode: c.Mode}
		if state, ok := stateOf[c.Status]; ok {
			f.State = state
		}
		list = append(list, f)
	}
	for _, name := range listed {
		list = append(list, snapshot.File{Path: snapshot.FileName(name), State: snapshot.Untracked})
	}
	slices.SortFunc(list, func(a, b snapshot.File) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return list, nil
}

// stateOf maps statuses to states; any other status means that the content differs.
var stateOf = map[diff.Status]snapshot.State{diff.Deleted: snapshot.Missing, diff.Unmerged: snapshot.Conflict}

// againstIndex compares the working tree with the index.
var againstIndex = slices.Concat(comparison[diff.Worktree], pinned, rawForm, []string{"--no-renames", "--"})

// writeTree stores the index as a tree. Missing objects are allowed: a partial clone may lack
// those of unchanged files.
func (x *privateIndex) writeTree(ctx context.Context) (string, error) {
	res, err := x.repo.Do(ctx, x.call([]string{"write-tree", "--missing-ok"}))
	if err == nil && len(res.Stdout) == 0 {
		err = noAnswer("write-tree")
	}
	return strings.TrimSpace(string(res.Stdout)), MissingObject(err)
}
