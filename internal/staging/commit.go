package staging

import (
	"bytes"
	"errors"

	"github.com/sourcegraph/conc/pool"
)

// parallelWrites is the number of files that are written and synced in parallel.
const parallelWrites = 16

// writeReplacements writes the files to be moved into place, in parallel, because
// each is synced to the disk.
func (s *staging) writeReplacements() error {
	writers := pool.New().WithErrors().WithMaxGoroutines(parallelWrites)
	for i, f := range s.files {
		if f.new != nil {
			f.new.number = i
			writers.Go(func() error {
				err := s.tree.prepare(f.new)
				step("file prepared")
				return err
			})
		}
	}
	return writers.Wait()
}

// commit replaces the index and the files. It starts no process and ignores
// cancellation, because it only renames files.
func (s *staging) commit() error {
	if s.index {
		if err := s.replaceIndex(); err != nil {
			return err
		}
		step("index replaced")
	}
	for _, f := range s.files {
		if f.new == nil {
			continue
		}
		if err := s.replaceFile(f); err != nil {
			f.Worktree, f.Note = Left, "the file in the working tree is unchanged: "+err.Error()
		}
		step("file replaced")
	}
	return nil
}

// replaceFile moves the new content of a file into place, unless it was edited.
func (s *staging) replaceFile(f *staged) error {
	content, info, err := s.tree.read(f.Path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(content, f.old), info.Mode().Perm() != f.info.Mode().Perm():
		return errors.New("it was edited at the same time")
	}
	return s.tree.put(f.new)
}

// end releases the lock of the index and removes temporary files.
func (s *staging) end() error {
	for _, f := range s.files {
		if f.new != nil && f.new.temp != "" {
			s.tree.removeTemp(f.new)
		}
	}
	var err error
	if s.lock {
		err = unlockIndex(s.repo.IndexFile)
		step("index unlocked")
	}
	return errors.Join(err, removeRun(s.dir))
}
