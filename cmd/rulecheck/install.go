package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/githook"
)

func newInstall(p *process) *cobra.Command {
	install := &cobra.Command{
		Use:     "install",
		Short:   "Install hooks that run rulecheck",
		Example: `  rulecheck install git`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	install.AddCommand(&cobra.Command{
		Use:   "git",
		Short: "Check every commit with git hooks",
		Long: `Write the hooks pre-commit and commit-msg, which check each commit and the waivers
in its message. All working trees of the repository share them. Existing hooks
still run, before rulecheck. If core.hooksPath points elsewhere, nothing is
written, and the output shows the lines to add there.

git commit --no-verify skips the hooks; they honour RULECHECK_SKIP and
RULECHECK_WAIVE.`,
		Example: `  rulecheck install git`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			program, err := p.program()
			if err != nil {
				return evaluationError{err}
			}
			return p.hooks(cmd, func(d *githook.Dir) ([]githook.Result, error) { return d.Install(program) })
		},
	})
	return install
}

func newUninstall(p *process) *cobra.Command {
	uninstall := &cobra.Command{
		Use:     "uninstall",
		Short:   "Remove installed hooks",
		Example: `  rulecheck uninstall git`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	uninstall.AddCommand(&cobra.Command{
		Use:   "git",
		Short: "Remove rulecheck's git hooks",
		Long: `Remove the hooks that "rulecheck install git" wrote, and restore the hooks that were
there before. Hooks of other programs are not changed.`,
		Example: `  rulecheck uninstall git`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.hooks(cmd, (*githook.Dir).Uninstall)
		},
	})
	return uninstall
}

// hooks changes the hooks of the repository, and prints what was done.
func (p *process) hooks(cmd *cobra.Command, do func(*githook.Dir) ([]githook.Result, error)) error {
	if p.engine == engineEmbedded {
		return errors.New("hooks need the git program; omit --git embedded")
	}
	repo, err := git.Open(cmd.Context(), git.Options{Env: p.env})
	if err != nil {
		return evaluationError{err}
	}
	dir, err := githook.Open(cmd.Context(), repo)
	if err != nil {
		return err
	}
	done, err := do(dir)
	for _, d := range done {
		p.print("%s: %s\n", d.File, d.Text)
	}
	return err
}

// program returns the path of this program. A path in PATH is preferred, because it
// survives an update.
func (p *process) program() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	here, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	name := "rulecheck" // possibly a link to this program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(p.getenv("PATH")) {
		file := filepath.Join(dir, name)
		if there, err := os.Stat(file); err == nil && os.SameFile(here, there) && filepath.IsAbs(file) {
			return file, nil
		}
	}
	return self, nil
}
