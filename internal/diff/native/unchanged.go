package native

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// compared returns the current version of an indexed file: the index's object if git, by the
// file's times and size, treats it as unchanged; else the file's content.
func (w *worktree) compared(entry *gitfile.IndexEntry, info fs.FileInfo) (version, error) {
	v := version{path: entry.Path, mode: w.modeNow(entry, info), onDisk: true}
	s, ok := gitfile.StatOf(info)
	if !ok || entry.Stage > 0 || entry.IntentToAdd || v.mode != gitfile.CanonicalMode(entry.Mode) {
		return v, nil
	}
	switch same, doubtful := w.unchanged(entry, s); {
	case same && !doubtful:
		v.object, v.onDisk = entry.Object, false
	case same:
		if err := w.hash(&v); err != nil {
			return v, err
		}
		if v.object != entry.Object {
			return v, diff.NeedsGit("a file that changed within the second of its recorded time (" + entry.Path + ")")
		}
	}
	return v, nil
}

// modeNow returns the mode that git gives to an indexed file, or to another one if entry is nil.
func (w *worktree) modeNow(entry *gitfile.IndexEntry, info fs.FileInfo) uint32 {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return gitfile.LinkMode
	case !w.fileMode && entry != nil && entry.Mode&gitfile.TypeBits == gitfile.RegularMode:
		return gitfile.CanonicalMode(entry.Mode)
	case w.fileMode && info.Mode()&0o100 != 0:
		return 0o100755
	}
	return 0o100644
}

// unchanged reports whether git treats a file as unchanged without reading it. It is doubtful
// if a git that compares fractions of a second would read it.
func (w *worktree) unchanged(entry *gitfile.IndexEntry, s gitfile.Stat) (same, doubtful bool) {
	old := entry.Stat
	racy := w.index.Written.Sec != 0 && w.index.Written.Sec <= old.Mtime.Sec
	if racy || old.Mtime.Sec != s.Mtime.Sec || old.Size != s.Size || old.Size == 0 && entry.Object.String() != emptyBlob {
		return false, false
	}
	doubtful = old.Mtime.Nsec != s.Mtime.Nsec
	if v, ok := w.engine.config.Last("core.checkstat"); ok && strings.EqualFold(v.Value, "minimal") {
		return true, doubtful
	}
	if w.engine.config.Boolean("core.trustctime", true) {
		if old.Ctime.Sec != s.Ctime.Sec {
			return false, false
		}
		doubtful = doubtful || old.Ctime.Nsec != s.Ctime.Nsec
	}
	return old.Ino == s.Ino && old.UID == s.UID && old.GID == s.GID, doubtful
}

// emptyBlob is the object of an empty file.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// hash computes the object of a file if it is unknown.
func (w *worktree) hash(v *version) error {
	if !v.onDisk || v.hashed {
		return nil
	}
	content, err := w.content(v)
	if err != nil {
		return err
	}
	v.object, v.hashed = gitfile.ParseID(git.BlobID("sha1", content)), true
	return nil
}

// content reads a file as git would store it.
func (w *worktree) content(v *version) ([]byte, error) {
	if v.mode == gitfile.LinkMode {
		target, err := w.root.Readlink(filepath.FromSlash(v.path))
		return []byte(target), err
	}
	content, err := read.File(w.root, v.path, -1)
	if err != nil {
		return nil, err
	}
	return content, w.attributes.checkStored(v.path, content)
}

// entries returns the entry of each path in the index; of an unmerged one, its first.
func (w *worktree) entries() map[string]*gitfile.IndexEntry {
	found := make(map[string]*gitfile.IndexEntry, len(w.index.Entries))
	for i := range w.index.Entries {
		if e := &w.index.Entries[i]; found[e.Path] == nil {
			found[e.Path] = e
		}
	}
	return found
}
