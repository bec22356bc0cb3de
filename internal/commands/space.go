package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// Each run has a directory with a lock file, which is locked until the run ends, and the
// scratch directory, which is the only part that commands see or change.
const (
	basePrefix  = "rulecheck-run-"
	lockName    = "lock"
	scratchName = "scratch"
)

// minStaleAge is the minimum age of a directory to be removed: a run that has just
// begun may not have locked it yet.
const minStaleAge = time.Minute

// space is the directory of a run.
type space struct {
	parent *os.Root
	name   string // in parent
	path   string // absolute, symlinks resolved
	unlock func()
}

// newSpace creates the directory of a run in the first usable one of temps.
func newSpace(temps []string, worktree string, now time.Time) (*space, error) {
	var errs []error
	for _, temp := range temps {
		s, err := createSpace(temp, worktree, now)
		if err == nil {
			return s, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("create a scratch copy: %w", errors.Join(errs...))
}

func createSpace(temp, worktree string, now time.Time) (*space, error) {
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return nil, err
	}
	temp, err := filepath.EvalSymlinks(temp)
	if err != nil {
		return nil, err
	}
	if inside, err := filepath.Rel(worktree, temp); err == nil && worktree != "" && filepath.IsLocal(inside) {
		return nil, fmt.Errorf("the directory for scratch copies, %q, is in the working tree; set XDG_RUNTIME_DIR or TMPDIR to a directory outside", temp)
	}
	parent, err := os.OpenRoot(temp)
	if err != nil {
		return nil, err
	}
	s := &space{parent: parent}
	if err := s.create(temp, now); err != nil {
		return nil, errors.Join(err, parent.Close())
	}
	return s, nil
}

func (s *space) create(temp string, now time.Time) error {
	info, err := s.parent.Stat(".")
	if err != nil {
		return err
	}
	if !private(info) {
		return fmt.Errorf("the directory for scratch copies, %q, can be changed by other users; run: chmod go-w on it, or remove it", temp)
	}
	s.removeStale(temp, now)
	// The name is new, so nothing that a command left is found under it.
	made, err := os.MkdirTemp(temp, basePrefix+"*")
	if err != nil {
		return err
	}
	s.name, s.path = filepath.Base(made), made
	lock := filepath.Join(made, lockName)
	unlock, locked, err := atomicfile.TryLock(lock)
	if err == nil && !locked {
		err = fmt.Errorf("lock %q", lock)
	}
	if err != nil {
		return errors.Join(err, s.parent.RemoveAll(s.name))
	}
	s.unlock = unlock
	if err := s.parent.Mkdir(filepath.Join(s.name, scratchName), 0o700); err != nil {
		unlock()
		return errors.Join(err, s.parent.RemoveAll(s.name))
	}
	return nil
}

// scratch returns the path of the scratch directory.
func (s *space) scratch() string { return filepath.Join(s.path, scratchName) }

// close removes the directory.
func (s *space) close() error {
	s.unlock()
	return errors.Join(removeAll(s.parent, s.name), s.parent.Close())
}

// removeStale removes the directories of killed runs.
func (s *space) removeStale(temp string, now time.Time) {
	names, _ := fs.Glob(s.parent.FS(), basePrefix+"*")
	for _, name := range names {
		file := filepath.Join(name, lockName)
		if info, err := s.parent.Lstat(file); err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < minStaleAge {
			continue
		}
		unlock, locked, err := atomicfile.TryLock(filepath.Join(temp, file))
		if err == nil && locked {
			unlock()
			_ = removeAll(s.parent, name) // the next run tries again if this fails
		}
	}
}

// removeAll removes an entry of root with its content, including directories without
// permissions.
func removeAll(root *os.Root, name string) error {
	if root.RemoveAll(name) == nil {
		return nil
	}
	_ = root.Chmod(name, 0o700)
	walk(root, name, func(name string, e fs.DirEntry) bool {
		return e.IsDir() && root.Chmod(name, 0o700) == nil
	})
	return root.RemoveAll(name)
}

// slot is the place of one command at a time: its sandbox and its temporary directory.
type slot struct {
	number int
	worker *sandbox.Worker // nil: not made yet, or it has ended
}

// temp returns the name of the temporary directory in the scratch directory.
func (s *slot) temp() string { return filepath.Join(temporary, strconv.Itoa(s.number)) }

// empty empties the temporary directory for the next command.
func (s *slot) empty(root *os.Root) error {
	if d, err := root.Open(s.temp()); err == nil {
		left, err := d.Readdirnames(1)
		_ = d.Close()
		if len(left) == 0 && (err == nil || errors.Is(err, io.EOF)) {
			return nil
		}
	}
	return errors.Join(removeAll(root, s.temp()), root.Mkdir(s.temp(), 0o700))
}
