package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/doctor"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/githook"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/staging"
)

func newInstall(p *process) *cobra.Command {
	command := &cobra.Command{
		Use:     "install",
		Short:   "Install hooks that run rulecheck, in git or in a coding agent",
		Example: "  rulecheck install git\n  rulecheck install claude --dry-run",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(&cobra.Command{
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
			return p.hooks(cmd, func(d *githook.Dir) ([]githook.Change, error) { return d.Install(program) })
		},
	})
	command.AddCommand(p.installAgents()...)
	return command
}

func newUninstall(p *process) *cobra.Command {
	uninstall := &cobra.Command{
		Use:     "uninstall",
		Short:   "Remove installed hooks",
		Example: "  rulecheck uninstall git\n  rulecheck uninstall claude",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	purge := false
	ofGit := &cobra.Command{
		Use:   "git",
		Short: "Remove rulecheck's git hooks",
		Long: `Remove the hooks that "rulecheck install git" wrote, and restore the hooks that were
there before. Hooks of other programs are not changed.`,
		Example: `  rulecheck uninstall git`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.hooks(cmd, (*githook.Dir).Uninstall); err != nil {
				return err
			}
			return p.purge(cmd, purge)
		},
	}
	registerPurge(ofGit, &purge)
	uninstall.AddCommand(ofGit)
	uninstall.AddCommand(p.uninstallAgents()...)
	return uninstall
}

func registerPurge(cmd *cobra.Command, purge *bool) {
	cmd.Flags().BoolVar(purge, "purge", false, "also remove the records of sessions and workflows in the git directory")
}

// purge removes what is recorded in the git directory, or reports that it is there.
func (p *process) purge(cmd *cobra.Command, remove bool) error {
	repo, err := git.Open(cmd.Context(), git.Options{Env: p.env})
	if err != nil {
		return evaluationError{err}
	}
	gitDir := filepath.FromSlash(repo.GitDir)
	dir, kept, err := install.Kept(gitDir)
	if err != nil {
		return evaluationError{err}
	}
	if len(kept) == 0 {
		return nil
	}
	if inside, err := filepath.Rel(filepath.FromSlash(repo.Root), dir); err == nil && filepath.IsLocal(inside) {
		dir = inside
	}
	if !remove {
		p.warn("rulecheck: %s stays, with the records of sessions and workflows (%s); to remove them, add --purge\n", dir, strings.Join(kept, ", "))
		return nil
	}
	if err := staging.Pending(repo); err != nil {
		return err
	}
	if err := install.Purge(gitDir); err != nil {
		return evaluationError{err}
	}
	p.print("%s: removed\n", dir)
	return nil
}

// hooks changes the hooks of the repository, and prints what was done.
func (p *process) hooks(cmd *cobra.Command, do func(*githook.Dir) ([]githook.Change, error)) error {
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

// installAgents returns a subcommand for each agent.
func (p *process) installAgents() []*cobra.Command {
	var list []*cobra.Command
	for _, d := range installable() {
		var o install.Options
		var at settingsPlace
		trust := false
		cmd := &cobra.Command{
			Use:   d.Name,
			Short: "Add hooks to " + d.Title,
			Long: fmt.Sprintf(`Add rulecheck's hooks to %s, which %s reads.
Everything else in the file stays as it is, including comments and indentation.
Running it again changes nothing.`, d.Settings.File, d.Title),
			Example: fmt.Sprintf("  rulecheck install %[1]s --dry-run\n  rulecheck install %[1]s --observe", d.Name),
			Args:    cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := p.agentHooks(cmd, d, o, at, install.Install); err != nil || !trust || o.DryRun {
					return err
				}
				return p.trustCodex(cmd, d.TrustedBy)
			},
		}
		if d.TrustedBy != "" {
			cmd.Flags().BoolVar(&trust, "trust", false, "let Codex run these hooks as they are now, in your own configuration of Codex, instead of by /hooks")
		}
		at.register(cmd, d)
		cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the change instead of writing it")
		cmd.Flags().BoolVar(&o.Observe, "observe", false, "only record decisions; never stop the agent")
		if d.TrustedBy != "" { // what the machine or the user has is trusted
			cmd.MarkFlagsMutuallyExclusive("managed", "trust")
		}
		list = append(list, cmd)
	}
	return list
}

