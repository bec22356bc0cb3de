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

// record writes one record and applies it to st. The caller holds the lock. The
// state file is written before the line of the journal, so that a full disk fails
// before any change, and is renamed after it.
func (s *Store) record(ctx context.Context, st *replay, call Call, events []Event) error {
	end := st.end
	line, text, err := st.extend(Record{Version: stateVersion, Revision: st.Revision + 1, At: call.At.UTC(), Key: call.Key, Events: events, Definition: call.Definition, Document: call.Document})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	state, err := s.writeTemporary(text)
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
	// The record is valid now. Readers cope with an older state file, so a failed
	// rename is not an error.
	if os.Rename(state, s.statePath(st.ID)) != nil {
		_ = os.Remove(state)
	}
	return nil
}

func unrecorded(id string, err error) error {
	return fmt.Errorf("session %s: nothing was recorded: %w", id, err)
}

// begin creates a journal with its first line.
func (s *Store) begin(id string, line []byte) error {
	file, err := s.writeTemporary(line)
	if err != nil {
		return err
	}
	if err := os.Rename(file, s.journalPath(id)); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return s.syncDir()
}

// appendTo writes a line at the end of the journal, replacing an incomplete line of
// a killed process.
func (s *Store) appendTo(id string, end int64, line []byte) error {
	file, err := os.OpenFile(s.journalPath(id), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close() // the data is already synced
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

// writeTemporary writes a file to rename later.
func (s *Store) writeTemporary(text []byte) (name string, err error) {
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

// removeTemporary removes the files of killed processes. The caller holds the lock.
func (s *Store) removeTemporary() {
	entries, _ := os.ReadDir(s.dir) // files that cannot be listed remain
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), unfinishedSuffix) {
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
}

// syncDir makes renames durable. Windows does not need it.
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
