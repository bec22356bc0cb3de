package read

import (
	"fmt"
	"io/fs"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// memory is a file system in memory whose symlinks are listed but cannot be read: those that
// lead to a file of the tree have been replaced by it.
type memory struct{ files fstest.MapFS }

// Open opens a file, a directory or a symlink.
func (m memory) Open(name string) (fs.File, error) {
	for i := range len(name) {
		if name[i] == '/' && m.isLink(name[:i]) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
	}
	if f := m.files[name]; f != nil && len(f.Data) > maxBlob {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w; want at most %d MiB", regular.ErrTooLarge, maxBlob>>20)}
	}
	if !m.isLink(name) {
		return m.files.Open(name)
	}
	info, err := m.files.Lstat(name)
	return openLink{info, name, string(m.files[name].Data)}, err
}

func (m memory) isLink(name string) bool {
	f := m.files[name]
	return f != nil && f.Mode.Type() == fs.ModeSymlink
}

// openLink is a symlink that was opened.
type openLink struct {
	fs.FileInfo
	name, target string
}

func (l openLink) Stat() (fs.FileInfo, error) { return l.FileInfo, nil }
func (l openLink) Close() error               { return nil }
func (l openLink) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: l.name, Err: fmt.Errorf("symlink to %q; want a file in the same tree", l.target)}
}

func (l openLink) ReadDir(int) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: l.name, Err: fmt.Errorf("symlink to %q; want a directory, because only the working tree has links to directories", l.target)}
}
