package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// teachFlags are the flags of teach.
type teachFlags struct {
	propose.Options

	good, bad []string
	write     string
	format    string
}

// firstRule is the value of --write without a name.
const firstRule = "first"

func newTeach(p *process) *cobra.Command {
	f := &teachFlags{}
	cmd := &cobra.Command{
		Use:   "teach --bad COMMIT [--good COMMIT]",
		Short: "Find the rule that fires on bad commits and not on good ones",
		Long: `Find the smallest rules that fire on each bad commit and on no good one: a bad commit
lacks the change of a file, and a good one has it.

The rules that past commits followed most often come first. Without --good, good
commits are taken from those that changed the same files as the bad one. Each commit
counts with everything that it merged.

Exit status: 0 done, 2 wrong usage, malformed rules or commits that no rule separates,
3 history could not be read.`,
		Example: `  rulecheck teach --good 1a2b3c4 --bad 5d6e7f8
  rulecheck teach --good v1.0~3,v1.0~7 --bad HEAD --write
  rulecheck teach --bad HEAD --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.teach(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.good, "good", nil, "fire on none of `COMMIT,...`")
	flags.StringSliceVar(&f.bad, "bad", nil, "fire on each of `COMMIT,...`")
	flags.IntVar(&f.Limit, "limit", 3, "print at most `N` rules; 0: up to 10")
	flags.IntVarP(&f.Commits, "number", "n", propose.Commits, "read at most the newest `N` commits; 0: all")
	flags.StringVar(&f.write, "write", "", "write the first rule, or with --write=`ID` the one with this id")
	flags.Lookup("write").NoOptDefVal = firstRule
	flags.StringVar(&f.format, "format", "text", "print the rules as `NAME`: text, json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(suggestFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *teachFlags) check() error {
	switch {
	case !slices.Contains(suggestFormats, f.format):
		return fmt.Errorf("--format: unknown format %q%s", f.format, suggest.OneOf(f.format, suggestFormats))
	case len(f.bad) == 0:
		return errors.New("no bad commit; want --bad COMMIT, on which the rule must fire")
	}
	return nil
}

func (p *process) teach(cmd *cobra.Command, f *teachFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	project, err := p.openProject(cmd, f.write != "")
	if err != nil {
		return err
	}
	defer project.close()
	resolve := func(flag string, names []string) ([]string, error) {
		var ids []string
		for _, name := range names {
			head, err := project.engine.Head(cmd.Context(), diff.Commit, name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			if !slices.Contains(ids, head.Commit) {
				ids = append(ids, head.Commit)
			}
		}
		return ids, nil
	}
	good, err := resolve("--good", f.good)
	if err != nil {
		return err
	}
	bad, err := resolve("--bad", f.bad)
	if err != nil {
		return err
	}
	project.complete(&f.Options)
	status := terminal.NewStatus(p.stderr, p.getenv, false)
	status.Show("reading past commits")
	found, err := propose.Teach(cmd.Context(), project.engine, p.repo, good, bad, f.Options)
	status.End()
	if err != nil {
		return unproposed(err)
	}
	if f.format == "json" {
		err = p.printJSON("teach", found)
	} else {
		p.printProposal(found)
		p.prose("%s\n", found.Lesson())
	}
	if err != nil || f.write == "" || len(found.Rules) == 0 {
		return err
	}
	chosen := found.Rules[:1]
	if f.write != firstRule {
		i := slices.IndexFunc(found.Rules, func(r propose.Proposed) bool { return r.ID == f.write })
		if i < 0 {
			var ids []string
			for _, r := range found.Rules {
				ids = append(ids, r.ID)
			}
			return fmt.Errorf("--write=%s: no such rule; want one of %s", f.write, strings.Join(ids, ", "))
		}
		chosen = found.Rules[i : i+1]
	}
	return p.writeRules(project, chosen, f.format)
}
