package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
	switch base, head, ok := strings.Cut(f.commits, ".."); {
	case f.commits == "" && f.eachCommit:
		return "", "", errors.New("--each-commit is about a stack; add --stack BASE..HEAD")
	case f.commits == "":
		return "", "", nil
	case !ok || base == "" || strings.HasPrefix(head, ".") || strings.Contains(head, ".."):
		return "", "", fmt.Errorf("--stack %q; want the commits of a stack as BASE..HEAD, such as main..HEAD", f.commits)
	default:
		return base, rangeEnd(head), nil
	}
}

// valid returns what is wrong with the flags.
func (f *stackFlags) valid() error {
	_, _, err := f.ends()
	return err
}

// check checks a change or, if one is given, a stack.
func (f *stackFlags) check(ctx context.Context, p *process, engine diff.Engine, o check.Options) (*check.Result, error) {
	base, head, err := f.ends()
	if err != nil || base == "" {
		if err != nil {
			return nil, err
		}
		return check.Complete(ctx, engine, o)
	}
	if p.repo == nil {
		return nil, diff.NeedsGit("a stack")
	}
	from, err := engine.Head(ctx, diff.Commit, base)
	if err != nil {
		return nil, err
	}
	to, err := engine.Head(ctx, diff.Commit, head)
	if err != nil {
		return nil, err
	}
	of := check.StackOptions{Name: f.commits, Head: to, EachCommit: f.eachCommit}
	of.Since = func(ctx context.Context, base string, commits []string) (map[string][]diff.Change, error) {
		return history.Since(ctx, p.repo, base, commits)
	}
	for u, err := range history.Units(ctx, p.repo, history.Range{From: from.Commit, To: to.Commit, OldestFirst: true}) {
		switch {
		case err != nil:
			return nil, err
		case len(of.Units) == maxStack:
			return nil, fmt.Errorf("--stack %s has more than %d commits", f.commits, maxStack)
		}
		of.Units = append(of.Units, u)
	}
	if len(of.Units) == 0 {
		o.From, o.To = head, head // nothing changed
		result, err := check.Complete(ctx, engine, o)
		if err == nil {
			result.Report.Notices = append(result.Report.Notices, "the stack "+f.commits+" has no commits")
		}
		return result, err
	}
	return check.Stack(ctx, engine, o, of)
}
