package native

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// staged lists the files of the index, without intent-to-add entries, and the unmerged paths.
func (e *Engine) staged() (list []version, unmerged []string, err error) {
	x, err := gitfile.ReadIndex(e.place.IndexFile)
	if err != nil {
		return nil, nil, err
	}
	for i, entry := range x.Entries {
		switch {
		case entry.Stage > 0 && (i == 0 || x.Entries[i-1].Path != entry.Path):
			unmerged = append(unmerged, entry.Path)
		case entry.Stage == 0 && !entry.IntentToAdd:
			list = append(list, version{path: entry.Path, mode: gitfile.CanonicalMode(entry.Mode), object: entry.Object})
		}
	}
	return list, unmerged, nil
}

// source provides the files of an index or commit.
type source struct{ *Engine }

// Disk opens the working tree.
func (e source) Disk() (read.Disk, error) { return read.OpenDisk(e.place.Root, e.texts) }

// Entries lists an index or commit: all of it, or the files at and below paths.
func (e source) Entries(_ context.Context, head diff.Head, paths []string) ([]read.Entry, error) {
	var all []version
	var err error
	if head.Kind == diff.Commit {
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
	list := make([]read.Entry, 0, len(all))
	for _, v := range all {
		if len(paths) == 0 || asked[v.path] || slices.ContainsFunc(above(v.path), func(dir string) bool { return asked[dir] }) {
			list = append(list, read.Entry{Path: v.path, Mode: gitfile.OctalMode(v.mode), Object: v.object.String()})
		}
	}
	return list, nil
}

// Skipped lists the files of the index at and below paths that the checkout leaves out.
func (e source) Skipped(_ context.Context, paths []string) ([]read.Entry, error) {
	if gitfile.NoneSkipped(e.place.IndexFile, e.place.GitDir) { // reading a large index takes longer than all else in a hook
		return nil, nil
	}
	x, err := gitfile.ReadIndex(e.place.IndexFile)
	if err != nil {
		return nil, err
	}
	var list []read.Entry
	below := read.Below[string](paths)
	for _, entry := range x.Entries {
		if !entry.SkipWorktree || entry.Stage > 0 || !below(entry.Path) {
			continue
		}
		switch _, err := os.Lstat(filepath.Join(e.place.Root, filepath.FromSlash(entry.Path))); {
		case errors.Is(err, fs.ErrNotExist):
			mode := gitfile.OctalMode(gitfile.CanonicalMode(entry.Mode))
			list = append(list, read.Entry{Path: entry.Path, Mode: mode, Object: entry.Object.String()})
		case err != nil && !read.Absent(err):
			return nil, err
		}
	}
	return list, nil
}

// Members reports which of paths, all of which are on disk, are files of the working tree to
// git.
func (e source) Members(_ context.Context, paths []string) (map[string]bool, error) {
	members := make(map[string]bool, len(paths))
	x, err := gitfile.ReadIndex(e.place.IndexFile)
	if err != nil {
		return nil, err
	}
	asked := make(map[string]bool, len(paths))
	for _, name := range paths {
		asked[name] = true
	}
	for _, entry := range x.Entries {
		if asked[entry.Path] {
			members[entry.Path] = true
		}
	}
	if len(members) == len(asked) {
		return members, nil
	}
	w, err := e.readWorktree() // the rest is untracked or ignored
	if err != nil {
		return nil, err
	}
	for _, v := range w.files {
		members[v.path] = true
	}
	return members, w.root.Close()
}

// above returns the directories that contain a path, the nearest first.
func above(path string) []string {
	var dirs []string
	for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
		dirs = append(dirs, path[:i])
	}
	return dirs
}

// EachBlob visits the content of objects, each up to limit bytes; limit < 0: all.
func (e source) EachBlob(ctx context.Context, objects []string, limit int64, visit func(object string, content []byte)) error {
	for _, name := range objects {
		b, err := e.objects.Blob(gitfile.ParseID(name))
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		visit(name, read.Truncate(b, limit))
	}
	return nil
}

// Blobs returns the content of objects, each up to limit bytes; limit < 0: all.
func (e source) Blobs(_ context.Context, objects []string, limit int64) (map[string][]byte, error) {
	content := make(map[string][]byte, len(objects))
	for _, name := range objects {
		b, err := e.objects.Blob(gitfile.ParseID(name))
		if err != nil {
			return nil, err
		}
		content[name] = read.Truncate(b, limit)
	}
	return content, nil
}
