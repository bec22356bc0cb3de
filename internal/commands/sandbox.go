package commands

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// errSandbox is the error if a required sandbox is not available.
var errSandbox = errors.New("commands.sandbox is required; want a system that allows user namespaces (run: rulecheck doctor), or best_effort")

// strongest is the strongest level to use; tests lower it.
var strongest = sandbox.Namespaces

// openSandbox opens the sandbox for a value of commands.sandbox. The notice is about what
// it lacks; empty: nothing.
func openSandbox(setting string, c sandbox.Config) (s *sandbox.Sandbox, notice string, err error) {
	if c.Strongest = strongest; setting == rule.SandboxOff {
		c.Strongest = sandbox.None
	}
	if s, err = sandbox.Open(c); err != nil {
		return nil, "", err
	}
	switch {
	case setting == rule.SandboxOff:
	case setting == rule.SandboxRequired && s.Level != sandbox.Namespaces:
		return nil, "", errors.Join(fmt.Errorf("%w: %s", errSandbox, s.Reason), s.Close())
	default:
		notice = describe(s)
	}
	return s, notice, nil
}

// describe returns what a sandbox lacks; empty: nothing.
func describe(s *sandbox.Sandbox) string {
	switch {
	case s.Level == sandbox.None:
		return "commands run without a sandbox: " + s.Reason
	case s.Level == sandbox.Landlock && s.Reason != "":
		return "commands run in a weaker sandbox, by Landlock: " + s.Reason
	case s.Reason != "":
		return "the sandbox of commands has a gap: " + s.Reason
	}
	return ""
}

// Confinement returns the level of the sandbox that commands get on this machine, and
// what it lacks; empty: nothing. It needs a directory for temporary files.
func Confinement(temp string) (level sandbox.Level, lacks string, err error) {
	dir, err := os.MkdirTemp(temp, "rulecheck-doctor-*")
	if err != nil {
		return "", "", err
	}
	defer os.Remove(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	s, lacks, err := openSandbox(rule.SandboxBestEffort, sandbox.Config{Scratch: dir})
	if err != nil {
		return "", "", err
	}
	return s.Level, lacks, s.Close()
}

// writablePaths resolves commands.write. It returns the paths, and notices about those that
// do not exist or that the checked state leads elsewhere: links in the working tree are part
// of a change, and would choose what commands may write to.
func writablePaths(write []string, worktree, home string) (paths, notices []string) {
	top, topErr := filepath.EvalSymlinks(worktree)
	for _, written := range write {
		file := filepath.FromSlash(written)
		if rest, ok := strings.CutPrefix(written, "~/"); ok {
			file = filepath.Join(home, rest)
		} else if !filepath.IsAbs(file) {
			file = filepath.Join(worktree, file)
		}
		resolved, err := filepath.EvalSymlinks(file)
		if err != nil || !filepath.IsAbs(resolved) {
			notices = append(notices, fmt.Sprintf("commands.write names %q, which does not exist", written))
			continue
		}
		for _, root := range []string{worktree, top} {
			inside, err := filepath.Rel(root, file)
			if worktree == "" || topErr != nil || err != nil || !filepath.IsLocal(inside) {
				continue
			}
			if resolved != filepath.Join(top, inside) {
				notices = append(notices, fmt.Sprintf("commands.write names %q, which leads through a symlink in the working tree", written))
				resolved = ""
			}
			break
		}
		if resolved != "" {
			paths = append(paths, resolved)
		}
	}
	return paths, notices
}

// visiblePaths returns what commands must see even below a temporary directory: the
// working tree, the home directory, and where programs are.
func (o Options) visiblePaths() []string {
	var list []string
	home := variable(o.Environ, "HOME")
	for _, path := range append([]string{o.Tree.Root, home}, filepath.SplitList(variable(o.Environ, "PATH"))...) {
		if filepath.IsAbs(path) && filepath.Dir(path) != path {
			list = append(list, filepath.Clean(path))
		}
	}
	return list
}
