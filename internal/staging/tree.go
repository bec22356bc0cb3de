package staging

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// workingTree replaces files whole and only where their name leads without a
// symlink: nothing outside the repository can be reached.
//
// A replacement waits in the run's own directory in the git directory, and in the
// directory of the file only where that one is on another file system.
type workingTree struct {
	root *os.Root
	dir  string // of the run
	own  string // the same from root; empty where it is not below
	at   fs.FileInfo
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
		}
	}
	return t, nil
}

func (t *workingTree) close() { _ = t.root.Close() }

// read gives a file's content. The error is fs.ErrNotExist where there is no file;
// any other says why it is not to be written.
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
		return nil, nil, errors.New("it is no regular file")
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
	content, err := io.ReadAll(file)
	return content, opened, err
}

// absent strips an error that says no more than that there is no file.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	return err
}

// replacement is new content for a file.
type replacement struct {
	number  int // by which its own file is named
	name    string
	content []byte
	stored  bool        // git has the content as an object too
	old     fs.FileInfo // of the file
	waits   string      // the file that is to be moved into place; empty where there is none
}

// beside is a replacement's name in its file's own directory.
func (t *workingTree) beside(r *replacement) string {
	return path.Join(path.Dir(r.name), "."+filepath.Base(t.dir)+"-"+strconv.Itoa(r.number))
}

// inside is a replacement's name in the run's directory.
func (t *workingTree) inside(r *replacement) string {
	return path.Join(filepath.ToSlash(t.own), strconv.Itoa(r.number))
}

// prepare writes what is to be moved into place.
func (t *workingTree) prepare(r *replacement) error {
	r.waits = t.beside(r)
	if t.own != "" && sameDevice(t.at, r.old) {
		r.waits = t.inside(r)
	}
	return t.write(r)
}

// write makes the file that waits, with the same permissions and, as far as the
// system lets it, owners. What is nowhere else is on the disk then.
func (t *workingTree) write(r *replacement) error {
	file, err := t.root.OpenFile(r.waits, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	keepOwner(file, r.old)
	_, err = file.Write(r.content)
	err = errors.Join(err, file.Chmod(r.old.Mode().Perm()))
	if !r.stored {
		err = errors.Join(err, file.Sync())
	}
	return errors.Join(err, file.Close())
}

// put moves a replacement into place. Where the system cannot after all, it is
// written once more beside the file.
func (t *workingTree) put(r *replacement) error {
	err := t.root.Rename(r.waits, r.name)
	if beside := t.beside(r); err != nil && r.waits != beside {
		r.waits = beside
		if again := t.write(r); again != nil {
			return err
		}
		err = t.root.Rename(r.waits, r.name)
	}
	if err == nil {
		r.waits = ""
	}
	return err
}

// tidy removes what may be left of a replacement.
func (t *workingTree) tidy(r *replacement) {
	_ = t.root.Remove(t.beside(r))
	if t.own != "" {
		_ = t.root.Remove(t.inside(r))
	}
}

// writable says why a file is not to be written, by a word from its owner.
func writable(info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return errors.New("it is read-only")
	}
	return nil
}
