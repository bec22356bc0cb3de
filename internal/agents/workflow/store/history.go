package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// History returns all records of a run, each verified against the earlier ones. It
// fails as Load does.
func (s *Store) History(ctx context.Context, id string) ([]Record, error) {
	if err := validID(id); err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	st, err := s.read(id)
	if err != nil {
		return nil, err
	}
	text, err := s.journal(id)
	if err != nil {
		return nil, damaged(id, journalSuffix, err)
	}
	records, valid, err := replayJournal(id, text)
	if err == nil && valid.Revision != st.Revision {
		err = fmt.Errorf("it ends after revision %d; want %d", valid.Revision, st.Revision)
	}
	if err != nil {
		return nil, damaged(id, journalSuffix, err)
	}
	return records, nil
}

// journal reads the journal of a run.
func (s *Store) journal(id string) ([]byte, error) {
	file, err := openPrivate(s.journalPath(id))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return regular.ReadAll(file, file.Name(), regular.Most)
}

// replayJournal returns the valid records of a journal and the run they lead to.
// The error describes the first invalid line, if it is complete.
func replayJournal(id string, text []byte) ([]Record, replay, error) {
	st := replay{Run: Run{ID: id}}
	var records []Record
	for {
		line, _, whole := bytes.Cut(text[st.end:], []byte("\n"))
		if !whole {
			break
		}
		end := st.end
		if err := st.applyLine(line); err != nil {
			err = fmt.Errorf("the line of revision %d: %w", len(records)+1, err)
			records, st, _ := replayJournal(id, text[:end]) // without the line that failed
			return records, st, err
		}
		records = append(records, st.record)
	}
	if len(records) == 0 {
		return nil, st, nil
	}
	if err := st.verify(); err != nil {
		return nil, replay{}, err
	}
	return records, st, nil
}

// recordOf finds the record with a key, decoding only lines that contain the key.
func (s *Store) recordOf(st *replay, key string) (_ Record, known bool, err error) {
	text, err := s.journal(st.ID)
	if err != nil {
		return Record{}, false, damaged(st.ID, journalSuffix, err)
	}
	encoded, err := json.Marshal(key)
	if err != nil {
		return Record{}, false, err
	}
	for line := range bytes.Lines(text[:min(int64(len(text)), st.end)]) {
		if !bytes.Contains(line, encoded) {
			continue
		}
		var r Record
		if err := decode(line, &r.Version, &r); err != nil {
			return Record{}, false, damaged(st.ID, journalSuffix, err)
		}
		if r.Key == key {
			return r, true, nil
		}
	}
	return Record{}, false, nil
}
