package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/known"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newBaseline(p *process) *cobra.Command {
	command := &cobra.Command{
		Use:   "baseline",
		Short: "Save snapshots at prompts; keep known findings",
		Example: `  rulecheck baseline capture
  rulecheck baseline list
  rulecheck baseline accept docs-exist --reason "from before the rule"
  rulecheck baseline prune`,
		Long: `The snapshots of prompts and the known findings have nothing to do with each
other. capture, list, show and drop are about snapshots, accept and prune about
known findings.

Rules with "compare_to: prompt" check what changed since the last prompt to an
agent. The agent's hook runs "rulecheck baseline capture" at each prompt, which
saves a snapshot in the git directory, in rulecheck/prompts; nothing else is
written. ` + fmt.Sprintf("At most %d snapshots are kept, for up to %d days; the newest is never deleted", baseline.Kept, baseline.KeptAge/(24*time.Hour)) + `.

Known findings are listed in ` + known.File + `, to be committed: checks report
them with the reason, and do not fail because of them. Only accept adds any.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newBaselineCapture(p), newBaselineList(p), newBaselineShow(p), newBaselineDrop(p), newBaselineAccept(p), newBaselinePrune(p))
	return command
}

func newBaselineCapture(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "capture",
		Short:   "Save a snapshot, and print its id",
		Example: `  rulecheck baseline capture`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			s, err := program.New(repo).Capture(cmd.Context(), time.Now())
			if err != nil {
				return evaluationError{err}
			}
			p.print("%s\n", s.ID)
			return nil
		},
	}
}

func newBaselineList(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots, newest first",
		Example: `  rulecheck baseline list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			list, unread := baseline.List(repo.GitDir)
			var rows [][]plain.Text
			for _, s := range list {
				rows = append(rows, []plain.Text{
					plain.Line(s.ID), plain.Line(s.Time.Format(time.RFC3339)), plain.Line(cmp.Or(s.Branch, "(detached)")),
					plain.Line(cmp.Or(short(s.Commit), "no commit")), plain.Line(report.Count(len(s.Files), "file")),
				})
			}
			p.print("%s", plain.Table(rows))
			if unread != nil {
				return evaluationError{unread}
			}
			return nil
		},
	}
}

func newBaselineShow(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "show [ID]",
		Short:   "Show a snapshot, by default the newest",
		Example: `  rulecheck baseline show`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			s, err := snapshot(repo.GitDir, args)
			if err != nil {
				return snapshotError(err)
			}
			p.show(s)
			return nil
		},
	}
}

// snapshot reads the snapshot that is named, or the newest.
func snapshot(gitDir string, args []string) (*baseline.Snapshot, error) {
	if len(args) > 0 {
		return baseline.Read(gitDir, args[0])
	}
	s, err := baseline.Last(gitDir)
	if err == nil && s == nil {
		err = errors.New("no prompt was captured; run: rulecheck baseline capture")
	}
	return s, err
}

func (p *process) show(s *baseline.Snapshot) {
	p.print("id       %s\ntime     %s\nbranch   %s\ncommit   %s\nindex    %s\nworktree %s\n", s.ID, s.Time.Format(time.RFC3339),
		cmp.Or(s.Branch, "(detached)"), cmp.Or(s.Commit, "none yet"), cmp.Or(s.IndexTree, "unmerged"), s.Tree)
	for _, f := range s.Files {
		note := ""
		if f.Object != "" {
			note = fmt.Sprintf(" (%d bytes, only the hash was saved)", f.Size)
		}
		p.print("%s: %s%s\n", f.State, f.Path, note)
	}
}

func newBaselineDrop(p *process) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:     "drop (ID | --all)",
		Short:   "Delete a snapshot, or all of them",
		Example: `  rulecheck baseline drop --all`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) == 1) || len(args) > 1 {
				return errors.New("no snapshot named; want one ID, or --all")
			}
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			if all {
				return snapshotError(baseline.DropAll(cmd.Context(), repo.GitDir))
			}
			return snapshotError(baseline.Drop(cmd.Context(), repo.GitDir, args[0]))
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "delete all snapshots")
	return cmd
}

// repository opens the repository around the working directory with the git program.
func (p *process) repository(ctx context.Context) (*git.Repo, error) {
	if p.engine == engineEmbedded {
		return nil, evaluationError{fmt.Errorf("the snapshot of a prompt %w; omit --git embedded", diff.ErrNeedsGit)}
	}
	repo, err := git.Open(ctx, git.Options{Env: p.env})
	if err != nil {
		return nil, evaluationError{err}
	}
	return repo, nil
}

// snapshotError marks errors of reading a snapshot as evaluation errors; an unknown
// name is the user's error.
func snapshotError(err error) error {
	if errors.As(err, new(*diff.NoVerdictError)) || errors.As(err, new(*fs.PathError)) {
		return evaluationError{err}
	}
	return err
}

// short cuts an object id to seven digits.
func short(object string) string { return object[:min(len(object), 7)] }

func newBaselineAccept(p *process) *cobra.Command {
	reason := ""
	cmd := &cobra.Command{
		Use:   "accept [RULE…] --reason TEXT",
		Short: "Add the findings that there are now to the known findings",
		Long: `accept checks all files of the working tree and all logs of agents in the
repository, not only what changed, and adds the findings to ` + known.File + `,
of the RULEs or of every rule that can have known findings: rules with "require:
exists", rules that limit only the size of each file, and rules about sessions,
without a command. What is known stays as it is.`,
		Example: `  rulecheck baseline accept --reason "from before the rules"
  rulecheck baseline accept docs-exist --reason "to be written until June"`,
		RunE: func(cmd *cobra.Command, rules []string) error {
			reason = strings.Join(strings.Fields(reason), " ")
			if plain.Blank(reason) {
				return errors.New("no reason given; want --reason TEXT, which reports will show")
			}
			return p.changeKnown(cmd.Context(), rules, func(now *check.Standing) []known.Entry {
				next, added := known.Accept(now.Known, now.Findings, day(time.Now()), reason)
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
repository, and removes from ` + known.File + ` what no longer occurs. It adds
nothing. Findings of rules that did not apply, such as those whose condition is
false, stay.`,
		Example: `  rulecheck baseline prune`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.changeKnown(cmd.Context(), nil, func(now *check.Standing) []known.Entry {
				next := known.Prune(now.Known, now.Findings, now.Unchecked)
				p.print("%s removed, %d left\n", report.Count(max(len(now.Known)-len(next), 0), "known finding"), len(next))
				return next
			})
		},
	}
}

// changeKnown checks everything by the rules that are named, or all, and writes the known
// findings that change returns. Unless everything could be checked, nothing is written.
func (p *process) changeKnown(ctx context.Context, rules []string, change func(*check.Standing) []known.Entry) error {
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
		p.print("notice: %s\n", notice)
	}
	if err := p.printProblems(now.Project); err != nil || p.status != 0 {
		p.warn("%s is as it was: not everything could be checked\n", known.File)
		return err
	}
	entries := change(now)
	before, err := known.Format(now.Known)
	if err != nil {
		return evaluationError{err}
	}
	text, err := known.Format(entries)
	if err != nil || string(text) == string(before) {
		return err
	}
	if err := writeKnown(engine.Root(), entries, text); err != nil {
		return evaluationError{fmt.Errorf("%s: %w", known.File, err)}
	}
	return nil
}

// writeKnown writes the known findings, or removes the file if there are none.
func writeKnown(root string, entries []known.Entry, text []byte) error {
	file := filepath.Join(root, filepath.FromSlash(known.File))
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
