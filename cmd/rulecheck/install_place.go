package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/git"
)

// settingsPlace selects the settings that install and uninstall change; the zero value is
// those in the repository.
type settingsPlace struct {
	global  bool   // the user's own
	managed bool   // of the machine
	file    string // of an agent that is not known
}

// inRepository reports whether the settings are those of a repository.
func (s settingsPlace) inRepository() bool { return !s.global && !s.managed }

// likeClaude describes an agent that has its hooks in a file as Claude Code does.
func likeClaude(file string) profile.Profile {
	d, _ := profile.Named(profile.ClaudeLike)
	claude, _ := profile.Named("claude")
	d.Title, d.Settings = "an agent with hooks like those of Claude Code", claude.Settings
	d.Settings.File, d.Settings.Local, d.Settings.User = file, "", ""
	return d
}

// installable returns the agents that hooks can be installed for.
func installable() []profile.Profile {
	return append(install.Agents(), likeClaude("the file of --settings"))
}

// register adds the flags of the place.
func (s *settingsPlace) register(cmd *cobra.Command, d profile.Profile) {
	switch {
	case d.Name == profile.ClaudeLike:
		cmd.Flags().StringVar(&s.file, "settings", "", "change `FILE`, the settings of an agent that has hooks in the form of Claude Code")
		_ = cmd.MarkFlagRequired("settings")
		cmd.Example = strings.ReplaceAll(cmd.Example, d.Name, d.Name+" --settings .agent/settings.json")
		return
	case d.Settings.User != "":
		cmd.Flags().BoolVar(&s.global, "global", false, "change your user settings, ~/"+d.Settings.User+", which apply to all repositories")
	}
	cmd.Flags().BoolVar(&s.managed, "managed", false, "change the settings of the machine, with the rules of bundled/agents for every repository")
	if d.Settings.User != "" {
		cmd.MarkFlagsMutuallyExclusive("global", "managed")
	}
}

// placeSettings completes the options with the directory of the settings, and the profile with
// their name in it.
func (p *process) placeSettings(cmd *cobra.Command, d profile.Profile, o install.Options, at settingsPlace) (profile.Profile, install.Options, error) {
	if at.managed {
		managed, of, err := install.Managed(d, runtime.GOOS, "")
		of.Observe, of.DryRun = o.Observe, o.DryRun
		return managed, of, err
	}
	if at.global {
		home := p.getenv("HOME")
		if !filepath.IsAbs(home) {
			return d, o, errors.New("--global: HOME is not an absolute path; set it to your home directory")
		}
		d.Settings.File, o.Root, o.GitDir = d.Settings.User, home, p.stateHome()
		return d, o, nil
	}
	if p.engine == engineEmbedded {
		return d, o, errors.New("hooks need the git program; omit --git embedded")
	}
	repo, err := git.Open(cmd.Context(), git.Options{Env: p.env})
	if err != nil {
		return d, o, evaluationError{err}
	}
	if repo.Bare {
		return d, o, errors.New("agents do not work in a bare repository; want a clone with a working tree")
	}
	o.Root, o.GitDir = filepath.FromSlash(repo.Root), filepath.FromSlash(repo.GitDir)
	if at.file == "" {
		return d, o, nil
	}
	file, err := placeInRepository(repo.Root, at.file)
	if err == nil {
		return likeClaude(file), o, nil
	}
	if file, err = filepath.Abs(at.file); err != nil {
		return d, o, fmt.Errorf("--settings: %w", err)
	}
	o.Root, o.GitDir = filepath.Dir(file), p.stateHome()
	return likeClaude(filepath.Base(file)), o, nil
}
