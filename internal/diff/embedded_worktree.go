package diff

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// worktree is the working tree while one question is answered.
type worktree struct {
	engine   *embedded
	root     *os.Root
	index    *index
	traits   traits
	fileMode bool
	dirs     map[string]bool // whether a name is a real directory
	tracked  map[string]bool // paths of the index, and the directories above them

	files     []version // what is there, in byte order
	untracked map[string]bool
}

// look lists the working tree: what is in the index and there, and what is
// neither there nor ignored. The caller closes it.
func (e *embedded) look() (_ *worktree, err error) {
	if e.here.Bare {
		return nil, &UnjudgeableError{Reason: "there is no working tree here", Mend: "rulecheck --to HEAD"}
	}
	if err := e.plainFiles(); err != nil {
		return nil, err
	}
	w := &worktree{
		engine: e, fileMode: e.config.boolean("core.filemode", true),
		dirs: map[string]bool{}, tracked: map[string]bool{}, untracked: map[string]bool{},
	}
	if w.index, err = readIndex(e.here.IndexFile); err != nil {
		return nil, err
	}
	if w.root, err = os.OpenRoot(e.here.Root); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.root.Close())
		}
	}()
	for _, entry := range w.index.entries {
		w.tracked[entry.path] = true
		for _, dir := range above(entry.path) {
			if w.tracked[dir+"/"] {
				break
			}
			w.tracked[dir+"/"] = true
		}
	}
	if w.traits, err = w.readTraits(); err != nil {
		return nil, err
	}
	if err := w.present(); err != nil {
		return nil, err
	}
	ignores, err := e.standardIgnores()
	if err != nil {
		return nil, err
	}
	if err := w.walk("", ignores); err != nil {
		return nil, err
	}
	slices.SortFunc(w.files, func(a, b version) int { return strings.Compare(a.path, b.path) })
	return w, nil
}

// plainFiles refuses settings under which files are not what they look like.
func (e *embedded) plainFiles() error {
	for key, unset := range map[string]bool{"core.ignorecase": false, "core.precomposeunicode": false, "core.symlinks": true} {
		if e.config.boolean(key, unset) != unset {
			return needsGit("a working tree with " + key)
		}
	}
	if v, ok := e.config.last("core.fsmonitor"); ok && (!v.valued || v.value != "" && !falsity(v.value)) {
		return needsGit("a working tree with core.fsmonitor")
	}
	return nil
}

// present enters what is in the index and there.
func (w *worktree) present() error {
	for i, entry := range w.index.entries {
		switch {
		case i > 0 && w.index.entries[i-1].path == entry.path:
			continue // another side of an unmerged path
		case entry.assumed:
			return needsGit("a file marked assume-unchanged (" + entry.path + ")")
		case entry.skipped:
			return needsGit("a file marked skip-worktree (" + entry.path + "), as in a sparse checkout,")
		case entry.mode&typeBits == moduleMode:
			return needsGit("a working tree with a submodule (" + entry.path + ")")
		}
		info, err := w.lstat(entry.path)
		if err != nil {
			return err
		}
		if info == nil {
			continue
		}
		v, err := w.compared(&w.index.entries[i], info)
		if err != nil {
			return err
		}
		w.files = append(w.files, v)
	}
	return nil
}

// lstat describes a file of the working tree; nil where there is none, or a
// directory: beyond a symlink there is none.
func (w *worktree) lstat(name string) (fs.FileInfo, error) {
	for _, dir := range above(name) {
		if !w.isDir(dir) {
			return nil, nil
		}
	}
	info, err := w.root.Lstat(name)
	switch {
	case absentFile(err):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		if _, err := w.root.Lstat(name + "/.git"); err == nil {
			return nil, needsGit("a repository in the place of a file (" + name + ")")
		}
		return nil, nil
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return nil, needsGit("a special file in the place of " + name)
	}
	return info, nil
}

// isDir reports whether a name is a directory and no symlink to one; it is asked
// from the nearest directory up.
func (w *worktree) isDir(name string) bool {
	is, known := w.dirs[name]
	if !known {
		info, err := w.root.Lstat(name)
		is = err == nil && info.IsDir()
		w.dirs[name] = is
	}
	return is
}
