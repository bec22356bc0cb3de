// Package history reads the past of a repository as units: commits with the changes since
// their parent, from one git log process.
package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Range selects units. The zero value selects none: To is required.
type Range struct {
	To    string    // id of the newest commit
	From  string    // id of a commit that, with its ancestors, is left out; empty: none is
	Max   int       // the newest so many units; 0: all
	Since time.Time // units since this time; zero: all

	OldestFirst bool
	// Names is true if From and To are revisions as a user writes them, and no ids.
	Names bool
	// ExactRenames finds the renames of unchanged files only, without reading any file: for
	// uses that look at names, many times faster, and possible in partial clones.
	ExactRenames bool
	// Only are ids of the commits to read, in their order, instead of To and what leads to it.
	Only []string
	// Commits selects every single commit except merges, instead of the first parents of
	// To, each with what it merged.
	Commits bool
}

// errStopped ends the process when the caller needs no more units.
var errStopped = errors.New("stopped")

// Units returns the units of a range, newest first, while git reads them. Memory is bound by
// the largest unit. A unit that comes with an error could not be read alone: a
// *diff.NoVerdictError names the object that the repository lacks. After any other error there
// are no more units.
func Units(ctx context.Context, repo *git.Repo, r Range) iter.Seq2[diff.Unit, error] {
	return func(yield func(diff.Unit, error) bool) {
		cut, err := shallowCommits(repo)
		if err == nil {
			err = r.check()
		}
		w := &walk{repo: repo, of: r, cut: cut, yield: yield}
		if err == nil {
			err = w.run(ctx)
		}
		if err != nil && !w.over {
			yield(diff.Unit{}, err)
		}
	}
}

// check refuses anything but ids of commits, which are no options of git.
func (r Range) check() error {
	if r.Only != nil {
		if i := slices.IndexFunc(r.Only, func(id string) bool { return !git.IsObjectID(id) }); i >= 0 {
			return fmt.Errorf("%q is no id of a commit", r.Only[i])
		}
		return nil
	}
	if r.Names { // what follows --end-of-options is no option
		return nil
	}
	if !git.IsObjectID(r.To) || r.From != "" && !git.IsObjectID(r.From) {
		return fmt.Errorf("%q to %q is no range; want ids of commits", r.From, r.To)
	}
	return nil
}

// args returns the arguments of git log before those that select commits. They fix what the
// configuration would change.
func (r Range) args() []string {
	return slices.Concat([]string{
		"-c", "log.showRoot=true", "log", "--no-show-signature", "--no-decorate", "--encoding=UTF-8",
		"--format=" + format, "--diff-merges=first-parent",
	}, program.RawArgs(), r.renames())
}

// renames returns the options that replace the usual search for renames.
func (r Range) renames() []string {
	if r.ExactRenames {
		return []string{"--find-renames=100%"}
	}
	return nil
}

// selection returns the arguments that select the commits.
func (r Range) selection() []string {
	args := []string{"--first-parent"}
	if r.Commits {
		args = []string{"--no-merges"}
	}
	if r.OldestFirst {
		args = append(args, "--reverse")
	}
	if r.Max > 0 {
		args = append(args, "--max-count="+strconv.Itoa(r.Max))
	}
	if !r.Since.IsZero() {
		args = append(args, "--since="+strconv.FormatInt(r.Since.Unix(), 10))
	}
	args = append(args, "--end-of-options", r.To)
	if r.From != "" {
		args = append(args, "^"+r.From)
	}
	return append(args, "--")
}

// shallowCommits returns the commits whose parents a shallow clone lacks.
func shallowCommits(repo *git.Repo) (map[string]bool, error) {
	cut := map[string]bool{}
	if !repo.Shallow {
		return cut, nil
	}
	text, err := regular.ReadAtMost(filepath.Join(repo.CommonDir, "shallow"), regular.Text)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for id := range strings.FieldsSeq(string(text)) {
		cut[id] = true
	}
	return cut, nil
}

// Since returns, by commit, the changes from one commit to each of others that differ from it, with
// the renames that a check finds.
func Since(ctx context.Context, repo *git.Repo, base string, commits []string) (map[string][]diff.Change, error) {
	var pairs strings.Builder
	for _, id := range append(commits, base) {
		if !git.IsObjectID(id) {
			return nil, fmt.Errorf("%q is no id of a commit", id)
		}
		if id != base {
			pairs.WriteString(id + " " + base + "\n") // git diff-tree takes the second for the parent
		}
	}
	changes := map[string][]diff.Change{}
	_, err := repo.Do(ctx, git.Call{
		Args:  slices.Concat([]string{"diff-tree", "--stdin", "-r", "--encoding=UTF-8", "--format=" + format}, program.RawArgs()),
		Stdin: strings.NewReader(pairs.String()), Large: true,
		Read: func(from io.Reader) error {
			return parse(from, func(u diff.Unit) error {
				changes[u.Commit] = u.Changes
				return nil
			})
		},
	})
	return changes, program.MissingObject(err)
}
