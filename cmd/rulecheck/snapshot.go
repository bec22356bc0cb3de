package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

func newSnapshot(p *process) *cobra.Command {
	command := &cobra.Command{
		Use:   "snapshot",
		Short: "Save snapshots of the working tree at prompts",
		Example: `  rulecheck snapshot take
  rulecheck snapshot list
  rulecheck snapshot drop --all`,
		Long: `Rules with "compare_to: prompt" check what changed since the last prompt to an
agent. The agent's hook runs "rulecheck snapshot take" at each prompt, which
saves a snapshot in the git directory, in rulecheck/prompts; nothing else is
written. ` + fmt.Sprintf("At most %d snapshots are kept, for up to %d days; the newest is never deleted", snapshot.Kept, snapshot.KeptAge/(24*time.Hour)) + `.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newSnapshotTake(p), newSnapshotList(p), newSnapshotShow(p), newSnapshotDrop(p))
	return command
}

func newSnapshotTake(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "take",
		Short:   "Save a snapshot, and print its id",
		Example: `  rulecheck snapshot take`,
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

func newSnapshotList(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the snapshots, newest first",
		Example: `  rulecheck snapshot list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			list, unread := snapshot.List(repo.GitDir)
			var rows [][]plain.Text
			for _, s := range list {
				rows = append(rows, []plain.Text{
					plain.Line(s.ID), plain.Line(s.Time.Format(time.RFC3339)), plain.Line(cmp.Or(s.Branch, "(detached)")),
					plain.Line(cmp.Or(short(s.Commit), "no commit")), plain.Line(report.Count(len(s.Files), "file")),
				})
			}
			p.print("%s", wrap.Table(rows, p.width))
			if unread != nil {
				return evaluationError{unread}
			}
			return nil
		},
	}
}

func newSnapshotShow(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "show [ID]",
		Short:   "Show a snapshot, by default the newest",
		Example: `  rulecheck snapshot show`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			s, err := namedSnapshot(repo.GitDir, args)
			if err != nil {
				return snapshotError(err)
			}
			p.show(s)
			return nil
		},
	}
}

// namedSnapshot reads the snapshot that is named, or the newest.
func namedSnapshot(gitDir string, args []string) (*snapshot.Snapshot, error) {
	if len(args) > 0 {
		return snapshot.Read(gitDir, args[0])
	}
	s, err := snapshot.Last(gitDir)
	if err == nil && s == nil {
		err = errors.New("no prompt was captured; run: rulecheck snapshot take")
	}
	return s, err
}

func (p *process) show(s *snapshot.Snapshot) {
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

func newSnapshotDrop(p *process) *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:     "drop (ID | --all)",
		Short:   "Delete a snapshot, or all of them",
		Example: `  rulecheck snapshot drop --all`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) == 1) || len(args) > 1 {
				return errors.New("no snapshot named; want one ID, or --all")
			}
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			if all {
				return snapshotError(snapshot.DropAll(cmd.Context(), repo.GitDir))
			}
			return snapshotError(snapshot.Drop(cmd.Context(), repo.GitDir, args[0]))
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
