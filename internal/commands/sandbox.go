package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// devices are the files outside that every program may write to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm"}

// A guard is what keeps a command from writing where it should not.
type guard struct {
	confinement        // the system's; its zero value confines nothing
	links       bool   // links out of the copy cannot be written through
	notice      string // what is not kept from happening; empty where nothing is left out
}

// errSandbox is why commands do not run at all.
var errSandbox = errors.New("commands.sandbox is required; want Linux 6.7 or newer with Landlock, or best_effort")

// guarded makes the guard that word, a value of commands.sandbox, asks for.
func guarded(word string, writable []string) (guard, error) {
	if word == rule.SandboxOff {
		return guard{}, nil
	}
	g, err := confine(writable)
	if err == nil && g.notice != "" && word == rule.SandboxRequired {
		return guard{}, errors.Join(fmt.Errorf("%w: %s", errSandbox, g.notice), g.release())
	}
	return g, err
}

// writablePaths are those of commands.write that exist, and those that do not.
func writablePaths(write []string, worktree, home string) (paths, missing []string) {
	for _, written := range write {
		file := filepath.FromSlash(written)
		if rest, ok := strings.CutPrefix(written, "~/"); ok {
			file = filepath.Join(home, rest)
		} else if !filepath.IsAbs(file) {
			file = filepath.Join(worktree, file)
		}
		if _, err := os.Stat(file); err != nil || !filepath.IsAbs(file) {
			missing = append(missing, written)
			continue
		}
		paths = append(paths, file)
	}
	return paths, missing
}
