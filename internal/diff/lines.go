package diff

import (
	"bytes"
	"context"
)

// Lines are, for each of the changes that has any, the runs of lines at head that
// were added or changed, in order; see ParseHunks. Where git tells of them in one
// process, it is at work before somebody waits.
func (p *Program) Lines(ctx context.Context, base Base, head Head, list []Change) (wait func() (map[string][]Lines, error)) {
	var asked []Change
	var retyped []string
	for _, c := range list {
		switch {
		case c.Status == Deleted || c.Kind == Submodule:
		case c.Status == TypeChanged && c.Kind == Symlink:
			// Git writes no patch from a submodule to a symlink.
			retyped = append(retyped, c.Path)
		default:
			asked = append(asked, c)
		}
	}
	patch := p.patch(ctx, base, head, asked, patchForm)
	return func() (map[string][]Lines, error) {
		text, err := patch()
		if err != nil {
			return nil, err
		}
		all, err := ParseHunks(text)
		if err != nil {
			return nil, err
		}
		lines, err := p.linkLines(ctx, head, retyped)
		if err != nil {
			return nil, err
		}
		for _, c := range asked {
			if runs, ok := all[c.Path]; ok {
				lines[c.Path] = runs
			}
		}
		return lines, nil
	}
}

// linkLines are all lines of symlinks that were something else.
func (p *Program) linkLines(ctx context.Context, head Head, links []string) (map[string][]Lines, error) {
	targets, err := p.Contents(ctx, head, links, -1)
	lines := make(map[string][]Lines, len(targets))
	for name, target := range targets {
		lines[name] = []Lines{{First: 1, Last: 1 + bytes.Count(bytes.TrimSuffix(target, []byte("\n")), []byte("\n"))}}
	}
	return lines, err
}
