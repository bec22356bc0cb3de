package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Delete forgets a session and what was kept of it, however it stands. It fails
// with a *[Error] where there is none.
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
	// The journal, first by name, goes last: without it the state would be taken
	// for damage, while it makes up for a lost state.
	slices.Reverse(names)
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}
