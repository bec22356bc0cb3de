package program

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// comparison holds the diff command of each kind of head, complete except for the form of
// its output, the base and, for a commit, the head. The working tree is compared by the
// porcelain git diff, the only one that compares content if a file's times are new; the
// options below fix what configuration would change in it.
var comparison = map[diff.HeadKind][]string{
	diff.Worktree: slices.Concat(forSubmodules, []string{"diff", "--no-relative"}),
	diff.Index:    slices.Concat(forIndex, []string{"diff-index", "--cached", "--ita-invisible-in-index"}),
	diff.Commit:   slices.Concat([]string{"diff"}, ofCommits), // a sixth faster than diff-tree -r
}

// ofCommits are options of every comparison of commits.
var ofCommits = []string{"--no-relative", "-O/dev/null"}

// forIndex keeps git from looking whether files exist that a sparse checkout leaves out: no entry
// of an index differs by that, and it takes half the time of a comparison.
var forIndex = []string{"-c", "sparse.expectFilesOutsideOfPatterns=true"}

// forSubmodules is the configuration that reaches the git status which git diff starts in
// each submodule; options do not.
var forSubmodules = []string{
	"-c", "diff.orderFile=/dev/null", "-c", "diff.ignoreSubmodules=none", "-c", "status.showUntrackedFiles=normal",
}

// pinned applies to every comparison: .gitmodules would hide submodules even from plumbing.
var pinned = []string{"--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"}

var (
	rawForm     = []string{"--raw", "-z", "--no-abbrev"}
	withRenames = []string{"-M50%", "-l1000"}
)

// RawArgs returns the options with which git log prints the changes of a commit as Changes
// finds them between two.
func RawArgs() []string { return slices.Concat(ofCommits, pinned, rawForm, withRenames) }

// compareArgs returns the arguments of one comparison from base to head.
func compareArgs(base string, head diff.Head, form ...[]string) []string {
	args := slices.Concat(comparison[head.Kind], pinned, slices.Concat(form...), []string{base})
	if head.Kind == diff.Commit {
		args = append(args, head.Commit)
	}
	return append(args, "--")
}

// comparesCommits reports whether the arguments are those of a comparison of commits.
func comparesCommits(args []string) bool {
	form := comparison[diff.Commit]
	return len(args) > len(form) && slices.Equal(args[:len(form)], form)
}

// compare runs one raw comparison.
func (p *Engine) compare(ctx context.Context, c git.Call) (records []diff.Record, notices []string, err error) {
	res, err := p.query(ctx, c)
	if err != nil {
		return nil, nil, MissingObject(err)
	}
	records, err = diff.ParseRecords(res.Stdout)
	return records, renameNotice(res.Stderr), err
}

// MissingObject recognises git's failure to read an object: one that a partial clone left at
// its remote, or one that the repository lacks.
func MissingObject(err error) error {
	failed := (*git.Error)(nil)
	if !errors.As(err, &failed) {
		return err
	}
	prints := func(text string) bool { return strings.Contains(failed.Stderr, text) }
	switch {
	case prints("from promisor remote") && (prints("Could not read from remote repository") || prints("unable to access")):
		return &diff.NoVerdictError{Reason: "git could not fetch an object from the remote of this partial clone", Fix: "git fetch", Err: err}
	case prints("from promisor remote"):
		return &diff.NoVerdictError{
			Reason: "this partial clone has not fetched an object that is needed",
			Fix:    diff.AllowLazyFetch,
			Err:    err,
		}
	case failed.Status < 0 && strings.HasPrefix(failed.Err.Error(), "signal: segmentation fault"):
		return &diff.NoVerdictError{Reason: "git crashed, as some versions do when the repository lacks an object that is needed", Fix: "git fsck", Err: err, Lacks: true}
	case prints("fatal: unable to read "):
		return &diff.NoVerdictError{Reason: "the repository lacks " + objectIn(failed.Stderr) + " that is needed", Fix: "git fetch --refetch", Err: err, Lacks: true}
	}
	return err
}

var unreadObject = lazyregexp.New(`unable to read (?:tree )?\(?([0-9a-f]{40,64})\b`)

// objectIn names the object that git could not read.
func objectIn(stderr string) string {
	if found := unreadObject().FindStringSubmatch(stderr); found != nil {
		return "the object " + found[1]
	}
	return "an object"
}

// renameNotice returns a notice if git warned that the search for renames is incomplete.
func renameNotice(stderr []byte) []string {
	if !strings.Contains(string(stderr), "rename detection was skipped due to too many files") {
		return nil
	}
	return []string{diff.TruncatedSearch}
}
