package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
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

// compared is an indexed file as it is now: the index's object where git, by the
// file's times and size, takes it for unchanged; else what is in it.
func (w *worktree) compared(entry *indexEntry, info fs.FileInfo) (version, error) {
	v := version{path: entry.path, mode: w.modeNow(entry, info), onDisk: true}
	s, ok := statOf(info)
	if !ok || entry.stage > 0 || entry.intended || v.mode != canonical(entry.mode) {
		return v, nil
	}
	switch same, doubtful := w.unchanged(entry, s); {
	case same && !doubtful:
		v.object, v.onDisk = entry.object, false
	case same:
		if err := w.hash(&v); err != nil {
			return v, err
		}
		if v.object != entry.object {
			return v, needsGit("a file of which only the fraction of a second tells that it changed (" + entry.path + ")")
		}
	}
	return v, nil
}

// modeNow is the mode git gives to an indexed file.
func (w *worktree) modeNow(entry *indexEntry, info fs.FileInfo) uint32 {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return linkMode
	case !w.fileMode && entry.mode&typeBits == regularMode:
		return canonical(entry.mode)
	case w.fileMode && info.Mode()&0o100 != 0:
		return 0o100755
	}
	return 0o100644
}

// unchanged reports whether git takes a file for unchanged without reading it. It
// is doubtful where gits that mind fractions of a second would read it.
func (w *worktree) unchanged(entry *indexEntry, s stat) (same, doubtful bool) {
	old := entry.stat
	racy := w.index.written.sec != 0 && w.index.written.sec <= old.mtime.sec
	if racy || old.mtime.sec != s.mtime.sec || old.size != s.size || old.size == 0 && entry.object != emptyBlob {
		return false, false
	}
	doubtful = old.mtime.nsec != s.mtime.nsec
	if v, ok := w.engine.config.last("core.checkstat"); ok && strings.EqualFold(v.value, "minimal") {
		return true, doubtful
	}
	if w.engine.config.boolean("core.trustctime", true) {
		if old.ctime.sec != s.ctime.sec {
			return false, false
		}
		doubtful = doubtful || old.ctime.nsec != s.ctime.nsec
	}
	return old.ino == s.ino && old.uid == s.uid && old.gid == s.gid, doubtful
}

var emptyBlob = plumbing.ComputeHash(plumbing.BlobObject, nil)

// hash computes the object of a file, should it be unknown.
func (w *worktree) hash(v *version) error {
	if !v.onDisk || v.hashed {
		return nil
	}
	content, err := w.read(v)
	if err != nil {
		return err
	}
	v.object, v.hashed = plumbing.ComputeHash(plumbing.BlobObject, content), true
	return nil
}

// read reads a file as git would store it.
func (w *worktree) read(v *version) ([]byte, error) {
	if v.mode == linkMode {
		target, err := w.root.Readlink(filepath.FromSlash(v.path))
		return []byte(target), err
	}
	content, err := readFile(w.root, v.path, -1)
	if err != nil {
		return nil, err
	}
	return content, w.traits.keep(v.path, content)
}
