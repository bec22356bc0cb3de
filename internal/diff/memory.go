package diff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// memory is a read-only file system held in memory: nodes by path, with every
// directory above them.
type memory map[string]*node

// node is a file, a directory or a symlink that leads nowhere; it is its own
// fs.FileInfo and fs.DirEntry.
type node struct {
	name     string
	mode     fs.FileMode
	content  []byte
	children []fs.DirEntry // of a directory, sorted
}

var (
	_ fs.ReadDirFS  = memory(nil)
	_ fs.ReadFileFS = memory(nil)
	_ fs.StatFS     = memory(nil)
)

// add enters a file and the directories above it.
func (m memory) add(name string, kind Kind, content []byte) {
	n := &node{name: path.Base(name), mode: 0o444, content: content}
	if kind == Symlink {
		n.mode |= fs.ModeSymlink
	}
	m[name] = n
	for child := n; name != "."; {
		name = path.Dir(name)
		dir, known := m[name]
		if !known {
			dir = &node{name: path.Base(name), mode: fs.ModeDir | 0o555}
			m[name] = dir
		}
		at, _ := slices.BinarySearchFunc(dir.children, child.name, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		})
		dir.children = slices.Insert(dir.children, at, fs.DirEntry(child))
		if known {
			return
		}
		child = dir
	}
}

func (m memory) node(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if n, ok := m[name]; ok {
		return n, nil
	}
	if name == "." {
		return &node{name: ".", mode: fs.ModeDir | 0o555}, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file or directory.
func (m memory) Open(name string) (fs.File, error) {
	n, err := m.node("open", name)
	if err != nil {
		return nil, err
	}
	if n.IsDir() {
		return &openDir{node: n}, nil
	}
	content, err := m.ReadFile(name)
	return &openFile{node: n, Reader: bytes.NewReader(content)}, err
}

// ReadFile returns a file's content.
func (m memory) ReadFile(name string) ([]byte, error) {
	n, err := m.node("read", name)
	switch {
	case err != nil:
		return nil, err
	case n.IsDir():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errDirectory}
	case n.mode&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("symlink to %q; want a file in the same tree", n.content)}
	}
	return bytes.Clone(n.content), nil
}

// ReadDir lists a directory in the order of names.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := m.node("readdir", name)
	if err != nil {
		return nil, err
	}
	if !n.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNoDirectory}
	}
	return slices.Clone(n.children), nil
}

// Stat describes a file or directory.
func (m memory) Stat(name string) (fs.FileInfo, error) { return m.node("stat", name) }

var (
	errDirectory   = errors.New("is a directory")
	errNoDirectory = errors.New("is not a directory")
)

// The methods of fs.FileInfo and fs.DirEntry.

func (n *node) Name() string               { return n.name }
func (n *node) Size() int64                { return int64(len(n.content)) }
func (n *node) Mode() fs.FileMode          { return n.mode }
func (n *node) Type() fs.FileMode          { return n.mode.Type() }
func (n *node) ModTime() time.Time         { return time.Time{} }
func (n *node) IsDir() bool                { return n.mode.IsDir() }
func (n *node) Sys() any                   { return nil }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }

// openFile is a file opened for reading.
type openFile struct {
	node *node
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node, nil }
func (f *openFile) Close() error               { return nil }

// openDir is a directory opened for listing.
type openDir struct {
	node *node
	at   int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *openDir) Close() error               { return nil }
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.node.name, Err: errDirectory}
}

// ReadDir continues the listing, as fs.ReadDirFile wants it.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.node.children[d.at:]
	if n <= 0 {
		d.at += len(rest)
		return slices.Clone(rest), nil
	}
	if len(rest) == 0 {
		return nil, io.EOF
	}
	rest = rest[:min(n, len(rest))]
	d.at += len(rest)
	return slices.Clone(rest), nil
}
