package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/githook"
)

func newInstall(p *process) *cobra.Command {
	install := &cobra.Command{
		Use:     "install",
		Short:   "Make another program run rulecheck",
		Example: `  rulecheck install git`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	install.AddCommand(&cobra.Command{
		Use:   "git",
		Short: "Make git judge what is committed",
		Long: `Write the hooks pre-commit and commit-msg, which judge what is committed and
the waivers in its message. All working trees of the repository share them. A
hook that is there goes on running, first; where core.hooksPath leads elsewhere,
nothing is written, and what to add there is said.

git commit --no-verify passes by the hooks; RULECHECK_SKIP and RULECHECK_WAIVE
count in them.`,
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
		Short:   "Undo what install did",
		Example: `  rulecheck uninstall git`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	uninstall.AddCommand(&cobra.Command{
		Use:   "git",
		Short: "Take rulecheck's hooks out of git",
		Long: `Take away the hooks that "rulecheck install git" wrote; what was there before is
again what it was. Hooks of other programs are left as they are.`,
		Example: `  rulecheck uninstall git`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.hooks(cmd, (*githook.Dir).Uninstall)
		},
	})
	return uninstall
}

// hooks does something to the hooks of the repository, and tells what.
func (p *process) hooks(cmd *cobra.Command, do func(*githook.Dir) ([]githook.Result, error)) error {
	if p.engine == engineEmbedded {
		return errors.New("hooks are the git program's; leave out --git embedded")
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
	w := p.stdout
	for _, d := range done {
		fmt.Fprintf(w, "%s: %s\n", finding.Visible(d.File), finding.Visible(d.Text))
	}
	return err
}

// program is where this program is: as PATH has it, where it does, because that
// name is still good after an update.
func (p *process) program() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	here, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	name := "rulecheck" // what it is called there may be a link
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
