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

// Recovery reports the recovery of a run.
type Recovery struct {
	ID string `json:"session_id"`
	// Run is the run up to the last valid record; nil if there is none and the run
	// was removed.
	Run *Run `json:"session"`
	// Notes describe the damage and the repair, for people; empty if there was no
	// damage.
	Notes []string `json:"notes"`
}

// Recover rebuilds the state of the given runs, or of all, from the valid records
// of their journals. Replaced files are kept in the same directory under another
// name. A second call finds nothing to do. A run whose journal was written by
// another version of rulecheck is an error and is not changed.
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
	s.removeTemporary()
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
	if info, err := os.Lstat(s.journalPath(id)); err == nil && info.Mode().IsRegular() && accessible(info) {
		if err := os.Chmod(s.journalPath(id), 0o600); err != nil {
			return r, err
		}
		r.note("others could access the journal: its permissions were %04o", info.Mode().Perm())
	}
	if _, err := s.read(id); errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	text, err := s.journal(id)
	if untrusted := (*untrustedError)(nil); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &untrusted) {
		return r, err // an I/O error, perhaps a temporary one
	}
	if err != nil {
		r.note("the journal is unusable: %v", err)
	}
	records, st, err := replayJournal(id, text)
	if version := foreignError(0); errors.As(err, &version) {
		return r, damaged(id, journalSuffix, err)
	}
	if len(records) == 0 {
		return r, s.discard(&r, err)
	}
	r.Run = &st.Run
	if err := s.repairJournal(&r, text, st.end, err); err != nil {
		return r, err
	}
	return r, s.repairState(&r, &st, records)
}

func (r *Recovery) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// discard sets aside a run without valid records.
func (s *Store) discard(r *Recovery, damage error) error {
	if damage != nil {
		r.note("the journal is damaged: %v", damage)
	}
	r.note("the session has no valid records and was removed")
	return errors.Join(s.setAside(r, s.statePath(r.ID)), s.setAside(r, s.journalPath(r.ID)), s.syncDir())
}

// repairJournal truncates a journal after its last valid record.
func (s *Store) repairJournal(r *Recovery, text []byte, end int64, damage error) error {
	rest := int64(len(text)) - end
	switch {
	case rest == 0:
		return nil
	case damage == nil:
		r.note("removed %d bytes at the end of the journal, an incomplete line", rest)
	default:
		r.note("the journal is damaged: %v; removed that line and all after it, %d bytes", damage, rest)
		aside, err := s.writeTemporary(text)
		if err != nil {
			return err
		}
		if err := s.setAsideAs(r, aside, s.journalPath(r.ID)); err != nil {
			return err
		}
	}
	return s.appendTo(r.ID, end, nil)
}

// repairState writes the state that the journal leads to, unless it is current.
func (s *Store) repairState(r *Recovery, st *replay, records []Record) error {
	old, err := s.readState(r.ID)
	confirmed := err == nil && old.run.Revision > 0 && old.run.Revision <= st.Revision &&
		records[old.run.Revision-1].State == old.digest
	switch {
	case confirmed && old.offset == st.last:
		return nil
	case confirmed || errors.Is(err, fs.ErrNotExist):
		r.note("the state was older than the journal because a process was killed")
	default:
		if err == nil {
			err = errors.New("the journal does not confirm it")
		}
		r.note("the state is damaged: %v", err)
		if err := s.setAside(r, s.statePath(r.ID)); err != nil {
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
	state, err := s.writeTemporary(append(text, '\n'))
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(state, s.statePath(r.ID)), s.syncDir())
}

// setAside renames a file, if it exists.
func (s *Store) setAside(r *Recovery, name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.setAsideAs(r, name, name)
}

// setAsideAs renames file to the first free name for a kept copy of name.
func (s *Store) setAsideAs(r *Recovery, file, name string) error {
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
