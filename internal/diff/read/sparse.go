package read

import (
	"context"
	"io/fs"
	"slices"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// withSkipped adds the files at and below paths that a sparse checkout leaves out to the
// files of the working tree: to git they are there, unchanged.
func withSkipped(ctx context.Context, from Backend, disk fs.FS, paths []string) (fs.FS, error) {
	if len(paths) == 0 {
		return disk, nil
	}
	skipped, err := from.Skipped(ctx, paths)
	if err != nil {
		return nil, err
	}
	skipped = slices.DeleteFunc(skipped, func(e Entry) bool { return diff.KindOf(e.Mode) == diff.Submodule })
	if len(skipped) == 0 {
		return disk, nil
	}
	blobs, err := from.Blobs(ctx, objectsOf(skipped), maxBlob+1)
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for _, e := range skipped {
		files[e.Path] = fileOf(e, blobs)
	}
	return Over(disk, linked{memory{files}}), nil
}

// fileOf returns an entry as a file in memory.
func fileOf(e Entry, blobs map[string][]byte) *fstest.MapFile {
	mode := fs.FileMode(0o444)
	if diff.KindOf(e.Mode) == diff.Symlink {
		mode |= fs.ModeSymlink
	}
	return &fstest.MapFile{Data: blobs[e.Object], Mode: mode}
}

// linked is a tree in memory that describes its symlinks, as the disk does.
type linked struct{ memory }

func (l linked) Lstat(name string) (fs.FileInfo, error) { return l.files.Lstat(name) }
func (l linked) ReadLink(name string) (string, error)   { return l.files.ReadLink(name) }
