package staging

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// acceptable refuses what cannot be written back at all.
func acceptable(repo *git.Repo, head diff.HeadKind, edits []Edit) error {
	if head != diff.Worktree && head != diff.Index {
		return fmt.Errorf("write to head %q; want %q or %q", head, diff.Worktree, diff.Index)
	}
	if repo.Root == "" {
		return errors.New("write files: the repository has no working tree")
	}
	seen := map[string]bool{}
	for _, e := range edits {
		if !fs.ValidPath(validated(e.Path)) || e.Path == "." || insideGit(e.Path) || seen[e.Path] {
			return fmt.Errorf("write %q; want a path in the repository, once", e.Path)
		}
		seen[e.Path] = true
	}
	if head == diff.Index {
		return Stageable(repo)
	}
	return nil
}

// validated is a path whose bytes are all valid: names need not be UTF-8, of
// which fs.ValidPath makes a condition.
func validated(name string) string { return strings.ToValidUTF8(name, "_") }

// Stageable is an error where what is staged would not reach the user's index:
// git commit PATH has its hooks look at a temporary one.
func Stageable(repo *git.Repo) error {
	name := filepath.Base(repo.IndexFile)
	if !strings.HasPrefix(name, "next-index-") {
		return nil
	}
	return fmt.Errorf("git commit with paths has an index of its own (%s), and what is staged there would be missing from yours; run: rulecheck --fix, then commit again", name)
}

// insideGit reports whether a path leads into the repository's own directory, or
// that of another repository in it.
func insideGit(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}
