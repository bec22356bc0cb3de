package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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

// Prune deletes the runs that have ended and were last updated before an instant. It
// returns them, the oldest first. The error joins those of runs that cannot be loaded,
// which remain.
func (s *Store) Prune(ctx context.Context, before time.Time) ([]Run, error) {
	all, err := s.List(ctx)
	errs := []error{err}
	var deleted []Run
	for _, r := range all {
		if r.Status == Open || !r.UpdatedAt.Before(before) {
			continue
		}
		if err := s.Delete(ctx, r.ID); err != nil {
			errs = append(errs, err)
			continue
		}
		deleted = append(deleted, r)
	}
	return deleted, errors.Join(errs...)
}
