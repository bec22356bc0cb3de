package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// History gives all records of a session, each proven by those before it. It
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
		return nil, broken(id, journalSuffix, err)
	}
	records, proven, err := fold(id, text)
	if err == nil && proven.Revision != st.Revision {
		err = fmt.Errorf("it ends after revision %d; want %d", proven.Revision, st.Revision)
	}
	if err != nil {
		return nil, broken(id, journalSuffix, err)
	}
	return records, nil
}

// journal is the text of a session's journal.
func (s *Store) journal(id string) ([]byte, error) {
	file, err := openOwn(s.journalPath(id))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// fold gives the records that a journal proves and what they come to, and says
// what is wrong with the line after them, if there is a whole one.
func fold(id string, text []byte) ([]Record, standing, error) {
	st := standing{Run: Run{ID: id}}
	var records []Record
	for {
		line, _, whole := bytes.Cut(text[st.end:], []byte("\n"))
		if !whole {
			break
		}
		end := st.end
		if err := st.take(line); err != nil {
			err = fmt.Errorf("the line of revision %d: %w", len(records)+1, err)
			records, st, _ := fold(id, text[:end]) // without the line that failed halfway
			return records, st, err
		}
		records = append(records, st.record)
	}
	if len(records) == 0 {
		return nil, st, nil
	}
	if err := st.prove(); err != nil {
		return nil, standing{}, err
	}
	return records, st, nil
}

// recordOf looks for the record with a key. Most lines need not be decoded.
func (s *Store) recordOf(st *standing, key string) (_ Record, known bool, err error) {
	text, err := s.journal(st.ID)
	if err != nil {
		return Record{}, false, broken(st.ID, journalSuffix, err)
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
			return Record{}, false, broken(st.ID, journalSuffix, err)
		}
		if r.Key == key {
			return r, true, nil
		}
	}
	return Record{}, false, nil
}
