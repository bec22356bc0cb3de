package resolve

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Repository looks up what the search for a base needs. Its methods may be called
// concurrently.
type Repository interface {
	// Place returns where the repository is and what HEAD is.
	Place() *git.Repo
	// Settings returns the configuration of remotes.
	Settings(ctx context.Context) (*Settings, error)
	// Commit resolves a revision to a commit id, or fails with a *diff.NoVerdictError.
	Commit(ctx context.Context, ref string) (string, error)
	// Refs returns those of the full names that lead to a commit. Two asterisks in a name
	// match any path elements.
	Refs(ctx context.Context, names []string) (map[string]Branch, error)
	// MergeBases lists all merge bases of a commit, given by id or ref, with any of sides,
	// in git's order.
	MergeBases(ctx context.Context, commit string, sides []string) ([]string, error)
	// MergeHeads lists the commits that are being merged into HEAD.
	MergeHeads() ([]string, error)
}

// Settings holds the part of git's configuration that decides about bases.
type Settings struct {
	FileMode bool                // whether the executable bit of a file counts
	Filters  bool                // whether files may have content filters, other than those of Git LFS, whose pointers are plain text
	LFS      bool                // whether files may have the filter of Git LFS
	Remotes  []string            // names, sorted
	RemoteOf map[string]string   // branch → its configured remote
	MergeOf  map[string]string   // branch → the ref of its remote that it follows
	URLs     map[string][]string // remote → its URLs, as configured
	Fetches  map[string][]string // remote → its refspecs, as configured

	InitialBranch string // init.defaultBranch; empty: not set
}

// Remote returns the remote whose default branch counts: the branch's own, else origin,
// else the only one, else none.
func (s *Settings) Remote(branch string) string {
	for _, name := range []string{s.RemoteOf[branch], "origin"} {
		if slices.Contains(s.Remotes, name) {
			return name
		}
	}
	if len(s.Remotes) == 1 {
		return s.Remotes[0]
	}
	return ""
}
