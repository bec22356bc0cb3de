package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// comparison is the diff command of each kind of head, whole but for the form of
// its output, the base and, for a commit, the head. The porcelain git diff
// serves the working tree because it alone compares content where a file's
// times are new; what configuration would change in it is pinned.
var comparison = map[HeadKind][]string{
	Worktree: slices.Concat(forSubmodules, []string{"diff", "--no-relative"}),
	Index:    {"diff-index", "--cached", "--ita-invisible-in-index"},
	Commit:   {"diff", "--no-relative", "-O/dev/null"}, // a sixth faster than diff-tree -r
}

// forSubmodules is the configuration that reaches into the git status which git
// diff starts in each submodule, where no option does.
var forSubmodules = []string{
	"-c", "diff.orderFile=/dev/null", "-c", "diff.ignoreSubmodules=none", "-c", "status.showUntrackedFiles=normal",
}

// pinned hold for every comparison: .gitmodules would hide submodules even from
// plumbing.
var pinned = []string{"--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"}

var (
	rawForm     = []string{"--raw", "-z", "--no-abbrev"}
	withRenames = []string{"-M50%", "-l1000"}
)

// compare is the argument list of one comparison from base to head.
func compare(base string, head Head, form ...[]string) []string {
	args := slices.Concat(comparison[head.Kind], pinned, slices.Concat(form...), []string{base})
	if head.Kind == Commit {
		args = append(args, head.Commit)
	}
	return append(args, "--")
}

// Changes is the one net diff from base to head. It fails with an
// *UnjudgeableError where the index is unmerged and to be judged, or an object
// is needed that a partial clone lacks.
func (p *Program) Changes(ctx context.Context, base Base, head Head) (Changeset, error) {
	if changes := p.first.compared(base, head); changes != nil {
		return changes()
	}
	return p.compareWith(ctx, base, head)
}

func (p *Program) compareWith(ctx context.Context, base Base, head Head) (Changeset, error) {
	set := Changeset{Base: base, Head: head}
	if head.Kind == Worktree {
		snapshot, err := p.snapshotOf(base)
		if err != nil {
			return Changeset{}, err
		}
		if snapshot != nil {
			set.Changes, set.Notices, err = p.sincePrompt(ctx, base, head, snapshot)
		} else {
			set.Changes, set.Notices, err = p.worktree(ctx, base, head, nil)
		}
		return set, err
	}
	told, err := p.net(ctx, base, head)
	if err != nil {
		return Changeset{}, err
	}
	p.remember(base, head, told.records)
	set.Changes, set.Notices = changes(told.records), told.notices
	return set, settledIndex(set.Changes)
}

// net compares base with an index or a commit.
func (p *Program) net(ctx context.Context, base Base, head Head) (a answer, err error) {
	if head.Kind == Index && base.Commit == p.repo.Head {
		return p.staged(ctx)
	}
	a.records, a.notices, err = p.compared(ctx, git.Call{
		Args: compare(base.Commit, head, rawForm, withRenames), Env: p.reading(base),
	})
	return a, err
}

// settledIndex refuses an index in the middle of a merge: it is no tree yet.
func settledIndex(list []Change) error {
	first, n := "", 0
	for _, c := range list {
		if c.Status == Unmerged {
			if n++; n == 1 {
				first = c.Path
			}
		}
	}
	if n == 0 {
		return nil
	}
	quoted := strconv.Quote(first)
	reason := quoted + " is unmerged"
	if n > 1 {
		reason = fmt.Sprintf("%d paths are unmerged, the first is %s", n, quoted)
	}
	if strings.Trim(quoted, `"`) == first && !strings.ContainsAny(first, " $`*?[#&;|<>()'!~{}") {
		quoted = first
	}
	return &UnjudgeableError{Reason: reason + ": resolve the conflicts", Mend: "git add -- " + quoted}
}

// compared runs one raw comparison.
func (p *Program) compared(ctx context.Context, c git.Call) (records []record, notices []string, err error) {
	res, err := p.storeless(ctx, c)
	if err != nil {
		return nil, nil, lacking(err)
	}
	records, err = parseRaw(res.Stdout)
	return records, noticed(res.Stderr), err
}

// lacking recognises git's failure to get an object a partial clone left at its
// remote.
func lacking(err error) error {
	failed := (*git.Error)(nil)
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "from promisor remote") {
		return &UnjudgeableError{
			Reason: "this partial clone has not fetched an object that is needed",
			Mend:   "rulecheck --allow-lazy-fetch",
			Err:    err,
		}
	}
	return err
}

// noticed picks from git's warnings the one that tells of an incomplete answer.
// Older gits call the search inexact, newer ones exhaustive.
func noticed(stderr []byte) []string {
	if !strings.Contains(string(stderr), "rename detection was skipped due to too many files") {
		return nil
	}
	return []string{truncatedSearch}
}

const truncatedSearch = "too many files to compare: a file that was renamed and edited may be listed as deleted and added"
