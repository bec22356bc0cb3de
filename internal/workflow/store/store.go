package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long to wait between two attempts at the lock.
const lockWait = 5 * time.Millisecond

const (
	stateSuffix   = ".json"
	journalSuffix = ".journal.jsonl"
)

var sessionID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// A Store keeps the sessions of one working tree, in its git directory, so that
// any number of processes may use them at once and be killed at any instant. Each
// session has a journal, which says what happened, and a state file, which spares
// reading the journal from its beginning. A record counts from the moment its
// line in the journal is whole; the state file may lag behind, and is then
// brought forward by whoever reads it.
type Store struct{ dir string }

// New takes the git directory of a working tree. Nothing is read yet.
func New(gitDir string) *Store { return &Store{filepath.Join(gitDir, "rulecheck", "sessions")} }

// lock waits for the right to write. The system gives it back when its holder
// ends, however it ends.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(s.dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &Error{Code: Corrupt, Reason: s.dir + " is no directory; move it away"}
	}
	if tooOpen(info) {
		if err := os.Chmod(s.dir, 0o700); err != nil { //nolint:gosec // a directory is of no use without x
			return nil, err
		}
	}
	lock := flock.New(s.dir+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return nil, fmt.Errorf("wait for another rulecheck to write a session: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// Load gives a session. It fails with a *[Error] where there is none by that
// id, and where the files do not prove how it stands.
func (s *Store) Load(ctx context.Context, id string) (Run, error) {
	if err := validID(id); err != nil {
		return Run{}, err
	}
	// Without the lock, what is read may come from before and after an update;
	// what does not fit is therefore no verdict yet.
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

// List gives all sessions, the oldest first. Those that cannot be had are left
// out and told of in the error, which joins their *[Error]s.
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
		case !errors.Is(err, fs.ErrNotExist): // else it has been deleted meanwhile
			errs = append(errs, err)
		}
	}
	slices.SortFunc(sessions, func(a, b Run) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return sessions, errors.Join(errs...)
}

// Current is the only open session. It fails with a *[Error] where there is
// none or several, and as List does.
func (s *Store) Current(ctx context.Context) (Run, error) {
	all, err := s.List(ctx)
	if err != nil {
		return Run{}, err
	}
	current := slices.DeleteFunc(all, func(s Run) bool { return s.Status != Open })
	switch len(current) {
	case 0:
		return Run{}, &Error{Code: NotFound, Reason: "no workflow is under way", Fix: "rulecheck workflow start NAME"}
	case 1:
		return current[0], nil
	}
	names := make([]string, len(current))
	for i, c := range current {
		names[i] = c.ID + " (" + strings.TrimSpace(c.Workflow+" "+c.Target) + ", phase " + c.Phase + ")"
	}
	return Run{}, &Error{Code: Ambiguous, Reason: "several workflows are under way; say which by --session: " + strings.Join(names, ", ")}
}

// ids are those of all sessions of which there is a file.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		id, rest, _ := strings.Cut(e.Name(), ".")
		if sessionID.MatchString(id) && ("."+rest == stateSuffix || "."+rest == journalSuffix) {
			ids = append(ids, id)
		}
	}
	return slices.Compact(ids), nil // ReadDir sorts
}

// validID refuses what might name another file.
func validID(id string) error {
	if !sessionID.MatchString(id) {
		return &Error{Code: InvalidArgument, Reason: fmt.Sprintf("%q is no id of a session; want 16 hexadecimal digits", id), Fix: "rulecheck workflow list"}
	}
	return nil
}

func (s *Store) statePath(id string) string   { return filepath.Join(s.dir, id+stateSuffix) }
func (s *Store) journalPath(id string) string { return filepath.Join(s.dir, id+journalSuffix) }
