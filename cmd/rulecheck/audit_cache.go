package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/rulecheck/rulecheck/internal/audit"
)

// auditCache returns where results of audits are kept: in the user's cache directory. Without
// one, none are.
func (p *process) auditCache() audit.Cache {
	home := p.getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(home) {
		var err error
		if home, err = os.UserCacheDir(); err != nil {
			return audit.Cache{}
		}
	}
	return audit.Cache{Dir: filepath.Join(home, "rulecheck", "audit"), Program: programID(), Now: time.Now()}
}

// programID identifies this build of the program; empty if it cannot be known.
func programID() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	build, ok := debug.ReadBuildInfo()
	if err != nil || !ok {
		return ""
	}
	return fmt.Sprintf("%s %d %d %s %s", version, info.Size(), info.ModTime().UnixNano(), build.GoVersion, build.Main.Sum)
}
