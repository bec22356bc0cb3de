package native

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// walk adds the untracked files in and below a directory of the working tree, which is named
// with a final slash.
func (w *worktree) walk(dir string, ignores *gitfile.Ignores) error {
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

func readDir(root read.Disk, name string) ([]fs.DirEntry, error) {
	if name == "" {
		name = "."
	}
	list, err := root.ReadDir(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil, diff.NeedsGit("a directory that cannot be read (" + name + ")")
	}
	return list, err
}

func (w *worktree) ignoreFile(dir string, next *gitfile.Ignores) (*gitfile.Ignores, error) {
	name := dir + ".gitignore"
	if info, err := w.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, diff.NeedsGit(strconv.Quote(name)+", which is not a regular file,"))
	}
	text, err := read.File(w.root, name, -1)
	if err != nil {
		return nil, err
	}
	return next.Add(dir, string(text))
}

// enter adds one name of a directory if it is an untracked file, or walks it.
func (w *worktree) enter(path string, entry fs.DirEntry, ignores *gitfile.Ignores) error {
	kind := entry.Type()
	known := w.tracked[path]
	if entry.IsDir() {
		known = w.tracked[path+"/"]
	}
	switch {
	case entry.Name() == ".git":
		return nil
	case known && !entry.IsDir(), ignores.Ignored(path, entry.IsDir()):
		return nil
	case entry.IsDir():
		if _, err := w.root.Lstat(filepath.FromSlash(path + "/.git")); err == nil && !known {
			return diff.NeedsGit("a repository within this one (" + path + ")")
		}
		return w.walk(path+"/", ignores)
	case kind != 0 && kind != fs.ModeSymlink:
		return nil // git does not see pipes, sockets and devices
	case reserved(entry.Name()):
		return diff.NeedsGit("an untracked file with a name that git reserves (" + path + ")")
	}
	info, err := entry.Info()
	if read.Absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	mode, err := strconv.ParseUint(diff.ModeOf(info.Mode(), w.fileMode), 8, 32)
	if err != nil {
		return err
	}
	w.files = append(w.files, version{path: path, mode: uint32(mode), onDisk: true})
	w.untracked[path] = true
	return nil
}

// reserved reports whether a name equals .git on some file system: git does not add such names
// to an index.
func reserved(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "git~") || strings.HasPrefix(lower, ".git ") || strings.HasPrefix(lower, ".git.") ||
		strings.HasPrefix(lower, ".git:") || lower == ".git"
}
