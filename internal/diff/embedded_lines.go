package diff

import (
	"context"
	"strings"
)

// Lines are, for each of the changes that has any, the runs of lines at head that
// were added or changed. They serve to place findings. They are right, but not
// always those git shows: where lines repeat a run may begin at any of several
// places, and attributes that call a file binary or text are not looked at.
func (e *embedded) Lines(ctx context.Context, base Base, head Head, list []Change) (wait func() (map[string][]Lines, error)) {
	return func() (map[string][]Lines, error) { return e.lines(ctx, base, head, list) }
}

func (e *embedded) lines(ctx context.Context, base Base, head Head, list []Change) (map[string][]Lines, error) {
	var before, after []string
	for _, c := range list {
		if c.Status != Deleted && c.Kind != Submodule {
			before, after = append(before, c.Names()[0]), append(after, c.Path)
		}
	}
	now, err := e.Contents(ctx, head, after, -1)
	if err != nil {
		return nil, err
	}
	old, err := e.Contents(ctx, Head{Kind: Commit, Commit: base.Commit}, before, -1)
	if err != nil {
		return nil, err
	}
	lines := map[string][]Lines{}
	for _, c := range list {
		content, was := now[c.Path], old[c.Names()[0]]
		if c.Status == Added || c.Status == TypeChanged {
			was = nil
		}
		if c.Status == Deleted || IsBinary(was) || IsBinary(content) {
			continue
		}
		if runs := changedLines(rows(was), rows(content)); len(runs) > 0 {
			lines[c.Path] = runs
		}
	}
	return lines, nil
}

// rows splits text into its lines, each with its end.
func rows(content []byte) []string {
	list := strings.SplitAfter(string(content), "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
