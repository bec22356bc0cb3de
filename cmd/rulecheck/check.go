package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
)

// newCheck returns the command that rulecheck runs without a subcommand, by its name.
func newCheck(p *process) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check what changed; the default",
		Long:  `check does what rulecheck does without a subcommand; see rulecheck --help.`,
		Example: `  rulecheck check --staged
  rulecheck check -- src/login.py`,
		RunE: func(cmd *cobra.Command, paths []string) error { return p.check(cmd, f, paths) },
	}
	f.register(cmd)
	f.registerOutput(cmd)
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
// range of commits. After "--" every argument is a path.
func pathsOrNothing(cmd *cobra.Command, args []string) error {
	if cmd.ArgsLenAtDash() == 0 {
		return nil
	}
	for _, arg := range args {
		if _, err := os.Lstat(arg); err == nil {
			continue
		}
		if from, to, ok := strings.Cut(arg, ".."); ok && from != "" && !strings.ContainsAny(arg, `/\`) {
			return fmt.Errorf("%q is a range of commits; want --from %s --to %s, or with \"...\" --since %s --to %s",
				arg, from, rangeEnd(to), from, rangeEnd(to))
		}
		if strings.ContainsAny(arg, `/\.`) {
			continue // perhaps a deleted file
		}
		if cmd.Flags().Changed("from") || cmd.Flags().Changed("since") {
			return fmt.Errorf("%q is neither a file nor a directory; to check a commit, want --to %s; a deleted file is a path after \"--\"", arg, arg)
		}
		return usage.UnknownCommand(cmd, arg, ", or a path after \"--\"")
	}
	return nil
}

// rangeEnd returns the second commit of a range, which git takes for HEAD if it is empty.
func rangeEnd(to string) string {
	if to = strings.TrimPrefix(to, "."); to == "" {
		return "HEAD"
	}
	return to
}
