package gitfile

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// WorkTree is a working tree of a repository.
type WorkTree struct{ Root, GitDir string }

// maxLink is the longest path in a file that leads from a working tree to its git directory, or
// back.
const maxLink = 32 << 10

// WorkTrees returns the working trees that share the repository of a git directory, except its
// own. Those that were removed and not pruned are among them, and what cannot be read is not.
func WorkTrees(gitDir string) []WorkTree {
	common := gitDir
	if link := linkIn(gitDir, "commondir"); link != "" {
		common = link
	}
	var trees []WorkTree
	if filepath.Base(common) == ".git" && common != filepath.Clean(gitDir) {
		trees = append(trees, WorkTree{filepath.Dir(common), common})
	}
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees")) // without the directory there are no others
	for _, e := range entries {
		dir := filepath.Join(common, "worktrees", e.Name())
		if link := linkIn(dir, "gitdir"); link != "" && dir != filepath.Clean(gitDir) {
			trees = append(trees, WorkTree{filepath.Dir(link), dir})
		}
	}
	return trees
}

// linkIn returns the path in a file of a git directory, which may be relative to it; empty
// without one.
func linkIn(dir, name string) string {
	text, err := regular.ReadAtMost(filepath.Join(dir, name), maxLink)
	link := filepath.FromSlash(strings.TrimRight(string(text), "\r\n"))
	switch {
	case err != nil || link == "":
		return ""
	case filepath.IsAbs(link):
		return filepath.Clean(link)
	}
	return filepath.Join(dir, link)
}
