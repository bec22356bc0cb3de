// Package regular opens regular files and directories and nothing else. Opening a pipe
// waits until another program opens its other end, and no interrupt ends that.
package regular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrIrregular reports that a file is neither regular nor a directory.
var ErrIrregular = errors.New("want a regular file")

// Open opens a file for reading as [os.Open] does, without waiting. It fails with
// ErrIrregular for a pipe, a socket or a device.
func Open(name string) (*os.File, error) {
	return admit(os.OpenFile(name, os.O_RDONLY|noWait, 0))
}

// Most is how many bytes [ReadFile] reads at most. The index of git has about 100 bytes for
// each file.
const Most = 1 << 30

// Text is how many bytes a file has at most that people write for this program: a rule, a
// policy, a workflow with its guides and documents, a configuration, a message.
const Text = 1 << 20

// ReadFile reads a regular file of up to [Most] bytes. That of [os.DevNull], by which
// settings name no file, is empty.
func ReadFile(name string) ([]byte, error) { return ReadAtMost(name, Most) }

// ReadAtMost reads a regular file as ReadFile does, and fails if it has more bytes.
func ReadAtMost(name string, most int64) ([]byte, error) {
	if name == os.DevNull {
		return nil, nil
	}
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, most)
}

// ReadFS reads a file of a file system, and fails if it has more bytes.
func ReadFS(fsys fs.FS, name string, most int64) ([]byte, error) {
	if whole, ok := fsys.(fs.ReadFileFS); ok {
		if info, err := fs.Stat(fsys, name); err == nil && info.Size() > most {
			return nil, tooLarge(name, most)
		}
		return whole.ReadFile(name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, most)
}

// ReadAll reads an open file, and fails if it has more bytes. The size that the system
// reports is checked first: a file may have terabytes that are nowhere on disk.
func ReadAll(f fs.File, name string, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > most {
		return nil, tooLarge(name, most)
	}
	var content bytes.Buffer
	content.Grow(int(min(max(info.Size(), 0), most)) + bytes.MinRead) // no copying where the size is right
	if _, err := content.ReadFrom(io.LimitReader(f, most+1)); err != nil {
		return nil, err
	}
	if int64(content.Len()) > most {
		return nil, tooLarge(name, most)
	}
	return content.Bytes(), nil
}

// ErrTooLarge reports that a file has more bytes than are read.
var ErrTooLarge = errors.New("the file is too large")

func tooLarge(name string, most int64) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w; want at most %s", ErrTooLarge, size(most))}
}

func size(n int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// DirFS returns a directory as a file system whose files are opened by [Open].
func DirFS(dir string) fs.FS {
	return files{os.DirFS(dir), func(name string) (*os.File, error) {
		return Open(filepath.Join(dir, filepath.FromSlash(name)))
	}}
}

// RootFS returns the root of a working tree as a file system whose files are opened as by
// [Open]. Files in git directories cannot be opened.
func RootFS(root *os.Root) fs.FS {
	top := sync.OnceValues(func() (string, error) { return filepath.EvalSymlinks(root.Name()) })
	return files{root.FS(), func(name string) (*os.File, error) {
		name = filepath.FromSlash(name)
		f, err := admit(root.OpenFile(name, os.O_RDONLY|noWait, 0))
		if err != nil {
			return nil, err
		}
		return outsideGit(root.Name(), top, name, f)
	}}
}

// admit closes f unless it is a regular file or a directory.
func admit(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: fmt.Errorf("it is %s; %w", kind(info.Mode()), ErrIrregular)}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}

// files is a file system whose files are opened by a function.
type files struct {
	fs.FS
	open func(name string) (*os.File, error)
}

func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.open(name)
	if err != nil {
		return nil, err // not a file that is nil
	}
	return file, nil
}

func (f files) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	dir, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (f files) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

func (f files) ReadLink(name string) (string, error) { return fs.ReadLink(f.FS, name) }

func (f files) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.FS, name) }
