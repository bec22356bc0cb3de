package staging

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// workingTree replaces files of a working tree atomically. It does not follow
// symlinks, so that it cannot write outside of the repository.
//
// A replacement is written to the run's directory in the git directory, or to the
// directory of the file if that is on another file system, and then renamed.
type workingTree struct {
	root *os.Root
	dir  string      // of the run
	own  string      // dir relative to root; empty if it is not below
	at   fs.FileInfo // of dir; nil if nothing can be renamed from it
}

func openTree(top, dir string) (*workingTree, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	t := &workingTree{root: root, dir: dir}
	if own, err := filepath.Rel(top, dir); err == nil && filepath.IsLocal(own) {
		if t.at, err = root.Lstat(own); err == nil {
			t.own = own
			return t, nil
		}
	}
	if renamesInto { // in a linked working tree, or with a separate git directory
		t.at, err = os.Lstat(dir)
	}
	return t, err
}

func (t *workingTree) close() { _ = t.root.Close() }

// read returns a file's content. The error is fs.ErrNotExist if there is no file;
// any other explains why it cannot be replaced.
func (t *workingTree) read(name string) ([]byte, fs.FileInfo, error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		switch info, err := t.root.Lstat(name[:i]); {
		case err != nil:
			return nil, nil, absent(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, nil, fmt.Errorf("%s is a symlink", name[:i])
		case !info.IsDir():
			return nil, nil, fs.ErrNotExist
		}
	}
	info, err := t.root.Lstat(name)
	if err != nil {
		return nil, nil, absent(err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is not a regular file")
	}
	file, err := t.root.Open(name)
	if err != nil {
		return nil, nil, absent(err)
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !os.SameFile(info, opened) {
		return nil, nil, errors.New("it is being replaced")
	}
	content, err := regular.ReadAll(file, name, regular.Most)
	return content, opened, err
}

// absent returns fs.ErrNotExist for errors that wrap it, without the path.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	return err
}

// replacement is new content for a file.
type replacement struct {
	number  int // part of its temporary name
	name    string
	content []byte
	perm    fs.FileMode // its new permissions
	stored  bool        // the content is also in git's object store
	old     fs.FileInfo // of the file
	temp    string      // temporary file to rename; empty: none
	outside bool        // temp is an absolute path, not one below the root
}

// nearFile returns a replacement's temporary name in the directory of its file.
func (t *workingTree) nearFile(r *replacement) string {
	return path.Join(path.Dir(r.name), "."+filepath.Base(t.dir)+"-"+strconv.Itoa(r.number))
}

// inRunDir returns a replacement's temporary name in the run's directory.
func (t *workingTree) inRunDir(r *replacement) string {
	return path.Join(filepath.ToSlash(t.own), strconv.Itoa(r.number))
}

// inOutsideDir returns a replacement's temporary name in a run's directory that is not below
// the root.
func (t *workingTree) inOutsideDir(r *replacement) string {
	return filepath.Join(t.dir, strconv.Itoa(r.number))
}

// prepare writes a replacement to a temporary file.
func (t *workingTree) prepare(r *replacement) error {
	r.temp, r.outside = t.nearFile(r), false
	switch {
	case t.at == nil || !sameDevice(t.at, r.old):
	case t.own != "":
		r.temp = t.inRunDir(r)
	default:
		r.temp, r.outside = t.inOutsideDir(r), true
	}
	return t.write(r)
}

// write writes the temporary file with the permissions and, if possible, the owner
// of the old one. It syncs content that is not in the object store.
func (t *workingTree) write(r *replacement) error {
	open := t.root.OpenFile
	if r.outside {
		open = os.OpenFile
	}
	file, err := open(r.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	keepOwner(file, r.old)
	_, err = file.Write(r.content)
	err = errors.Join(err, file.Chmod(r.perm))
	if !r.stored {
		err = errors.Join(err, file.Sync())
	}
	return errors.Join(err, file.Close())
}

// put renames a replacement to its file. If the rename fails, it writes the
// replacement to the file's directory and tries again.
func (t *workingTree) put(r *replacement) error {
	var err error
	if r.outside {
		err = renameInto(t.root, r.temp, r.name)
	} else {
		err = t.root.Rename(r.temp, r.name)
	}
	if near := t.nearFile(r); err != nil && r.temp != near {
		r.temp, r.outside = near, false
		if again := t.write(r); again != nil {
			return err
		}
		err = t.root.Rename(r.temp, r.name)
	}
	if err == nil {
		r.temp = ""
	}
	return err
}

// removeTemp removes the temporary files of a replacement.
func (t *workingTree) removeTemp(r *replacement) {
	_ = t.root.Remove(t.nearFile(r))
	if t.own != "" {
		_ = t.root.Remove(t.inRunDir(r))
	} else {
		_ = os.Remove(t.inOutsideDir(r))
	}
}

// writable returns an error if the file is read-only for its owner.
func writable(info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return errors.New("it is read-only")
	}
	return nil
}
