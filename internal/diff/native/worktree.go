package native

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// worktree is the working tree as read for one answer.
type worktree struct {
	engine     *Engine
	root       read.Disk
	index      *gitfile.Index
	attributes attributes
	fileMode   bool
	dirs       map[string]bool // whether a name is a real directory
	tracked    map[string]bool // paths of the index, and the directories above them

	files     []version // that exist, in byte order
	untracked map[string]bool
}

// readWorktree lists the files of the working tree that are in the index, or untracked and not
// ignored. The caller closes its root.
func (e *Engine) readWorktree() (_ *worktree, err error) {
	w, err := e.openWorktree()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.root.Close())
		}
	}()
	if err := w.present(); err != nil {
		return nil, err
	}
	ignores, err := gitfile.StandardIgnores(e.env, e.config, e.place.CommonDir)
	if err != nil {
		return nil, err
	}
	if err := w.walk("", ignores); err != nil {
		return nil, err
	}
	slices.SortFunc(w.files, func(a, b version) int { return strings.Compare(a.path, b.path) })
	return w, nil
}

// openWorktree reads the index and the attributes. The caller closes the root.
func (e *Engine) openWorktree() (_ *worktree, err error) {
	if e.place.Bare {
		return nil, &diff.NoVerdictError{Reason: "there is no working tree here", Fix: "rulecheck --to HEAD"}
	}
	if err := e.plainFiles(); err != nil {
		return nil, err
	}
	w := &worktree{
		engine: e, fileMode: e.config.Boolean("core.filemode", true),
		dirs: map[string]bool{}, tracked: map[string]bool{}, untracked: map[string]bool{},
	}
	if w.index, err = gitfile.ReadIndex(e.place.IndexFile); err != nil {
		return nil, err
	}
	if w.root, err = (source{e}).Disk(); err != nil {
		return nil, err
	}
	for _, entry := range w.index.Entries {
		w.tracked[entry.Path] = true
		for _, dir := range above(entry.Path) {
			if w.tracked[dir+"/"] {
				break
			}
			w.tracked[dir+"/"] = true
		}
	}
	if w.attributes, err = w.readAttributes(); err != nil {
		return nil, errors.Join(err, w.root.Close())
	}
	return w, nil
}

// plainFiles refuses settings that change how files of the working tree are read.
func (e *Engine) plainFiles() error {
	for key, unset := range map[string]bool{"core.ignorecase": false, "core.precomposeunicode": false, "core.symlinks": true} {
		if e.config.Boolean(key, unset) != unset {
			return diff.NeedsGit("a working tree with " + key)
		}
	}
	if v, ok := e.config.Last("core.fsmonitor"); ok && (!v.Valued || v.Value != "" && !gitfile.Falsity(v.Value)) {
		return diff.NeedsGit("a working tree with core.fsmonitor")
	}
	return nil
}

// present adds the files of the index that exist.
func (w *worktree) present() error {
	for i, entry := range w.index.Entries {
		switch {
		case i > 0 && w.index.Entries[i-1].Path == entry.Path:
			continue // another side of an unmerged path
		case entry.AssumeUnchanged:
			return diff.NeedsGit("a file marked assume-unchanged (" + entry.Path + ")")
		case entry.SkipWorktree:
			return diff.NeedsGit("a file marked skip-worktree (" + entry.Path + "), as in a sparse checkout,")
		case entry.Mode&gitfile.TypeBits == gitfile.ModuleMode:
			return diff.NeedsGit("a working tree with a submodule (" + entry.Path + ")")
		}
		info, err := w.lstat(entry.Path)
		if err != nil {
			return err
		}
		if info == nil {
			continue
		}
		v, err := w.compared(&w.index.Entries[i], info)
		if err != nil {
			return err
		}
		w.files = append(w.files, v)
	}
	return nil
}

// lstat describes a file of the working tree. It returns nil for a directory, and for a name
// that does not exist or is below a symlink.
func (w *worktree) lstat(name string) (fs.FileInfo, error) {
	for _, dir := range above(name) {
		if !w.isDir(dir) {
			return nil, nil
		}
	}
	info, err := w.root.Lstat(name)
	switch {
	case read.Absent(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		if _, err := w.root.Lstat(name + "/.git"); err == nil {
			return nil, diff.NeedsGit("a repository in the place of a file (" + name + ")")
		}
		return nil, nil
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return nil, diff.NeedsGit("a special file in the place of " + name)
	}
	return info, nil
}

// isDir reports whether a name is a directory and not a symlink to one.
func (w *worktree) isDir(name string) bool {
	is, known := w.dirs[name]
	if !known {
		info, err := w.root.Lstat(name)
		is = err == nil && info.IsDir()
		w.dirs[name] = is
	}
	return is
}
