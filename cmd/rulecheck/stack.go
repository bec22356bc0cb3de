package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/past/history"
)

// stackFlags are the flags about a stack of commits.
type stackFlags struct {
	commits    string // BASE..HEAD; empty: no stack
	eachCommit bool
}

// maxStack bounds the commits that are held at a time.
const maxStack = 1000

func (f *stackFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.commits, "stack", "", "check each commit of `BASE..HEAD` against its parent, and all of them together")
	flags.BoolVar(&f.eachCommit, "each-commit", false, "with --stack: fail also on findings that the rest of the stack repairs")
	for _, other := range []string{"since", "from", "to", "staged", "fix", "message", "attest"} {
		if flags.Lookup(other) != nil {
			cmd.MarkFlagsMutuallyExclusive("stack", other)
		}
	}
}

// ends returns the ends of the range as they are written.
func (f *stackFlags) ends() (base, head string, err error) {
	switch base, head, ok := usage.Range(f.commits); {
	case f.commits == "" && f.eachCommit:
		return "", "", errors.New("--each-commit is about a stack; add --stack BASE..HEAD")
	case f.commits == "":
		return "", "", nil
	case !ok || strings.Contains(f.commits, "...") || strings.Contains(head, ".."):
		return "", "", fmt.Errorf("--stack %q; want the commits of a stack as BASE..HEAD, such as main..HEAD", f.commits)
	default:
		return base, head, nil
	}
}

// valid returns what is wrong with the flags of a check.
func (f *stackFlags) valid(o check.Options) error {
	_, _, err := f.ends()
	if err == nil && f.commits != "" && len(o.Paths) > 0 { // a file may have another name in each commit
		return fmt.Errorf("--stack is about whole commits; omit %q", o.Paths[0])
	}
	return err
}

// check checks a change or, if one is given, a stack.
func (f *stackFlags) check(ctx context.Context, p *process, engine diff.Engine, o check.Options) (*check.Result, error) {
	base, head, err := f.ends()
	switch {
	case err != nil:
		return nil, err
	case base == "":
		return check.Complete(ctx, engine, o)
	case p.repo == nil:
		return nil, diff.NeedsGit("a stack")
	}
	return check.Stack(ctx, engine, o, check.StackOptions{
		Base: base, Head: head, EachCommit: f.eachCommit,
		Units: func() ([]diff.Unit, error) { return p.stackUnits(ctx, engine, base, head) },
		Since: func(ctx context.Context, base string, commits []string) (map[string][]diff.Change, error) {
			return history.Since(ctx, p.repo, base, commits)
		},
	})
}

// stackUnits returns the commits of a stack, oldest first.
func (p *process) stackUnits(ctx context.Context, engine diff.Engine, base, head string) (units []diff.Unit, err error) {
	for u, err := range history.Units(ctx, p.repo, history.Range{From: base + "^{commit}", To: head + "^{commit}", Names: true, OldestFirst: true}) {
		if err != nil && u.Commit == "" {
			for _, ref := range []string{base, head} { // the engine knows what to do about an unknown one
				if _, unknown := engine.Head(ctx, diff.Commit, ref); unknown != nil {
					return nil, unknown
				}
			}
		}
		switch {
		case err != nil:
			return nil, err
		case len(units) == maxStack:
			return nil, fmt.Errorf("--stack %s..%s has more than %d commits", base, head, maxStack)
		case len(units) > 0 && !u.Cut && u.Parent != units[len(units)-1].Commit:
			return nil, fmt.Errorf("--stack %s..%s is no stack: the first parent of %s is not %s", base, head, u.Commit, units[len(units)-1].Commit)
		}
		units = append(units, u)
	}
	return units, nil
}
