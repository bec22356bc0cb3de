package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Delete removes a run and all its files, whatever its status. It fails with an
// *[Error] if there is none.
func (s *Store) Delete(ctx context.Context, id string) error {
	if err := validID(id); err != nil {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), id+".") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return notFound(id)
	}
	// The journal, first by name, is removed last: a state without a journal counts
	// as damaged, but a lost state can be rebuilt from the journal.
	slices.Reverse(names)
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}
