package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
)

// devices are the files that every program may write to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm"}

// guard restricts where commands can write.
type guard struct {
	confinement        // of the system; the zero value restricts nothing
	links       bool   // commands cannot write through links to the working tree
	notice      string // missing restrictions, for the user; empty: none
}

// errSandbox is the error if a required sandbox is not available.
var errSandbox = errors.New("commands.sandbox is required; want Linux 6.7 or newer with Landlock, or best_effort")

// newGuard returns the guard for a value of commands.sandbox.
func newGuard(setting string, writable []string) (guard, error) {
	if setting == rule.SandboxOff {
		return guard{}, nil
	}
	g, err := confine(writable)
	if err == nil && g.notice != "" && setting == rule.SandboxRequired {
		return guard{}, errors.Join(fmt.Errorf("%w: %s", errSandbox, g.notice), g.release())
	}
	return g, err
}

// writablePaths resolves commands.write and returns existing and missing paths.
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

// Unconfined returns what the sandbox cannot restrict on this machine; empty if it
// can restrict everything.
func Unconfined() (string, error) {
	g, err := confine(nil)
	if err != nil {
		return "", err
	}
	return g.notice, g.release()
}
