package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// discovery is a repository and how it was found, before its configuration is read.
type discovery struct {
	repo     *git.Repo
	dir      string   // where the search started, symlinks resolved
	top      string   // the directory of .git; empty in a bare repository and with GIT_DIR
	explicit bool     // named by GIT_DIR
	owned    []string // paths that must belong to the user
}

// discover finds the repository as git does: by GIT_DIR, else .git here or in a parent
// directory, else a directory that is itself a repository.
func discover(dir string, env gitfile.Environment) (discovery, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return discovery{}, err
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return discovery{}, err
	}
	d := discovery{dir: start, repo: &git.Repo{}}
	if name := env["GIT_DIR"]; name != "" {
		d.explicit = true
		d.repo.GitDir, err = gitDirAt(gitfile.Within(start, name))
		if err == nil && d.repo.GitDir == "" {
			err = fmt.Errorf("GIT_DIR is %q, which is not a git repository", name)
		}
		if err != nil {
			return discovery{}, err
		}
		return d, d.common()
	}
	ceilings, err := ceilings(env["GIT_CEILING_DIRECTORIES"])
	if err != nil {
		return discovery{}, err
	}
	device, err := gitfile.Device(start)
	if err != nil {
		return discovery{}, err
	}
	for at := start; ; at = filepath.Dir(at) {
		if now, err := gitfile.Device(at); err != nil || now != device {
			return discovery{}, noRepository(start) // git does not look beyond a file system
		}
		dot := filepath.Join(at, ".git")
		if d.repo.GitDir, err = gitDirAt(dot); err != nil {
			return discovery{}, err
		}
		if d.repo.GitDir != "" {
			d.top, d.owned = at, []string{at, d.repo.GitDir}
			if d.repo.GitDir != dot {
				d.owned = append(d.owned, dot)
			}
			return d, d.common()
		}
		if isGitDir(at) {
			if _, err := git.Embedded(at); err != nil {
				return discovery{}, err
			}
			d.repo.GitDir, d.owned = at, []string{at}
			return d, d.common()
		}
		if at == filepath.Dir(at) || ceilings[filepath.Dir(at)] {
			return discovery{}, noRepository(start)
		}
	}
}

// ceilings parses the directories at which the search ends.
func ceilings(list string) (map[string]bool, error) {
	if list == "" {
		return nil, nil
	}
	dirs := map[string]bool{}
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			return nil, diff.NeedsGit("GIT_CEILING_DIRECTORIES with " + strconv.Quote(dir))
		}
		if place, err := filepath.EvalSymlinks(dir); err == nil {
			dirs[place] = true
		}
	}
	return dirs, nil
}

func noRepository(dir string) error {
	return fmt.Errorf("not a git repository: there is no .git in %q or above; run rulecheck inside a git repository", dir)
}

// gitDirAt returns the repository at a .git: a directory, or a file that names one; "" if it
// is neither.
func gitDirAt(dot string) (string, error) {
	info, err := os.Stat(dot)
	switch {
	case read.Absent(err):
		return "", nil
	case err != nil:
		return "", err
	case info.IsDir():
		if !isGitDir(dot) {
			return "", nil
		}
		return filepath.EvalSymlinks(dot)
	}
	text, err := regular.ReadFile(dot)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	target := gitfile.Within(filepath.Dir(dot), name)
	if !ok || !isGitDir(target) {
		return "", fmt.Errorf("%s does not name a git repository", dot)
	}
	return filepath.EvalSymlinks(target)
}

// isGitDir applies git's own test. The shared parts of a linked working tree are in its common
// directory.
func isGitDir(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || head.IsDir() {
		return false
	}
	common, err := commonDir(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func commonDir(gitDir string) (string, error) {
	text, err := regular.ReadFile(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, os.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	return gitfile.Within(gitDir, strings.TrimRight(string(text), "\r\n")), nil
}

func (d *discovery) common() (err error) {
	d.repo.ObjectFormat = "sha1"
	d.repo.CommonDir, err = commonDir(d.repo.GitDir)
	return err
}
