package replay

import (
	"context"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// tree lists the files of one unit after the other. Where each is the parent of the one
// before, git is asked once: the changes lead from one list to the next.
type tree struct {
	engine  diff.Engine
	at      string // the commit that files and pending describe; empty: none
	files   []string
	pending map[string]bool // names to add, or to remove if false
}

// list returns every file of a unit in byte order. It is not changed later.
func (t *tree) list(ctx context.Context, u diff.Unit) ([]string, error) {
	if t.at != u.Commit {
		files, err := t.engine.Files(ctx, diff.Head{Kind: diff.Commit, Ref: u.Commit, Commit: u.Commit})
		if err != nil {
			return nil, err
		}
		t.at, t.files, t.pending = u.Commit, files, map[string]bool{}
	}
	if len(t.pending) > 0 {
		t.files, t.pending = merged(t.files, t.pending), map[string]bool{}
	}
	return t.files, nil
}

// lose forgets the files: git is asked again.
func (t *tree) lose() { t.at = "" }

// back goes from a unit to its parent.
func (t *tree) back(u diff.Unit) {
	if t.at == "" || t.at != u.Commit {
		t.at = ""
		return
	}
	t.at = u.Parent
	for i := range u.Changes { // removed first: two files may have exchanged their names
		if c := &u.Changes[i]; c.Status == diff.Added || c.Status == diff.Renamed {
			t.pending[c.Path] = false
		}
	}
	for i := range u.Changes {
		if c := &u.Changes[i]; c.Status == diff.Deleted {
			t.pending[c.Path] = true
		} else if c.Status == diff.Renamed {
			t.pending[c.OldPath] = true
		}
	}
}

// merged returns a sorted list with names added and removed.
func merged(sorted []string, pending map[string]bool) []string {
	list := make([]string, 0, len(sorted)+len(pending))
	for _, name := range slices.Sorted(maps.Keys(pending)) {
		at, found := slices.BinarySearch(sorted, name)
		list = append(list, sorted[:at]...)
		if pending[name] {
			list = append(list, name)
		}
		if found {
			at++
		}
		sorted = sorted[at:]
	}
	return append(list, sorted...)
}
