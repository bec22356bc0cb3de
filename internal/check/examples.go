package check

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// exampleEngine answers about the change of an example, and of all that no
// example says, such as the configuration, as the engine it stands before.
type exampleEngine struct {
	diff.Engine
	example example.Example
}

// Resolve gives a base that stands for any.
func (exampleEngine) Resolve(_ context.Context, r diff.BaseRequest) (diff.Base, error) {
	return diff.Base{ID: r.ID, FoundBy: "an example"}, nil
}

func (e exampleEngine) Changes(_ context.Context, base diff.Base, head diff.Head) (diff.Changeset, error) {
	return diff.Changeset{Base: base, Head: head, Changes: changesOf(e.example)}, nil
}

func (e exampleEngine) Staged(context.Context) (map[string]bool, error) {
	return map[string]bool{}, nil
}

func (e exampleEngine) Lines(context.Context, diff.Base, diff.Head, []diff.Change) (wait func() (map[string][]diff.Lines, error)) {
	lines := map[string][]diff.Lines{}
	for _, f := range e.example.Files {
		if n := len(f.Added); n > 0 {
			lines[f.Path] = []diff.Lines{{First: 1, Last: n}}
		}
	}
	return func() (map[string][]diff.Lines, error) { return lines, nil }
}

func (e exampleEngine) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, f := range e.example.Files {
		if f.Status != example.Deleted && slices.Contains(paths, f.Path) {
			text := contentOf(f.Added)
			contents[f.Path] = []byte(text[:min(len(text), int(limit))])
		}
	}
	return contents, nil
}

func (e exampleEngine) Files(context.Context, diff.Head) ([]string, error) {
	return filesOf(e.example), nil
}

func (exampleEngine) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	return nil, nil
}

// statuses are those of an example's letters.
var statuses = map[byte]diff.Status{
	example.Added:       diff.Added,
	example.Deleted:     diff.Deleted,
	example.Modified:    diff.Modified,
	example.Renamed:     diff.Renamed,
	example.TypeChanged: diff.TypeChanged,
	example.Untracked:   diff.Added,
}

// The modes of files and symlinks, as git has them.
const (
	fileMode    = "100644"
	symlinkMode = "120000"
)

// changesOf is what an example says has changed.
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
