package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// tryFlags are the flags of try.
type tryFlags struct {
	checkFlags

	past    bool
	number  int
	view    replay.View
	formats []string // of a check or of a replay
}

func newTry(p *process) *cobra.Command {
	f := &tryFlags{}
	cmd := &cobra.Command{
		Use:   "try RULE",
		Short: "Try a rule without a file, on the change or on past commits",
		Long: `Try a rule that is in no file: check the change with it, or with --past the newest
commits. RULE is the frontmatter of a rule file, in one line or in several; instructions
may follow after a line "---". With "-" the rule is read from standard input. No other
rule is checked, and nothing is written.

Exit status: that of rulecheck or, with --past, of rulecheck replay.`,
		Example: `  rulecheck try 'pair: {trigger: "src/**", expects: CHANGELOG.md}'
  rulecheck try 'forbid: {files: "**/*.py", lines: "^import pdb"}' --since main
  rulecheck try 'set: ["src/{name}.py", "tests/test_{name}.py"]' --past -n 500 --list
  rulecheck try - --past <draft.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			argument := args[0]
			if argument != "" && argument != "-" && !strings.ContainsAny(argument, ":{\n") {
				id := strings.TrimSuffix(path.Base(filepath.ToSlash(argument)), ".md")
				return fmt.Errorf("%q has no keys; want a rule such as 'set: [\"src/{name}.py\", \"tests/test_{name}.py\"]', or for a rule of the repository: rulecheck replay %s", argument, id)
			}
			if argument == "-" {
				text, err := io.ReadAll(io.LimitReader(p.stdin, regular.Text+1))
				if err != nil {
					return evaluationError{err}
				}
				if len(text) > regular.Text {
					return fmt.Errorf("the rule on standard input is longer than %d bytes", regular.Text)
				}
				argument = string(text)
			}
			f.Draft = draftOf(argument)
			if f.past {
				return p.tryPast(cmd, f, argument)
			}
			for _, name := range []string{"number", "list", "all"} {
				if cmd.Flags().Changed(name) {
					return errors.New("--" + name + " is about past commits; add --past")
				}
			}
			return p.try(cmd, f, argument)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Since, "since", "", "compare with the merge base with `REF`")
	flags.StringVar(&f.From, "from", "", "compare with the commit `REF`; with --past, try the commits after it")
	flags.StringVar(&f.To, "to", "", "check the commit `REF` instead of the working tree; with --past, try the commits up to it")
	flags.BoolVar(&f.Staged, "staged", false, "check the index: what will be committed")
	flags.BoolVar(&f.past, "past", false, "try the rule on past commits, as rulecheck replay does")
	flags.IntVarP(&f.number, "number", "n", replayedUnits, "with --past, try at most the newest `N` commits; 0: all")
	registerView(cmd, &f.view)
	flags.StringArrayVar(&f.formats, "format", nil, "write `NAME[=FILE]`, repeatable: the formats of rulecheck or, with --past, of rulecheck replay")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print complete lists, and each git process on standard error")
	cmd.MarkFlagsMutuallyExclusive("since", "from")
	cmd.MarkFlagsMutuallyExclusive("staged", "to")
	cmd.MarkFlagsMutuallyExclusive("past", "since")
	cmd.MarkFlagsMutuallyExclusive("past", "staged")
	return cmd
}

// triedName is how messages call the argument, and triedFile is its file in memory.
const (
	triedName = "RULE"
	triedFile = "try.md"
)

// noInstructions is the body of a rule without instructions, which are not shown.
const noInstructions = "No instructions."

// draftOf returns the rule of an argument as the only one. It is an error in the argument if
// the frontmatter is malformed, as in a file.
func draftOf(argument string) *setup.Draft {
	source := argument
	if !isRuleFile(argument) {
		source = "---\n" + argument
		if !strings.Contains(argument, "\n---\n") {
			source += "\n---\n" + noInstructions + "\n"
		}
	}
	memory := fstest.MapFS{triedFile: {Data: []byte(source)}}
	return &setup.Draft{Rules: []rule.Directory{{Tier: rule.ProjectTier, FS: memory, Dir: "."}}}
}

// isRuleFile reports whether an argument is a whole rule file.
func isRuleFile(argument string) bool { return strings.HasPrefix(argument, "---\n") }

// placeInArgument gives problems of the rule their places in the argument.
func placeInArgument(problems []finding.Problem, argument string) {
	for i := range problems {
		if x := &problems[i]; x.File == triedFile {
			x.File = triedName
			if !isRuleFile(argument) {
				x.Line = max(x.Line-1, 1)
			}
		}
	}
}

// try checks the change.
func (p *process) try(cmd *cobra.Command, f *tryFlags, argument string) error {
	for _, value := range f.formats {
		if err := (*outputs)(&f.outputs).Set(value); err != nil {
			return err
		}
	}
	repo, err := p.open(cmd.Context(), p.gitOptions(&f.checkFlags))
	if err != nil {
		return err
	}
	o, err := p.options(&f.checkFlags)
	if err != nil {
		return err
	}
	status := terminal.NewStatus(p.stderr, p.getenv, f.verbose)
	o.Progress = status.Show
	rep, err := check.Run(cmd.Context(), repo, o)
	status.End()
	if rep != nil {
		placeInArgument(rep.Errors, argument)
		withoutInstructions(rep)
	}
	return p.finish(rep, err, &f.checkFlags)
}

// withoutInstructions removes those that a rule without a body got.
func withoutInstructions(rep *report.Report) {
	for i := range rep.Rules {
		if x := &rep.Rules[i]; strings.TrimSpace(x.Body) == noInstructions {
			x.Body = ""
		}
	}
	for i := range rep.Findings {
		if x := &rep.Findings[i]; strings.TrimSpace(x.Body) == noInstructions {
			x.Body = ""
		}
	}
}

// tryPast replays the rule.
func (p *process) tryPast(cmd *cobra.Command, f *tryFlags, argument string) error {
	var outputs replayOutputs
	for _, value := range f.formats {
		if err := outputs.Set(value); err != nil {
			return err
		}
	}
	o := replay.Options{From: f.From, To: f.To, MaxFiles: replay.DefaultMaxFiles, View: f.view}
	o.Range.Max = f.number
	if f.From != "" && !cmd.Flags().Changed("number") {
		o.Range.Max = 0
	}
	f.RulesFrom = check.RulesFromWorktree
	result, err := p.replayed(cmd, &f.checkFlags, o, replay.Run)
	if err != nil {
		return err
	}
	placeInArgument(result.Errors, argument)
	return p.writeReplay(result, outputs)
}
