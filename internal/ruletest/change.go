package ruletest

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// statuses maps the letters of an example to statuses.
var statuses = map[byte]diff.Status{
	example.Added:       diff.Added,
	example.Deleted:     diff.Deleted,
	example.Modified:    diff.Modified,
	example.Renamed:     diff.Renamed,
	example.TypeChanged: diff.TypeChanged,
	example.Untracked:   diff.Added,
}

// The modes of files and symlinks in git.
const (
	fileMode    = "100644"
	symlinkMode = "120000"
)

// changesOf returns the changes of an example.
func changesOf(x example.Example) []diff.Change {
	var changes []diff.Change
	for _, f := range x.Files {
		status, changed := statuses[f.Status]
		if !changed {
			continue
		}
		c := diff.Change{
			Path: f.Path, OldPath: f.OldPath, Status: status, Untracked: f.Status == example.Untracked,
			Mode: fileMode, Kind: diff.File,
		}
		if status == diff.TypeChanged {
			c.Mode, c.Kind = symlinkMode, diff.Symlink
		}
		if status == diff.Renamed {
			c.Similarity = 100
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b diff.Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// filesOf lists the files that an example leaves at head, in byte order.
func filesOf(x example.Example) []string {
	files := []string{}
	for _, f := range x.Files {
		if f.Status != example.Deleted {
			files = append(files, f.Path)
		}
	}
	slices.Sort(files)
	return files
}
