package diff

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// discovered is a repository and how it was found, before its configuration is
// known.
type discovered struct {
	repo     *git.Repo
	dir      string   // where the search started, symlinks resolved
	top      string   // where .git was; empty in a bare repository and beside GIT_DIR
	explicit bool     // GIT_DIR said so
	owned    []string // what must be the user's own
}

// discover finds the repository as git does: GIT_DIR, else .git here or in a
// directory above, else a directory that is a repository itself.
func discover(dir string, env environment) (discovered, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return discovered{}, err
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return discovered{}, err
	}
	d := discovered{dir: start, repo: &git.Repo{}}
	if name := env["GIT_DIR"]; name != "" {
		d.explicit = true
		d.repo.GitDir, err = gitDirAt(within(start, name))
		if err == nil && d.repo.GitDir == "" {
			err = fmt.Errorf("GIT_DIR is %q, which is no git repository", name)
		}
		if err != nil {
			return discovered{}, err
		}
		return d, d.common()
	}
	ceilings, err := ceilings(env["GIT_CEILING_DIRECTORIES"])
	if err != nil {
		return discovered{}, err
	}
	device, err := deviceOf(start)
	if err != nil {
		return discovered{}, err
	}
	for at := start; ; at = filepath.Dir(at) {
		if now, err := deviceOf(at); err != nil || now != device {
			return discovered{}, noRepository(start) // git does not look beyond a file system
		}
		dot := filepath.Join(at, ".git")
		if d.repo.GitDir, err = gitDirAt(dot); err != nil {
			return discovered{}, err
		}
		if d.repo.GitDir != "" {
			d.top, d.owned = at, []string{at, d.repo.GitDir}
			if d.repo.GitDir != dot {
				d.owned = append(d.owned, dot)
			}
			return d, d.common()
		}
		if isGitDir(at) {
			d.repo.GitDir, d.owned = at, []string{at}
			return d, d.common()
		}
		if at == filepath.Dir(at) || ceilings[filepath.Dir(at)] {
			return discovered{}, noRepository(start)
		}
	}
}

// ceilings are the directories at which the search ends.
func ceilings(list string) (map[string]bool, error) {
	if list == "" {
		return nil, nil
	}
	dirs := map[string]bool{}
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			return nil, needsGit("GIT_CEILING_DIRECTORIES with " + strconv.Quote(dir))
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

// gitDirAt is the repository that a .git stands for: a directory, or a file that
// names one; empty where there is neither.
func gitDirAt(dot string) (string, error) {
	info, err := os.Stat(dot)
	switch {
	case absentFile(err):
		return "", nil
	case err != nil:
		return "", err
	case info.IsDir():
		if !isGitDir(dot) {
			return "", nil
		}
		return filepath.EvalSymlinks(dot)
	}
	text, err := os.ReadFile(dot)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	target := within(filepath.Dir(dot), name)
	if !ok || !isGitDir(target) {
		return "", fmt.Errorf("%s does not name a git repository", dot)
	}
	return filepath.EvalSymlinks(target)
}

// isGitDir is git's own test, with what a linked working tree shares looked for
// where it is.
func isGitDir(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD")) //nolint:gosec // to look for a repository is to follow what names one
	if err != nil || head.IsDir() {
		return false
	}
	common, err := commonDir(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		//nolint:gosec // as above
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func commonDir(gitDir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(gitDir, "commondir")) //nolint:gosec // as above
	if errors.Is(err, os.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	return within(gitDir, strings.TrimRight(string(text), "\r\n")), nil
}

func (d *discovered) common() (err error) {
	d.repo.ObjectFormat = "sha1"
	d.repo.CommonDir, err = commonDir(d.repo.GitDir)
	return err
}

// within is name as seen from dir.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
