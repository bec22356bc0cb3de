package diff

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc/pool"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Capture records what is there now, for the base Prompt, and drops snapshots that
// are too many or too old. It writes below the git directory's rulecheck/prompts
// alone: neither refs nor index nor the repository's objects, of which git at most
// renews the dates, as it does when it is to store one that is there already.
// Captures wait for one another. One that is interrupted leaves no snapshot.
func (p *Program) Capture(ctx context.Context, now time.Time) (*Snapshot, error) {
	if p.repo.Bare {
		return nil, &UnjudgeableError{Reason: "there is no working tree here"}
	}
	unlock, err := lockPrompts(ctx, p.repo.GitDir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	id, err := nextID(p.repo.GitDir)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Version: manifestVersion, ID: id, Time: now.UTC(), Commit: p.repo.Head, Branch: p.repo.Branch}
	if err := p.capture(ctx, s); err != nil {
		_ = remove(p.repo.GitDir, id) // what stays is removed by the next capture
		return nil, err
	}
	return s, prune(p.repo.GitDir, now)
}

func (p *Program) capture(ctx context.Context, s *Snapshot) error {
	objects := s.objects(p.repo.GitDir)
	home := filepath.Dir(objects)
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return err
	}
	private := filepath.Join(home, "index.d")
	if err := os.Mkdir(private, 0o700); err != nil {
		return err
	}
	index := &privateIndex{repo: p.repo, dir: private, config: quiet, env: p.repo.OnlyInto(objects)}
	defer index.discard()
	if err := copyIndex(p.repo.IndexFile, index.file()); err != nil {
		return err
	}
	differing, err := p.differing(ctx, index)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(differing, func(f SnapshotFile) bool { return f.State == Conflict }) {
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
	if err := p.lookInside(ctx, index, s.Files); err != nil {
		return err
	}
	index.discard()
	if err := share(p.repo.GitDir, s); err != nil {
		return err
	}
	return finish(home, s)
}

// quiet adds to apart that a file is taken as git add takes it, without the
// refusal to convert line ends that cannot be converted back.
var quiet = slices.Concat(apart, []string{"-c", "core.safecrlf=false"})

// differing lists in byte order what is not as the index has it. A repository
// within this one has a final slash where it is untracked.
func (p *Program) differing(ctx context.Context, index *privateIndex) ([]SnapshotFile, error) {
	var records []record
	var listed []byte
	both := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	both.Go(func(ctx context.Context) (err error) {
		records, _, err = p.compared(ctx, index.call(againstIndex))
		return err
	})
	both.Go(func(ctx context.Context) error {
		res, err := p.repo.Do(ctx, git.Call{Args: untrackedArgs})
		listed = res.Stdout
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	var list []SnapshotFile
	for _, c := range changes(records) {
		f := SnapshotFile{Path: FileName(c.Path), State: Dirty, Mode: c.Mode}
		if state, ok := stateOf[c.Status]; ok {
			f.State = state
		}
		list = append(list, f)
	}
	for _, name := range names(listed) {
		list = append(list, SnapshotFile{Path: FileName(name), State: Untracked})
	}
	slices.SortFunc(list, func(a, b SnapshotFile) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return list, nil
}

// stateOf is the state of a file after each status that is not just another content.
var stateOf = map[Status]FileState{Deleted: Missing, Unmerged: Conflict}

// againstIndex are the arguments that compare the working tree with the index.
var againstIndex = slices.Concat(comparison[Worktree], pinned, rawForm, []string{"--no-renames", "--"})

// writeTree stores the index as a tree. Objects it does not look for: those of
// files that did not change may be at a partial clone's remote.
func (x *privateIndex) writeTree(ctx context.Context) (string, error) {
	res, err := x.repo.Do(ctx, x.call([]string{"write-tree", "--missing-ok"}))
	return strings.TrimSpace(string(res.Stdout)), lacking(err)
}
