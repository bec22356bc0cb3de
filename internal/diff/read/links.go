package read

import (
	"context"
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// Links returns those of the paths that are symlinks at head.
func Links(ctx context.Context, from Backend, head diff.Head, paths []string) (map[string]bool, error) {
	links := map[string]bool{}
	if len(paths) == 0 {
		return links, nil
	}
	if head.Kind != diff.Worktree {
		list, err := from.Entries(ctx, head, entriesAsked(paths))
		for _, e := range files(list, paths) {
			if diff.KindOf(e.Mode) == diff.Symlink {
				links[e.Path] = true
			}
		}
		return links, err
	}
	root, err := from.Disk()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var absent []string
	for _, name := range paths {
		info, err := Lstat(root, name)
		if err != nil && !Absent(err) {
			return nil, err
		}
		switch {
		case err != nil:
			absent = append(absent, name)
		case info.Mode()&fs.ModeSymlink != 0:
			links[name] = true
		}
	}
	if len(absent) == 0 {
		return links, nil
	}
	skipped, err := from.Skipped(ctx, absent)
	for _, e := range files(skipped, absent) {
		if diff.KindOf(e.Mode) == diff.Symlink {
			links[e.Path] = true
		}
	}
	return links, err
}
