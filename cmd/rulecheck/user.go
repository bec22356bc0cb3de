package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
)

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
