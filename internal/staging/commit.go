package staging

import (
	"bytes"
	"errors"

	"github.com/sourcegraph/conc/pool"
)

// unfinishedAtOnce is how many files are written and brought to the disk at once.
const unfinishedAtOnce = 16

// unfinished writes what is to be moved into place. Disks take many files at
// once sooner than one after the other.
func (s *staging) unfinished() error {
	writers := pool.New().WithErrors().WithMaxGoroutines(unfinishedAtOnce)
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

// commit makes everything visible. It starts no process and is not to be
// stopped: it is over in moments.
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
			f.Worktree, f.Note = Left, "the file in the working tree is as it was: "+err.Error()
		}
		step("file replaced")
	}
	return nil
}

// replaceFile puts a file's new content in place of the old if it still has that.
func (s *staging) replaceFile(f *staged) error {
	content, _, err := s.tree.read(f.Path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(content, f.old):
		return errors.New("it was edited at this moment")
	}
	return s.tree.put(f.new)
}

// end gives up the lock of the index and removes what the run made.
func (s *staging) end() error {
	for _, f := range s.files {
		if f.new != nil && f.new.waits != "" {
			s.tree.tidy(f.new)
		}
	}
	var err error
	if s.lock {
		err = unlockIndex(s.repo.IndexFile)
		step("index unlocked")
	}
	return errors.Join(err, dropJournal(s.dir))
}
