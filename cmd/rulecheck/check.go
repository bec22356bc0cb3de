package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// newCheck returns the command that rulecheck runs without a subcommand, by its name.
func newCheck(p *process) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check what changed; the default",
		Long:  `check does the same as rulecheck without a subcommand; see rulecheck --help.`,
		Example: `  rulecheck check --staged
  rulecheck check -- src/login.py`,
		RunE: func(cmd *cobra.Command, paths []string) error { return p.check(cmd, f, paths) },
	}
	f.register(cmd)
	f.registerOutput(cmd)
	f.attest.register(cmd)
	f.stack.register(cmd)
	return cmd
}

// placeInRepository returns the path of a file or directory from the root, "." for the root.
func placeInRepository(root, arg string) (string, error) {
	if top, err := filepath.EvalSymlinks(arg); err == nil {
		if top, err = filepath.Abs(top); err == nil && top == root {
			return ".", nil
		}
	}
	path, err := inRepository(root, arg)
	if err != nil {
		return "", fmt.Errorf("%q is not in the repository %s", arg, root)
	}
	return path, nil
}

// pathsOrNothing rejects arguments that cannot be meant as paths: a misspelt command, or a
// range of commits. After "--" every argument is a path. It completes the list of commands before
// it suggests one of them.
func pathsOrNothing(cmd *cobra.Command, args []string, complete func()) error {
	if cmd.ArgsLenAtDash() == 0 {
		return nil
	}
	for _, arg := range args {
		if _, err := os.Lstat(arg); err == nil {
			continue
		}
		if from, to, ok := usage.Range(arg); ok && !strings.Contains(arg, "/") {
			return fmt.Errorf("%q is a range of commits; want --from %s --to %s, or with \"...\" --since %s --to %s", arg, from, to, from, to)
		}
		if strings.ContainsAny(arg, `/\.`) {
			continue // perhaps a deleted file
		}
		if cmd.Flags().Changed("from") || cmd.Flags().Changed("since") {
			return fmt.Errorf("%q is neither a file nor a directory; to check a commit, want --to %s; a deleted file is a path after \"--\"", arg, arg)
		}
		if usage.IsCommit(arg) {
			return fmt.Errorf("%q is a commit; want --from %s, or to check that commit --from %s^ --to %s", arg, arg, arg, arg)
		}
		complete()
		return usage.UnknownCommand(cmd, arg, "; for a path, put \"--\" before it")
	}
	return nil
}

// newRecover returns the command that completes or undoes what a check with --fix began.
func newRecover(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "recover",
		Short: "Complete or undo an interrupted --fix",
		Long: `Complete or undo a run with --fix that was killed while it wrote files. It leaves a
journal in the git directory, and the next run refuses to start until it is
recovered. Recovery leaves each file as it was before or after the run. Files that
were edited since are not changed.`,
		Example: `  rulecheck recover`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.repository(cmd.Context())
			if err != nil {
				return err
			}
			files, notices, err := staging.Recover(cmd.Context(), repo)
			for _, f := range files {
				line := plain.Sprintf("%s: %s", f.Path, f.End)
				if f.Note != "" {
					line += ": " + plain.Line(f.Note)
				}
				p.print("%s\n", line)
			}
			for _, n := range notices {
				p.prose("notice: %s\n", n)
			}
			if err != nil {
				return evaluationError{err}
			}
			if len(files)+len(notices) == 0 {
				p.print("nothing to recover\n")
			}
			return nil
		},
	}
}
