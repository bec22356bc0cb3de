package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// A Recovery is what became of a session.
type Recovery struct {
	ID string `json:"session_id"`
	// Run is as the journal proves it; nil where it proves nothing, and the
	// session is no more.
	Run *Run `json:"session"`
	// Notes say what was wrong and what was done, for people; none: nothing was
	// and nothing was.
	Notes []string `json:"notes"`
}

// Recover rebuilds the state of a session, or of all where no id is given, from
// its journal, as far as that proves it and no further. What is replaced is kept
// beside it, under another name. Once more, it finds nothing to do. A session whose
// journal is of another version of this program is left alone, with an error.
func (s *Store) Recover(ctx context.Context, ids ...string) ([]Recovery, error) {
	for _, id := range ids {
		if err := validID(id); err != nil {
			return nil, err
		}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.sweep()
	if len(ids) == 0 {
		if ids, err = s.ids(); err != nil {
			return nil, err
		}
	}
	var recoveries []Recovery
	var errs []error
	for _, id := range ids {
		r, err := s.recover(id)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		recoveries = append(recoveries, r)
	}
	return recoveries, errors.Join(errs...)
}

func (s *Store) recover(id string) (Recovery, error) {
	r := Recovery{ID: id}
	if info, err := os.Lstat(s.journalPath(id)); err == nil && info.Mode().IsRegular() && tooOpen(info) {
		if err := os.Chmod(s.journalPath(id), 0o600); err != nil {
			return r, err
		}
		r.note("others could use the journal: its permissions were %04o", info.Mode().Perm())
	}
	if _, err := s.read(id); errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	text, err := s.journal(id)
	if unfit := (*unfitError)(nil); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &unfit) {
		return r, err // the disk's fault, perhaps not for ever
	}
	if err != nil {
		r.note("the journal cannot be used: %v", err)
	}
	records, st, err := fold(id, text)
	if version := foreignError(0); errors.As(err, &version) {
		return r, broken(id, journalSuffix, err)
	}
	if len(records) == 0 {
		return r, s.giveUp(&r, err)
	}
	r.Run = &st.Run
	if err := s.mendJournal(&r, text, st.end, err); err != nil {
		return r, err
	}
	return r, s.mendState(&r, &st, records)
}

func (r *Recovery) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// giveUp puts aside a session of which nothing is proven.
func (s *Store) giveUp(r *Recovery, damage error) error {
	if damage != nil {
		r.note("the journal is damaged: %v", damage)
	}
	r.note("nothing of the session is proven; it is no more")
	return errors.Join(s.keep(r, s.statePath(r.ID)), s.keep(r, s.journalPath(r.ID)), s.syncDir())
}

// mendJournal cuts a journal off where it proves nothing any more.
func (s *Store) mendJournal(r *Recovery, text []byte, proven int64, damage error) error {
	rest := int64(len(text)) - proven
	switch {
	case rest == 0:
		return nil
	case damage == nil:
		r.note("dropped %d bytes at the end of the journal, a line that was never finished", rest)
	default:
		r.note("the journal is damaged: %v; dropped that and all after it, %d bytes", damage, rest)
		aside, err := s.prepare(text)
		if err != nil {
			return err
		}
		if err := s.keepAs(r, aside, s.journalPath(r.ID)); err != nil {
			return err
		}
	}
	return s.appendTo(r.ID, proven, nil)
}

// mendState writes the state that the journal proves, unless that is there.
func (s *Store) mendState(r *Recovery, st *standing, records []Record) error {
	old, err := s.readState(r.ID)
	proven := err == nil && old.session.Revision > 0 && old.session.Revision <= st.Revision &&
		records[old.session.Revision-1].State == old.digest
	switch {
	case proven && old.place == st.last:
		return nil
	case proven || errors.Is(err, fs.ErrNotExist):
		r.note("the state was behind the journal, which a process left that was killed")
	default:
		if err == nil {
			err = errors.New("the journal does not prove it")
		}
		r.note("the state is damaged: %v", err)
		if err := s.keep(r, s.statePath(r.ID)); err != nil {
			return err
		}
	}
	r.note("rebuilt the state from the journal: phase %s, %d completed", st.Phase, len(st.Completed))
	text, err := json.Marshal(st.Run)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(stateFile{stateVersion, st.last, text}); err != nil {
		return err
	}
	state, err := s.prepare(append(text, '\n'))
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(state, s.statePath(r.ID)), s.syncDir())
}

// keep gives a file another name, if it is there.
func (s *Store) keep(r *Recovery, name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.keepAs(r, name, name)
}

// keepAs makes file what is kept of the one called name.
func (s *Store) keepAs(r *Recovery, file, name string) error {
	for n := 1; ; n++ {
		kept := name + ".kept-" + strconv.Itoa(n)
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			r.note("kept as %s", filepath.Base(kept))
			return os.Rename(file, kept)
		} else if err != nil {
			return err
		}
	}
}
