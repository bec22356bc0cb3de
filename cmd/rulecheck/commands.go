package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
)

// commands sets how the commands of rules run.
func (p *process) commands(o *check.Options) error {
	c := &o.Commands
	if c.Fix && o.To != "" {
		return errors.New("--fix cannot change the commit of --to; use only one of them")
	}
	if c.Jobs < 0 {
		return errors.New("--jobs is less than 0; want 1 or more, or 0 for one per processor")
	}
	if o.Staged && p.getenv("PRE_COMMIT") == "1" {
		c.Unwritable = "pre-commit treats a hook that stages files as failed; run: rulecheck --staged --fix, then commit again"
	}
	c.Repo, c.Environ, c.Now = p.repo, p.env, time.Now
	c.Temp = os.TempDir()
	if p.getenv("TMPDIR") == "" {
		c.Fast = memoryDir()
	}
	c.Cache = filepath.Join(p.cacheHome(), "rulecheck", "tools")
	c.Progress = p.progress()
	return nil
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
