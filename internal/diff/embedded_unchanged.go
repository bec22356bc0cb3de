package diff

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

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
	if racy || old.mtime.sec != s.mtime.sec || old.size != s.size || old.size == 0 && entry.object.String() != emptyBlob {
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

// emptyBlob is the object of a file without content.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// hash computes the object of a file, should it be unknown.
func (w *worktree) hash(v *version) error {
	if !v.onDisk || v.hashed {
		return nil
	}
	content, err := w.read(v)
	if err != nil {
		return err
	}
	v.object, v.hashed = parseID(git.BlobID("sha1", content)), true
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
