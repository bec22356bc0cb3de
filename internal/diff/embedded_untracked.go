package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// walk enters what is in a directory of the working tree, neither in the index
// nor ignored, and in those below it. The directory is named with a final slash.
func (w *worktree) walk(dir string, ignores *ignoreFile) error {
	list, err := readDir(w.root, strings.TrimSuffix(dir, "/"))
	if err != nil {
		return err
	}
	for _, entry := range list {
		if entry.Name() != ".gitignore" {
			continue
		}
		if ignores, err = w.ignoreFile(dir, ignores); err != nil {
			return err
		}
	}
	for _, entry := range list {
		if err := w.enter(dir+entry.Name(), entry, ignores); err != nil {
			return err
		}
	}
	return nil
}

func readDir(root *os.Root, name string) (list []fs.DirEntry, err error) {
	if name == "" {
		name = "."
	}
	dir, err := root.Open(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrPermission) {
		return nil, needsGit("a directory that cannot be read (" + name + ")")
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return dir.ReadDir(-1)
}

func (w *worktree) ignoreFile(dir string, then *ignoreFile) (*ignoreFile, error) {
	name := dir + ".gitignore"
	if info, err := w.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, needsGit(strconv.Quote(name)+", which is no regular file,"))
	}
	text, err := readFile(w.root, name, -1)
	if err != nil {
		return nil, err
	}
	patterns, err := parseIgnore(string(text))
	return &ignoreFile{below: dir, patterns: patterns, then: then}, err
}

// enter looks at one name in a directory.
func (w *worktree) enter(path string, entry fs.DirEntry, ignores *ignoreFile) error {
	kind := entry.Type()
	known := w.tracked[path]
	if entry.IsDir() {
		known = w.tracked[path+"/"]
	}
	switch {
	case entry.Name() == ".git":
		return nil
	case known && !entry.IsDir(), ignores.ignored(path, entry.IsDir()):
		return nil
	case entry.IsDir():
		if _, err := w.root.Lstat(filepath.FromSlash(path + "/.git")); err == nil && !known {
			return needsGit("a repository within this one (" + path + ")")
		}
		return w.walk(path+"/", ignores)
	case kind != 0 && kind != fs.ModeSymlink:
		return nil // git does not see pipes, sockets and devices
	case strange(entry.Name()):
		return needsGit("an untracked file with a name that git keeps for itself (" + path + ")")
	}
	info, err := entry.Info()
	if absentFile(err) {
		return nil
	}
	if err != nil {
		return err
	}
	mode, err := strconv.ParseUint(modeOf(info.Mode(), w.fileMode), 8, 32)
	if err != nil {
		return err
	}
	w.files = append(w.files, version{path: path, mode: uint32(mode), onDisk: true})
	w.untracked[path] = true
	return nil
}

// strange reports whether a name is, on some file system, one of .git: git does
// not let such into an index.
func strange(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "git~") || strings.HasPrefix(lower, ".git ") || strings.HasPrefix(lower, ".git.") ||
		strings.HasPrefix(lower, ".git:") || lower == ".git"
}
