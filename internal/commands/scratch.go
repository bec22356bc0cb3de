package commands

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"
)

// scratch is a copy of head in which commands run.
type scratch struct {
	dir      string // absolute, as commands see it
	root     *os.Root
	worktree string
	began    map[string]fs.FileMode // types of its initial entries, by name
	growth   atomic.Int64           // bytes by which files may still grow
}

// anyType is the type of entries whose type is unknown.
const anyType = fs.ModeIrregular

// repository is the files of an empty repository, for git and for tools that look
// for one.
var repository = []struct{ name, content string }{
	{"HEAD", "ref: refs/heads/main\n"},
	{"config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"},
}

// create creates a copy as the directory name of top, which commands see as dir. It uses
// no other name of it: commands of an earlier copy may have replaced what is there.
func (l *layout) create(top *os.Root, name, dir, worktree string) (*scratch, error) {
	if err := top.Mkdir(name, 0o700); errors.Is(err, fs.ErrExist) {
		// A command of the earlier copy has been here.
		if err := errors.Join(removeAll(top, name), top.Mkdir(name, 0o700)); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	root, err := top.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir, root: root, worktree: worktree, began: map[string]fs.FileMode{marker: fs.ModeDir}}
	s.growth.Store(maxGrowth)
	if err := s.fill(l); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// fill creates the files of the copy.
func (s *scratch) fill(l *layout) error {
	for _, name := range l.dirs {
		if s.began[name] = fs.ModeDir; name == "." {
			continue
		}
		if err := s.root.Mkdir(name, 0o700); err != nil {
			return err
		}
	}
	for _, name := range []string{"", "objects", "refs"} {
		if err := s.root.Mkdir(filepath.Join(marker, name), 0o700); err != nil {
			return err
		}
	}
	for _, f := range repository {
		if err := s.root.WriteFile(filepath.Join(marker, f.name), []byte(f.content), 0o600); err != nil {
			return err
		}
	}
	writers := pool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0)).WithErrors()
	for chunk := range slices.Chunk(l.links, chunkSize) {
		writers.Go(func() error {
			return each(chunk, func(k link) error { return s.root.Symlink(k.target, k.name) })
		})
	}
	for chunk := range slices.Chunk(l.copied, chunkSize) {
		writers.Go(func() error {
			return each(chunk, func(name string) error {
				err := s.duplicate(filepath.Join(s.worktree, name), name)
				if isAbsent(err) {
					return nil // it was just removed
				}
				return err
			})
		})
	}
	for chunk := range slices.Chunk(l.files, chunkSize) {
		writers.Go(func() error { return each(chunk, s.write) })
	}
	if err := writers.Wait(); err != nil {
		return err
	}
	for _, k := range l.links {
		s.began[k.name] = fs.ModeSymlink
	}
	for _, name := range l.copied {
		s.began[name] = anyType
	}
	for _, f := range l.files {
		if s.began[f.Path] = 0; f.Link {
			s.began[f.Path] = fs.ModeSymlink
		}
	}
	return nil
}

// chunkSize is the number of entries that one goroutine creates; a single file is
// too little work for one.
const chunkSize = 32

