package native

import (
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Lines returns, for each change that has any, the ranges of lines at head that were added or
// changed. They are correct, but not always those that git prints: a run may begin at several
// places if lines repeat, and attributes that declare a file binary or text are not evaluated.
func (e *Engine) Lines(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change,
) (map[string][]diff.Lines, error) {
	var before, after []string
	for _, c := range list {
		if c.Status != diff.Deleted && c.Kind != diff.Submodule {
			before, after = append(before, c.Names()[0]), append(after, c.Path)
		}
	}
	now, err := e.Contents(ctx, head, after, -1)
	if err != nil {
		return nil, err
	}
	old, err := e.Contents(ctx, diff.Head{Kind: diff.Commit, Commit: base.Commit}, before, -1)
	if err != nil {
		return nil, err
	}
	lines := map[string][]diff.Lines{}
	for _, c := range list {
		content, was := now[c.Path], old[c.Names()[0]]
		if c.Status == diff.Added || c.Status == diff.TypeChanged {
			was = nil
		}
		if c.Status == diff.Deleted || diff.IsBinary(was) || diff.IsBinary(content) {
			continue
		}
		if runs := changedLines(rows(was), rows(content)); len(runs) > 0 {
			lines[c.Path] = runs
		}
	}
	return lines, nil
}

// rows splits text into its lines, each with its line end.
func rows(content []byte) []string {
	list := strings.SplitAfter(string(content), "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
