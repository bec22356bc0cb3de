package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newBaseline(p *process) *cobra.Command {
	command := &cobra.Command{
		Use:   "baseline",
		Short: "Accept known findings, so that they fail no check",
		Example: `  rulecheck baseline accept docs-exist --reason "from before the rule"
  rulecheck baseline prune`,
		Long: `Known findings are listed in ` + baseline.File + `, a file to commit. Checks report
them with the reason, and do not fail because of them. Only accept adds findings.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newBaselineAccept(p), newBaselinePrune(p))
	command.AddCommand(oldSnapshotCommands(p)...)
	return command
}

// oldSnapshotCommands returns the commands of "rulecheck snapshot" under the names that they
// had below "rulecheck baseline". They work for one more version, with a notice.
func oldSnapshotCommands(p *process) []*cobra.Command {
	commands := newSnapshot(p).Commands()
	for _, c := range commands {
		now := "rulecheck " + c.CommandPath() // it has no root yet
		c.Use = strings.Replace(c.Use, "take", "capture", 1)
		c.Example = "  rulecheck baseline " + c.Name()
		c.Hidden = true
		c.PreRun = func(*cobra.Command, []string) {
			p.warn("notice: this command is now \"%s\"; the old name goes with the next version\n", now)
		}
	}
	return commands
}

func newBaselineAccept(p *process) *cobra.Command {
	reason := ""
	cmd := &cobra.Command{
		Use:   "accept [RULE…] --reason TEXT",
		Short: "Add the current findings to the known findings",
		Long: `accept checks all files of the working tree and all agent logs in the repository, not
only what changed, and adds the findings of the RULEs to ` + baseline.File + `.
Without RULE, it adds those of every rule that can have known findings: rules with
"require: exists", rules that limit only the size of each file, and session rules,
unless they run a command. Findings that are already known stay as they are.`,
		Example: `  rulecheck baseline accept --reason "from before the rules"
  rulecheck baseline accept docs-exist --reason "to be written by June"`,
		RunE: func(cmd *cobra.Command, rules []string) error {
			reason = strings.Join(strings.Fields(reason), " ")
			if plain.Blank(reason) {
				return errors.New("no reason given; want --reason TEXT, which reports will show")
			}
			return p.changeKnown(cmd.Context(), rules, func(now *check.Standing) []baseline.Entry {
				next, added := baseline.Accept(now.Known, now.Findings, day(time.Now()), reason)
				p.print("%s added, %d were known\n", report.Count(added, "finding"), len(now.Known))
				return next
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why these findings stay, as `TEXT` for reports")
	return cmd
}

func newBaselinePrune(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "prune",
		Short: "Remove the known findings that no longer occur",
		Long: `prune checks all files of the working tree and all logs of agents in the
repository, and removes from ` + baseline.File + ` what no longer occurs. It adds
nothing. Findings of rules that did not apply, such as those whose condition is
false, stay.`,
		Example: `  rulecheck baseline prune`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.changeKnown(cmd.Context(), nil, func(now *check.Standing) []baseline.Entry {
				next := baseline.Prune(now.Known, now.Findings, now.Unchecked)
				p.print("%s removed, %d left\n", report.Count(max(len(now.Known)-len(next), 0), "known finding"), len(next))
				return next
			})
		},
	}
}

// changeKnown checks everything by the rules that are named, or all, and writes the known
// findings that change returns. Unless everything could be checked, nothing is written.
func (p *process) changeKnown(ctx context.Context, rules []string, change func(*check.Standing) []baseline.Entry) error {
	engine, err := p.open(ctx, git.Options{})
	if err != nil {
		return err
	}
	unlock, err := p.lockRules(ctx, engine)
	if err != nil {
		return err
	}
	defer unlock()
	now, err := check.Everything(ctx, engine, check.Options{Version: version, Now: time.Now(), Agents: agents.Ring{}}, rules)
	if err != nil {
		return classify(err)
	}
	for _, notice := range now.Notices {
		p.prose("notice: %s\n", notice)
	}
	if err := p.printProblems(now.Project); err != nil || p.status != 0 {
		p.warn("%s is as it was: not everything could be checked\n", baseline.File)
		return err
	}
	entries := change(now)
	before, err := baseline.Format(now.Known)
	if err != nil {
		return evaluationError{err}
	}
	text, err := baseline.Format(entries)
	if err != nil || string(text) == string(before) {
		return err
	}
	if err := writeKnown(engine.Root(), entries, text); err != nil {
		return evaluationError{fmt.Errorf("%s: %w", baseline.File, err)}
	}
	return nil
}

// writeKnown writes the known findings, or removes the file if there are none.
func writeKnown(root string, entries []baseline.Entry, text []byte) error {
	file := filepath.Join(root, filepath.FromSlash(baseline.File))
	if err := regular.Directories(filepath.Dir(file)); err != nil {
		return err
	}
	if len(entries) == 0 {
		return os.Remove(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // as git makes directories
		return err
	}
	return atomicfile.Write(file, text)
}