func each[T any](list []T, do func(T) error) error {
	for _, item := range list {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

func (s *scratch) write(f Sibling) error {
	if f.Link {
		return s.root.Symlink(string(f.Content), f.Path)
	}
	return s.root.WriteFile(f.Path, f.Content, permissions(f.Executable))
}

func permissions(executable bool) fs.FileMode {
	if executable {
		return 0o700
	}
	return 0o600
}

// duplicate copies a file or a symlink into the copy. It links to a directory, which is a nested
// repository.
func (s *scratch) duplicate(from, to string) error {
	info, err := os.Lstat(from)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		text, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return s.root.Symlink(text, to)
	case !info.Mode().IsRegular():
		return s.root.Symlink(from, to)
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := s.root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// read returns a file of the copy, or an error if it is not a regular file or has grown
// too much. before is its content before a command.
func (s *scratch) read(name string, before []byte) (File, error) {
	info, err := s.root.Lstat(name)
	switch {
	case isAbsent(err):
		return File{}, fmt.Errorf("removed %q; want the file kept", name)
	case err != nil:
		return File{}, fmt.Errorf("left %q unreadable: %w", name, err)
	case !info.Mode().IsRegular():
		return File{}, fmt.Errorf("replaced %q by something other than a file", name)
	}
	limit := int64(len(before)) + s.growth.Load()
	if info.Size() > limit {
		return File{}, fmt.Errorf("left %q with %d bytes; want %d at most", name, info.Size(), limit)
	}
	content, err := s.content(name, limit)
	if err != nil {
		return File{}, fmt.Errorf("left %q unreadable: %w", name, err)
	}
	return File{Path: name, Executable: info.Mode().Perm()&0o100 != 0, Content: content}, nil
}

// maxGrowth is the maximum size by which the files of a copy may grow, in bytes: they are
// read into memory, and a sparse file can have any size.
const maxGrowth = 256 << 20

// content reads a regular file of at most limit bytes.
func (s *scratch) content(name string, limit int64) ([]byte, error) {
	file, err := s.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it was replaced by something other than a file")
	}
	content := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	if _, err := content.ReadFrom(io.LimitReader(file, limit+1)); err != nil {
		return nil, err
	}
	if int64(content.Len()) > limit {
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return content.Bytes(), nil
}

// program looks up a program by a path. One of the copy may be a link to the working tree.
func (s *scratch) program(name string) (file string, info fs.FileInfo, err error) {
	if filepath.IsAbs(name) {
		inside, err := filepath.Rel(s.dir, name)
		if err != nil || !filepath.IsLocal(inside) {
			info, err = os.Stat(name)
			return name, info, err
		}
		name = inside
	}
	name = filepath.Clean(name)
	if info, err = s.root.Stat(name); err != nil && s.worktree != "" {
		if resolved, outside := os.Stat(filepath.Join(s.worktree, name)); outside == nil {
			info, err = resolved, nil
		}
	}
	return filepath.Join(s.dir, name), info, err
}

// restore reverts a file to its content before a command.
func (s *scratch) restore(f File) error {
	if err := s.root.RemoveAll(f.Path); err != nil {
		return err
	}
	if err := s.root.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	return s.root.WriteFile(f.Path, f.Content, permissions(f.Executable))
}

func (f File) same(other File) bool {
	return f.Executable == other.Executable && bytes.Equal(f.Content, other.Content)
}

// cacheTag marks a directory as a cache, https://bford.info/cachedir/.
const cacheTag = "CACHEDIR.TAG"

// created returns the entries that commands added to the copy or put in place of a
// link: for a directory only its own name. Directories tagged as caches are
// skipped.
func (s *scratch) created() []string {
	var names []string
	seen := 0
	// Errors are ignored: commands may create directories that cannot be read.
	walk(s.root, ".", func(name string, e fs.DirEntry) (enter bool) {
		seen++
		switch {
		case name == marker || seen > maxEntries:
			return false
		case s.unchanged(name, e):
			return true
		case !e.IsDir():
			names = append(names, name)
			return false
		}
		if _, err := s.root.Lstat(filepath.Join(name, cacheTag)); err != nil {
			names = append(names, name)
		}
		return false
	})
	slices.Sort(names)
	return names
}

// walk calls visit for every entry below a directory of root, in no order, and enters the
// directories for which it returns true. Unlike fs.WalkDir it takes all names as they are.
func walk(root *os.Root, dir string, visit func(name string, e fs.DirEntry) (enter bool)) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(chunkSize * chunkSize)
		for _, e := range entries {
			name := e.Name()
			if dir != "." {
				name = dir + "/" + name
			}
			if visit(name, e) && e.IsDir() {
				walk(root, name, visit)
			}
		}
		if err != nil || len(entries) == 0 {
			return
		}
	}
}

// maxEntries limits the search for created entries: a command can create millions.
const maxEntries = 1 << 20

func (s *scratch) unchanged(name string, e fs.DirEntry) bool {
	was, known := s.began[name]
	return known && (was == anyType || was == e.Type())
}
