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
	"strings"

	"github.com/sourcegraph/conc/pool"
)

// scratch is a copy of head in which commands run.
type scratch struct {
	dir   string // absolute, symlinks resolved
	root  *os.Root
	began map[string]fs.FileMode // types of its initial entries, by name
}

// anyType is the type of entries whose type is unknown.
const anyType = fs.ModeIrregular

// repository is the files of an empty repository, for git and for tools that look
// for one.
var repository = []struct{ name, content string }{
	{"HEAD", "ref: refs/heads/main\n"},
	{"config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"},
}

// create creates a copy in dir, which does not exist yet.
func (l *layout) create(dir, worktree string) (*scratch, error) {
	s := &scratch{dir: dir, began: map[string]fs.FileMode{marker: fs.ModeDir}}
	for _, name := range l.dirs {
		s.began[name] = fs.ModeDir
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"", "objects", "refs"} {
		if err := os.Mkdir(filepath.Join(dir, marker, name), 0o700); err != nil {
			return nil, err
		}
	}
	for _, f := range repository {
		if err := os.WriteFile(filepath.Join(dir, marker, f.name), []byte(f.content), 0o600); err != nil {
			return nil, err
		}
	}
	writers := pool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0)).WithErrors()
	for chunk := range slices.Chunk(l.links, chunkSize) {
		writers.Go(func() error {
			return each(chunk, func(k link) error { return os.Symlink(k.target, filepath.Join(dir, k.name)) })
		})
	}
	for chunk := range slices.Chunk(l.copied, chunkSize) {
		writers.Go(func() error {
			return each(chunk, func(name string) error {
				err := duplicate(filepath.Join(worktree, name), filepath.Join(dir, name))
				if isAbsent(err) {
					return nil // it was just removed
				}
				return err
			})
		})
	}
	for chunk := range slices.Chunk(l.files, chunkSize) {
		writers.Go(func() error {
			return each(chunk, func(f Sibling) error { return f.write(filepath.Join(dir, f.Path)) })
		})
	}
	if err := writers.Wait(); err != nil {
		return nil, err
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
	root, err := os.OpenRoot(dir)
	s.root = root
	return s, err
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

func (s Sibling) write(file string) error {
	if s.Link {
		return os.Symlink(string(s.Content), file)
	}
	return os.WriteFile(file, s.Content, permissions(s.Executable))
}

func permissions(executable bool) fs.FileMode {
	if executable {
		return 0o700
	}
	return 0o600
}

// duplicate copies a file or a symlink. It links to a directory, which is a nested
// repository.
func duplicate(from, to string) error {
	info, err := os.Lstat(from)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		text, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(text, to)
	case !info.Mode().IsRegular():
		return os.Symlink(from, to)
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// read returns a file of the copy, or an error if it is not a regular file.
func (s *scratch) read(name string) (File, error) {
	info, err := s.root.Lstat(name)
	switch {
	case isAbsent(err):
		return File{}, fmt.Errorf("removed %q; want the file kept", name)
	case err != nil:
		return File{}, fmt.Errorf("left %q unreadable: %w", name, err)
	case !info.Mode().IsRegular():
		return File{}, fmt.Errorf("replaced %q by something other than a file", name)
	}
	content, err := s.root.ReadFile(name)
	if err != nil {
		return File{}, fmt.Errorf("left %q unreadable: %w", name, err)
	}
	return File{Path: name, Executable: info.Mode().Perm()&0o100 != 0, Content: content}, nil
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
	// Errors are ignored: commands may create directories that cannot be read.
	_ = filepath.WalkDir(s.dir, func(file string, e fs.DirEntry, err error) error {
		name, within := strings.CutPrefix(filepath.ToSlash(file), filepath.ToSlash(s.dir)+"/")
		was, known := s.began[name]
		switch {
		case !within:
			return nil
		case name == marker || err != nil:
			return fs.SkipDir
		case known && (was == anyType || was == e.Type()):
			return nil
		case !e.IsDir():
			names = append(names, name)
			return nil
		}
		if _, err := os.Lstat(filepath.Join(file, cacheTag)); err != nil {
			names = append(names, name)
		}
		return fs.SkipDir
	})
	slices.Sort(names)
	return names
}
