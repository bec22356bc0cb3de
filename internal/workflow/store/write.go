package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// record writes one record, with the lock held, and takes st there. The state
// file is made before the journal's line, so that a full disk is noticed while
// nothing has happened, and takes its place after it.
func (s *Store) record(ctx context.Context, st *standing, call Call, events []Event) error {
	end := st.end
	line, text, err := st.next(Record{Version: stateVersion, Revision: st.Revision + 1, At: call.At.UTC(), Key: call.Key, Events: events})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	state, err := s.prepare(text)
	if err != nil {
		return unrecorded(st.ID, err)
	}
	if end == 0 {
		err = s.begin(st.ID, line)
	} else {
		err = s.appendTo(st.ID, end, line)
	}
	if err != nil {
		return unrecorded(st.ID, errors.Join(err, os.Remove(state)))
	}
	// It has happened. A state file that stays behind is brought forward by
	// whoever reads it, so nobody need hear of that.
	if os.Rename(state, s.statePath(st.ID)) != nil {
		_ = os.Remove(state)
	}
	return nil
}

func unrecorded(id string, err error) error {
	return fmt.Errorf("session %s: nothing is recorded: %w", id, err)
}

// begin makes a journal of its first line.
func (s *Store) begin(id string, line []byte) error {
	file, err := s.prepare(line)
	if err != nil {
		return err
	}
	if err := os.Rename(file, s.journalPath(id)); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return s.syncDir()
}

// appendTo writes a line at the journal's end, over what a killed process may
// have left of another.
func (s *Store) appendTo(id string, end int64, line []byte) error {
	file, err := os.OpenFile(s.journalPath(id), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close() // what is synced is there, whatever this says
	err = file.Truncate(end)
	if err == nil {
		_, err = file.WriteAt(line, end)
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		return errors.Join(err, file.Truncate(end), file.Sync())
	}
	return nil
}

const unfinishedSuffix = ".unfinished"

// prepare writes a file that is to be renamed.
func (s *Store) prepare(text []byte) (name string, err error) {
	file, err := os.CreateTemp(s.dir, "*"+unfinishedSuffix) // 0600
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// sweep removes what killed processes left unfinished, with the lock held.
func (s *Store) sweep() {
	entries, _ := os.ReadDir(s.dir) // what cannot be listed stays
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), unfinishedSuffix) {
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
}

// syncDir makes the names in the directory last. On Windows they do without it.
func (s *Store) syncDir() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
