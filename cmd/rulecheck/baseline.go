package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newBaseline(p *process) *cobra.Command {
	command := &cobra.Command{
		Use:   "baseline",
		Short: "Save snapshots at prompts, for rules with compare_to: prompt",
		Example: `  rulecheck baseline capture
  rulecheck baseline list`,
		Long: `Rules with "compare_to: prompt" check what changed since the last prompt to an
agent. The agent's hook runs "rulecheck baseline capture" at each prompt, which
saves a snapshot in the git directory, in rulecheck/prompts; nothing else is
written. ` + fmt.Sprintf("At most %d snapshots are kept, for up to %d days; the newest is never deleted", baseline.Kept, baseline.KeptAge/(24*time.Hour)) + `.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newBaselineCapture(p), newBaselineList(p), newBaselineShow(p), newBaselineDrop(p))
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
