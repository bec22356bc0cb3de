package history

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// walk reads the units of a range. git ends where the repository lacks an object, and is then
// started again behind that commit.
type walk struct {
	repo   *git.Repo
	of     Range
	cut    map[string]bool
	yield  func(diff.Unit, error) bool
	done   int        // units that were yielded
	over   bool       // the caller needs no more
	unsure *diff.Unit // the last one, which may not be whole if git failed
}

// maxUnread is the number of units that may be unreadable before the walk ends.
const maxUnread = 1000

func (w *walk) run(ctx context.Context) error {
	ids := w.of.Only
	var err error
	if ids != nil {
		err = w.these(ctx, ids)
	} else {
		err = w.read(ctx, git.Call{Args: slices.Concat(w.of.args(), w.of.selection()), Large: true})
	}
	if Lacking(err) == nil {
		return err
	}
	if ids == nil {
		out, failed := w.repo.Run(ctx, slices.Concat([]string{"rev-list"}, w.of.selection())...)
		if failed != nil {
			return program.MissingObject(failed)
		}
		ids = strings.Fields(string(out))
	}
	from := w.done // of ids, the first that was not yielded
	for range maxUnread {
		if w.over { // git may have failed before it was stopped
			return errStopped
		}
		if err := w.one(ctx, ids[from]); err != nil || w.over {
			return err
		}
		rest, before := ids[from+1:], w.done
		if len(rest) == 0 {
			return nil
		}
		if err = w.these(ctx, rest); Lacking(err) == nil {
			return err
		}
		from += 1 + w.done - before
	}
	return err
}

// one reads one commit, with the error if git cannot list its changes.
func (w *walk) one(ctx context.Context, id string) error {
	err := w.these(ctx, []string{id})
	if Lacking(err) == nil {
		return err
	}
	args := []string{"log", "--no-show-signature", "--no-decorate", "--encoding=UTF-8", "-z", "--no-patch", "--format=" + format, "--max-count=1", "--end-of-options", id, "--"}
	_, failed := w.repo.Do(ctx, git.Call{Args: args, Read: func(from io.Reader) error {
		return parse(from, func(u diff.Unit) error { return w.pass(u, err) })
	}})
	return failed
}

// these reads commits in their order.
func (w *walk) these(ctx context.Context, ids []string) error {
	args := slices.Concat(w.of.args(), []string{"--no-walk=unsorted", "--stdin"})
	return w.read(ctx, git.Call{Args: args, Stdin: strings.NewReader(strings.Join(ids, "\n") + "\n"), Large: true})
}

// read yields the units that git prints. The last one counts only if git succeeds.
func (w *walk) read(ctx context.Context, c git.Call) error {
	w.unsure = nil
	c.Read = func(from io.Reader) error {
		return parse(from, func(u diff.Unit) (err error) {
			if w.unsure != nil {
				err = w.pass(*w.unsure, nil)
			}
			w.unsure = &u
			return err
		})
	}
	if _, err := w.repo.Do(ctx, c); err != nil {
		return program.MissingObject(err)
	}
	if w.unsure == nil {
		return nil
	}
	return w.pass(*w.unsure, nil)
}

// pass yields a unit.
func (w *walk) pass(u diff.Unit, err error) error {
	if w.cut[u.Commit] {
		u.Parent, u.Merged, u.Changes, u.Cut = "", nil, nil, true
	}
	if w.over {
		return errStopped
	}
	w.done++
	if w.over = !w.yield(u, err); w.over {
		return errStopped
	}
	return nil
}

// Lacking returns the error that the repository lacks an object; nil if err is another one.
func Lacking(err error) *diff.NoVerdictError {
	if missing, ok := errors.AsType[*diff.NoVerdictError](err); ok && missing.Lacks {
		return missing
	}
	return nil
}
