package program

import (
	"bytes"
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
)

// Lines returns, for each change that has any, the ranges of lines at head that were added
// or changed, in order; see [diff.ParseHunks].
func (p *Engine) Lines(
	ctx context.Context, base diff.Base, head diff.Head, list []diff.Change,
) (map[string][]diff.Lines, error) {
	var asked []diff.Change
	var retyped []string
	for _, c := range list {
		switch {
		case c.Status == diff.Deleted || c.Kind == diff.Submodule:
		case c.Status == diff.TypeChanged && c.Kind == diff.Symlink:
			// Git writes no patch from a submodule to a symlink.
			retyped = append(retyped, c.Path)
		default:
			asked = append(asked, c)
		}
	}
	patch, err := p.patch(ctx, base, head, asked)
	if err != nil {
		return nil, err
	}
	all, encoded, err := diff.ParseHunks(patch)
	if err != nil {
		return nil, err
	}
	decoded, err := read.DecodeChanges(ctx, source{Engine: p}, base, head, slices.DeleteFunc(slices.Clone(asked), func(c diff.Change) bool { return !encoded[c.Path] }))
	if err != nil {
		return nil, err
	}
	for name, d := range decoded {
		if all[name] = d.Lines; len(d.Lines) == 0 {
			delete(all, name)
		}
	}
	lines, err := p.linkLines(ctx, head, retyped)
	if err != nil {
		return nil, err
	}
	for i := range asked {
		if runs, ok := all[asked[i].Path]; ok {
			lines[asked[i].Path] = runs
		}
	}
	return lines, nil
}

// linkLines returns all lines of symlinks that were another type of file.
func (p *Engine) linkLines(ctx context.Context, head diff.Head, links []string) (map[string][]diff.Lines, error) {
	targets, err := p.Contents(ctx, head, links, -1)
	lines := make(map[string][]diff.Lines, len(targets))
	for name, target := range targets {
		lines[name] = []diff.Lines{{First: 1, Last: 1 + bytes.Count(bytes.TrimSuffix(target, []byte("\n")), []byte("\n"))}}
	}
	return lines, err
}
