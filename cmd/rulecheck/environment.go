package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/pack/signature"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// commands sets how the commands of rules run.
func (p *process) commands(o *check.Options, quiet bool) error {
	c := &o.Commands
	if c.Fix && o.To != "" {
		return errors.New("--fix cannot change the commit of --to; use only one of them")
	}
	// The framework hides unstaged changes meanwhile, and refuses the commit if a file changed.
	c.Unstaged = o.Staged && p.getenv("PRE_COMMIT") == "1"
	c.Repo, c.Environ, c.Now = p.repo, p.env, time.Now
	// These belong to the user alone: tools search the parents of a scratch copy for
	// configuration and modules.
	c.Temps = []string{filepath.Join(p.cacheHome(), "rulecheck", "run"), filepath.Join(os.TempDir(), fmt.Sprintf("rulecheck-%d", os.Getuid()))}
	if runtime := p.getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		c.Fast = filepath.Join(runtime, "rulecheck")
	}
	c.Cache = filepath.Join(p.cacheHome(), "rulecheck", "tools")
	c.Progress = terminal.Progress(p.stderr, p.getenv, quiet)
	c.Trusted = p.trusted()
	return nil
}

// trusted returns the store of what the user trusts; without a directory if there is no home.
func (p *process) trusted() trust.Store {
	state := p.stateHome()
	if state == "" {
		return trust.Store{}
	}
	return trust.Store{Dir: filepath.Join(state, "rulecheck", "trust")}
}

// stateHome returns the directory of the user's state, by the XDG Base Directory Specification;
// empty if there is no home.
func (p *process) stateHome() string {
	state, home := p.getenv("XDG_STATE_HOME"), p.getenv("HOME")
	switch {
	case filepath.IsAbs(state):
		return state
	case filepath.IsAbs(home):
		return filepath.Join(home, ".local", "state")
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return dir
}

// packs returns what the environment decides about packs: where they are kept, which one is
// the organization's, and who signs them.
func (p *process) packs() pack.Settings {
	s := pack.Settings{Store: pack.Store{Dir: filepath.Join(p.cacheHome(), "rulecheck", "packs")}}
	if text := p.getenv("RULECHECK_ORG_PACK"); text != "" {
		ref, err := pack.ParseRef(text)
		if err != nil {
			s.Malformed = fmt.Errorf("RULECHECK_ORG_PACK: %w", err)
		} else {
			s.Organization = &ref
		}
	}
	if file := p.getenv("RULECHECK_PACK_SIGNERS"); file != "" {
		s.Verify = signature.Signers{File: file, Env: p.env}.Verify
	}
	return s
}

// cacheHome returns the directory of caches, by the XDG Base Directory Specification
// or as the system defines it.
func (p *process) cacheHome() string {
	if dir := p.getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return dir
	}
	return cmp.Or(p.getenv("TMPDIR"), os.TempDir())
}

// user returns the user's configuration directory by the XDG Base Directory
// Specification 0.8. It is nil where the result must depend on the repository alone:
// in CI, and for the index.
func (p *process) user(staged bool) *rule.UserDir {
	if staged || p.getenv("CI") != "" {
		return nil
	}
	home, config := p.getenv("HOME"), p.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = "" // ignored, by the specification
	}
	base := cmp.Or(config, home)
	if info, err := os.Stat(base); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil // as with a HOME of /dev/null; one that cannot be read is an error of reading the rules
	}
	dir := filepath.Join(cmp.Or(config, filepath.Join(home, ".config")), "rulecheck")
	shown := filepath.ToSlash(dir)
	if below, ok := strings.CutPrefix(dir, filepath.Clean(home)+string(filepath.Separator)); ok {
		shown = "~/" + filepath.ToSlash(below)
	}
	return &rule.UserDir{FS: regular.DirFS(dir), Shown: shown}
}
