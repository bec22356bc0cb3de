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

// checkEdits returns an error for edits that Apply does not accept.
func checkEdits(repo *git.Repo, head diff.HeadKind, edits []Edit) error {
	if head != diff.Worktree && head != diff.Index {
		return fmt.Errorf("write to head %q; want %q or %q", head, diff.Worktree, diff.Index)
	}
	if repo.Root == "" {
		return errors.New("write files: the repository has no working tree")
	}
	seen := map[string]bool{}
	for _, e := range edits {
		if !fs.ValidPath(asUTF8(e.Path)) || e.Path == "." || insideGit(e.Path) || seen[e.Path] {
			return fmt.Errorf("write %q; want a path in the repository, once", e.Path)
		}
		seen[e.Path] = true
	}
	if head == diff.Index {
		return Stageable(repo)
	}
	return nil
}

// asUTF8 replaces invalid bytes of a name: file names need not be UTF-8, which
// fs.ValidPath requires.
func asUTF8(name string) string { return strings.ToValidUTF8(name, "_") }

// Stageable returns an error if the index is temporary, so that staged changes
// would not reach the user's index: hooks of git commit PATH get such an index.
func Stageable(repo *git.Repo) error {
	name := filepath.Base(repo.IndexFile)
	if !strings.HasPrefix(name, "next-index-") {
		return nil
	}
	return fmt.Errorf("git commit with paths uses a temporary index (%s), so your index would not have the fixes; run: rulecheck --fix, then commit again", name)
}

// insideGit reports whether a path is inside a git directory, of this or a nested
// repository.
func insideGit(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}
