// Package store keeps the state and the journal of running workflows.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

const (
	stateSuffix   = ".json"
	journalSuffix = ".journal.jsonl"
)

var sessionID = lazyregexp.New(`^[0-9a-f]{16}$`)

// Store keeps the runs of one working tree in its git directory. Any number of
// processes may use it concurrently and be killed at any time. Each run has a
// journal of its events, and a state file that makes it unnecessary to read the
// whole journal. A record is valid once its line in the journal is complete. The
// state file may be older; readers then apply the lines that follow it.
type Store struct{ dir string }

// New returns the store in the git directory of a working tree. It reads nothing.
func New(gitDir string) *Store { return &Store{filepath.Join(gitDir, "rulecheck", "sessions")} }

// lock waits for the exclusive lock. The system releases it when the process ends,
// even if it is killed.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := regular.Directories(filepath.Dir(s.dir)); err != nil {
		return nil, &Error{Code: Corrupt, Reason: err.Error()}
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(s.dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &Error{Code: Corrupt, Reason: s.dir + " is not a directory; move it away"}
	}
	if accessible(info) {
		if err := os.Chmod(s.dir, 0o700); err != nil { //nolint:gosec // a directory needs the x permission
			return nil, err
		}
	}
	if unlock, err = atomicfile.Lock(ctx, s.dir+".lock"); err != nil {
		return nil, fmt.Errorf("wait for another rulecheck process: %w", err)
	}
	return unlock, nil
}

// Load returns a run. It fails with an *[Error] if there is none with that id, or
// if its files are damaged.
func (s *Store) Load(ctx context.Context, id string) (Run, error) {
	if err := validID(id); err != nil {
		return Run{}, err
	}
	// Without the lock, state and journal may be from before and after an update;
	// files that do not match are therefore read again under the lock.
	if st, err := s.read(id); err == nil {
		return st.Run, nil
	} else if errors.Is(err, fs.ErrNotExist) {
		return Run{}, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Run{}, err
	}
	defer unlock()
	st, err := s.read(id)
	return st.Run, err
}

// List returns all runs, the oldest first. The error joins the *[Error]s of runs
// that cannot be loaded.
func (s *Store) List(ctx context.Context) ([]Run, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	var sessions []Run
	var errs []error
	for _, id := range ids {
		switch session, err := s.Load(ctx, id); {
		case err == nil:
			sessions = append(sessions, session)
		case !errors.Is(err, fs.ErrNotExist): // else it was deleted in the meantime
			errs = append(errs, err)
		}
	}
	slices.SortFunc(sessions, func(a, b Run) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return sessions, errors.Join(errs...)
}

// Current returns the only open run. It fails with an *[Error] if there is none or
// more than one, and as List does.
func (s *Store) Current(ctx context.Context) (Run, error) {
	all, err := s.List(ctx)
	if err != nil {
		return Run{}, err
	}
	current := slices.DeleteFunc(all, func(s Run) bool { return s.Status != Open })
	switch len(current) {
	case 0:
		return Run{}, &Error{Code: NoneOpen, Reason: "no workflow is running", Fix: "rulecheck workflow start NAME"}
	case 1:
		return current[0], nil
	}
	names := make([]string, len(current))
	for i, c := range current {
		names[i] = c.ID + " (" + strings.TrimSpace(c.Workflow+" "+c.Target) + ", phase " + c.Phase + ")"
	}
	return Run{}, &Error{Code: Ambiguous, Reason: "several workflows are running: " + strings.Join(names, ", ")}
}

// ids returns the ids of all runs that have a file.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		id, rest, _ := strings.Cut(e.Name(), ".")
		if sessionID().MatchString(id) && ("."+rest == stateSuffix || "."+rest == journalSuffix) {
			ids = append(ids, id)
		}
	}
	return slices.Compact(ids), nil // ReadDir sorts
}

// validID rejects ids that could name another file.
func validID(id string) error {
	if !sessionID().MatchString(id) {
		return &Error{Code: InvalidArgument, Reason: fmt.Sprintf("%q is not a session id; want 16 hexadecimal digits", id), Fix: "rulecheck workflow list"}
	}
	return nil
}

func (s *Store) statePath(id string) string   { return filepath.Join(s.dir, id+stateSuffix) }
func (s *Store) journalPath(id string) string { return filepath.Join(s.dir, id+journalSuffix) }
