package diff

import (
	"context"
	"slices"
	"strings"
)

// staged lists the files of the index, intent-to-add entries left out, and what
// is unmerged.
func (e *embedded) staged() (list []version, unmerged []string, err error) {
	x, err := readIndex(e.here.IndexFile)
	if err != nil {
		return nil, nil, err
	}
	for i, entry := range x.entries {
		switch {
		case entry.stage > 0 && (i == 0 || x.entries[i-1].path != entry.path):
			unmerged = append(unmerged, entry.path)
		case entry.stage == 0 && !entry.intended:
			list = append(list, version{path: entry.path, mode: canonical(entry.mode), object: entry.object})
		}
	}
	return list, unmerged, nil
}

// entries lists an Index or Commit: all of it, or what is at and below paths.
func (e *embedded) entries(_ context.Context, head Head, paths []string) ([]entry, error) {
	var all []version
	var err error
	if head.Kind == Commit {
		all, err = e.committed(head.Commit)
	} else {
		all, _, err = e.staged()
	}
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(paths))
	for _, p := range paths {
		asked[p] = true
	}
	list := make([]entry, 0, len(all))
	for _, v := range all {
		if len(paths) == 0 || asked[v.path] || slices.ContainsFunc(above(v.path), func(dir string) bool { return asked[dir] }) {
			list = append(list, entry{path: v.path, mode: octal(v.mode), object: v.object.String()})
		}
	}
	return list, nil
}

// above are the directories a path lies in, the nearest first.
func above(path string) []string {
	var dirs []string
	for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
		dirs = append(dirs, path[:i])
	}
	return dirs
}
