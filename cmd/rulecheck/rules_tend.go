package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/past/tend"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newRulesTend(p *process) *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use:   "tend",
		Short: "Edit rule files by what past commits show",
		Long: `Print, for each rule file of the repository, the edit that the newest 5,000 commits
of the main line suggest, and why. With --write, edit the files.

A pattern that no longer matches a file follows its files if all were renamed: a name
to the new name; a pattern with wildcards or captures to another directory or ending,
if it then matches precisely the renamed files.

A rule that fired in the newest three commits to which it applied, since its file
changed, goes down a level: from error to warning, and to note. A note is switched
off: "enabled: false" with a comment that has the reason and the date. A rule with
that comment is switched on again after it held in the newest thirty commits to which
it applied. Waived commits are left out. Rules with uncommitted changes only follow
their files.

Nothing else in a file changes. A file that is malformed, or that changes in the
meantime, is left as it is.

Exit status: 0 done, 2 wrong usage or malformed rules, 3 history could not be read.`,
		Example: `  rulecheck rules tend
  rulecheck rules tend --write`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.tend(cmd, write) },
	}
	cmd.Flags().BoolVar(&write, "write", false, "edit the files")
	return cmd
}

func (p *process) tend(cmd *cobra.Command, write bool) error {
	project, err := p.openProject(cmd, write)
	if err != nil {
		return err
	}
	defer project.close()
	status := terminal.NewStatus(p.stderr, p.getenv, false)
	status.Show("reading past commits")
	found, err := tend.Find(cmd.Context(), project.engine, p.repo, project.Project, check.Options{Version: version, Agents: agents.Ring{}})
	status.End()
	if err != nil {
		return classify(err)
	}
	for _, e := range found.Edits {
		for _, reason := range e.Reasons {
			p.prose("%s: %s\n", plain.Line(e.File), plain.Line(reason))
		}
		if !write {
			_, text, _ := strings.Cut(string(diff.Diff("a/"+e.File, e.Before, "b/"+e.File, e.After)), "\n") // the line "diff a b"
			p.print("%s\n", plain.Block(text))
		}
	}
	for _, notice := range found.Notices {
		p.prose("notice: %s\n", plain.Line(notice))
	}
	if !write {
		p.prose("%s", tendSummary(len(found.Edits)))
		return nil
	}
	written, err := tend.Write(project.root, found.Edits)
	p.printWritten(written)
	if err != nil {
		return evaluationError{err}
	}
	return nil
}

// tendSummary returns the last line if nothing is written.
func tendSummary(edits int) plain.Text {
	if edits == 0 {
		return "no rule file to edit\n"
	}
	return plain.Sprintf("%s to edit; run: rulecheck rules tend --write\n", report.Count(edits, "rule file"))
}