// uninstallAgents returns a subcommand for each agent.
func (p *process) uninstallAgents() []*cobra.Command {
	var list []*cobra.Command
	for _, d := range installable() {
		var o install.Options
		var at settingsPlace
		purge := false
		cmd := &cobra.Command{
			Use:   d.Name,
			Short: "Remove the hooks from the settings of " + d.Title,
			Long: fmt.Sprintf(`Remove the entries in %s that run rulecheck. A file that did not change since
"rulecheck install %s" becomes what it was before, byte for byte.`, d.Settings.File, d.Name),
			Example: "  rulecheck uninstall " + d.Name,
			Args:    cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				if err := p.agentHooks(cmd, d, o, at, install.Uninstall); err != nil || o.DryRun || !at.inRepository() {
					return err
				}
				return p.purge(cmd, purge)
			},
		}
		at.register(cmd, d)
		registerPurge(cmd, &purge)
		cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the change instead of writing it")
		cmd.MarkFlagsMutuallyExclusive("dry-run", "purge")
		for _, elsewhere := range []string{"global", "managed"} { // the records are in repositories
			if cmd.Flags().Lookup(elsewhere) != nil {
				cmd.MarkFlagsMutuallyExclusive(elsewhere, "purge")
			}
		}
		list = append(list, cmd)
	}
	return list
}

// agentHooks changes the settings of an agent, and prints what was done.
func (p *process) agentHooks(cmd *cobra.Command, d profile.Profile, o install.Options, at settingsPlace, do func(profile.Profile, install.Options) (install.Result, error)) error {
	d, o, err := p.placeSettings(cmd, d, o, at)
	if err != nil {
		return err
	}
	for _, file := range d.Settings.Files() {
		d.Settings.File = file
		r, err := do(d, o)
		if o.Managed && errors.Is(err, fs.ErrPermission) {
			as := "with sudo"
			if runtime.GOOS == "windows" {
				as = "as an administrator"
			}
			return fmt.Errorf("%w; --managed writes settings of the machine: run the command %s", err, as)
		}
		if err == nil {
			err = p.printAgentHooks(r, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printAgentHooks prints what was done to settings of an agent.
func (p *process) printAgentHooks(r install.Result, o install.Options) error {
	if o.Managed {
		r.File = filepath.ToSlash(o.Root) + r.File
	}
	if o.DryRun {
		return plain.Fprint(p.stdout, plain.Block(string(diff.Diff(r.File, r.Before, r.File, r.After))))
	}
	if r.Target == "" {
		p.print("%s: %s\n", r.File, r.Text)
	} else {
		p.print("%s (a link to %s): %s\n", r.File, r.Target, r.Text)
	}
	for _, notice := range r.Notices {
		p.warn("rulecheck: %s\n", notice)
	}
	if r.After != nil && !p.inPath() {
		p.warn("rulecheck: the hooks run \"rulecheck\", which is not in PATH; add its directory to PATH\n")
	}
	return nil
}

// trustCodex lets Codex run the hooks of the repository, as its user does with /hooks.
func (p *process) trustCodex(cmd *cobra.Command, name string) error {
	program := p.find(name)
	if program == "" {
		return errors.New("--trust: codex is not in PATH, and only Codex computes what it trusts; start codex, and type /hooks")
	}
	repo, err := git.Open(cmd.Context(), git.Options{Env: p.env})
	if err != nil {
		return evaluationError{err}
	}
	hooks, err := doctor.TrustCodex(cmd.Context(), program, p.probeOptions(repo.Root))
	if err != nil {
		return fmt.Errorf("--trust: %w", err)
	}
	if len(hooks) == 0 {
		return errors.New("--trust: Codex reads no hooks here, because it does not trust this project; start codex in it, trust it, and try again")
	}
	p.prose("Codex trusts %s in %s until they change\n", report.Count(len(hooks), "hook"), repo.Root)
	return nil
}

// find returns the path of a program in PATH; empty: it is not there.
func (p *process) find(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(p.getenv("PATH")) {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err == nil && info.Mode().IsRegular() && filepath.IsAbs(file) && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0) {
			return file
		}
	}
	return ""
}

// inPath reports whether a shell finds the program by its name.
func (p *process) inPath() bool { return p.find("rulecheck") != "" }
