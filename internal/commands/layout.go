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

// marker is the name by which tools know the top of a repository.
const marker = ".git"

// layout says what a scratch copy consists of. The files that are judged and
// those head has otherwise than the working tree are files there, the directories
// above them directories, and all else beside them is a link to the working tree.
type layout struct {
	dirs  []string // "." first, parents before what is in them
	links []link
	files []Sibling // none absent
	named int       // how many of files, from the first, are those jobs name
	// copied are files of the working tree that are copied because nothing would
	// keep a command from writing through a link to them.
	copied []string
}

type link struct{ name, target string }

// arrange plans the copies of tree. Where guarded, nothing below the working tree
// can be written through a link; where not, only what git ignores is linked.
func arrange(ctx context.Context, tree Tree, guarded bool) (*layout, error) {
	l := &layout{named: len(tree.Files)}
	known := map[string]bool{marker: true}
	whole := map[string]bool{".": true}
	enter := func(name string) error {
		if !filepath.IsLocal(name) || path.Clean(name) != name || name == marker || strings.HasPrefix(name, marker+"/") {
			return fmt.Errorf("copy %q: want a path of the repository", name)
		}
		known[name] = true
		for dir := path.Dir(name); !whole[dir]; dir = path.Dir(dir) {
			whole[dir] = true
		}
		return nil
	}
	for _, f := range tree.Files {
		if err := enter(f.Path); err != nil {
			return nil, err
		}
		l.files = append(l.files, Sibling{File: f})
	}
	for _, s := range tree.Differ {
		if known[s.Path] {
			continue
		}
		if err := enter(s.Path); err != nil {
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
			if err := enter(name); err != nil {
				return nil, err
			}
			l.copied = append(l.copied, name)
		}
	}
	delete(whole, ".")
	l.dirs = append([]string{"."}, slices.Sorted(maps.Keys(whole))...)
	if tree.Root == "" {
		return l, nil
	}
	return l, l.mirror(tree.Root, known, whole)
}

// mirror plans the links to what lies beside the files.
func (l *layout) mirror(root string, known, whole map[string]bool) error {
	there := map[string]bool{".": true} // real directories that the working tree has too
	for _, dir := range l.dirs {
		if !there[dir] {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case whole[name]:
				there[name] = e.IsDir()
			case known[name]:
			default:
				target, err := destination(root, name, e)
				if errors.Is(err, fs.ErrNotExist) {
					continue // somebody has just removed it
				} else if err != nil {
					return err
				}
				l.links = append(l.links, link{name, target})
			}
		}
	}
	return nil
}

// destination is where a link in the copy leads that stands for an entry of the
// working tree. A symlink that stays in the repository leads to the same place
// of the copy.
func destination(root, name string, e fs.DirEntry) (string, error) {
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

// absentFile reports whether err says that there is no such file, or that what
// should be its directory is a file.
func absentFile(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
