package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// marker is the directory by which tools find the root of a repository.
const marker = ".git"

// layout is the content of a scratch copy. The checked files and those that differ
// between head and the working tree are files, their parents are directories, and
// everything else is a link to the working tree.
type layout struct {
	dirs  []string // "." first, parents before children
	links []link
	files []Sibling // without absent ones
	named int       // the first named files are those of jobs
	// copied are files of the working tree that are copied, because without a
	// sandbox a command could write through a link to them.
	copied []string
}

type link struct{ name, target string }

// newLayout plans the copies of tree. If guarded, commands cannot write through
// links to the working tree; otherwise only ignored files are linked.
func newLayout(ctx context.Context, tree Tree, guarded bool) (*layout, error) {
	l := &layout{named: len(tree.Files)}
	known := map[string]bool{marker: true}
	dirs := map[string]bool{".": true} // directories of the copy
	add := func(name string) error {
		if !filepath.IsLocal(name) || path.Clean(name) != name || name == marker || strings.HasPrefix(name, marker+"/") {
			return fmt.Errorf("copy %q: want a path of the repository", name)
		}
		known[name] = true
		for dir := path.Dir(name); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
		return nil
	}
	for _, f := range tree.Files {
		if err := add(f.Path); err != nil {
			return nil, err
		}
		l.files = append(l.files, Sibling{File: f})
	}
	for _, s := range tree.Differ {
		if known[s.Path] {
			continue
		}
		if err := add(s.Path); err != nil {
			return nil, err
		}
		if !s.Absent {
			l.files = append(l.files, s)
		}
	}
	if !guarded && tree.All != nil && tree.Root != "" {
		all, err := tree.All(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range all {
			if known[name] {
				continue
			}
			if err := add(name); err != nil {
				return nil, err
			}
			l.copied = append(l.copied, name)
		}
	}
	delete(dirs, ".")
	l.dirs = append([]string{"."}, slices.Sorted(maps.Keys(dirs))...)
	if tree.Root == "" {
		return l, nil
	}
	return l, l.addLinks(tree.Root, known, dirs)
}

// addLinks plans the links to the rest of the working tree.
func (l *layout) addLinks(root string, known, dirs map[string]bool) error {
	shared := map[string]bool{".": true} // directories of the copy that the working tree has too
	for _, dir := range l.dirs {
		if !shared[dir] {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case dirs[name]:
				shared[name] = e.IsDir()
			case known[name]:
			default:
				target, err := linkTarget(root, name, e)
				if errors.Is(err, fs.ErrNotExist) {
					continue // it was just removed
				} else if err != nil {
					return err
				}
				l.links = append(l.links, link{name, target})
			}
		}
	}
	return nil
}

// linkTarget returns the target of the link to an entry of the working tree. A
// symlink within the repository keeps its target, and so stays within the copy.
func linkTarget(root, name string, e fs.DirEntry) (string, error) {
	file := filepath.Join(root, name)
	if e.Type()&fs.ModeSymlink == 0 {
		return file, nil
	}
	text, err := os.Readlink(file)
	if err != nil || filepath.IsAbs(text) || filepath.IsLocal(filepath.Join(filepath.Dir(filepath.FromSlash(name)), text)) {
		return text, err
	}
	return file, nil
}

// isAbsent reports whether err means that a file does not exist, or that one of its
// parents is a file.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
