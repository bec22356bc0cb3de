package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Record is a line of a journal: one update of a run.
type Record struct {
	Version  int       `json:"version"`
	Revision uint64    `json:"revision"` // counts from 1
	At       time.Time `json:"at"`
	Key      string    `json:"key,omitempty"` // idempotency key
	Events   []Event   `json:"events"`
	// Definition and Document are the SHA-256 of the workflow file and of the text of the
	// phase at the time of the update.
	Definition string `json:"definition,omitempty"`
	Document   string `json:"document,omitempty"`
	// State is the SHA-256 of the run after the record, as JSON. The state file
	// must match it.
	State string `json:"state"`
	// Sum is the SHA-256 of the previous record's Sum and of this record's JSON
	// without Sum. It chains a record to all earlier ones.
	Sum string `json:"sum,omitempty"`
}

// chain returns the Sum of a record that follows one with the Sum previous.
func (r Record) chain(previous string) (string, error) {
	r.Sum = ""
	text, err := json.Marshal(r)
	return digest([]byte(previous), text), err
}

func digest(texts ...[]byte) string {
	sum := sha256.Sum256(bytes.Join(texts, nil))
	return hex.EncodeToString(sum[:])
}

// replay is a run and the position in the journal up to which it was rebuilt.
type replay struct {
	Run

	record Record // the last one
	last   int64  // where the line of record begins
	end    int64  // where the next line begins
}

// applyLine applies the next line of the journal, without its line end. After an
// error the replay must not be used.
func (st *replay) applyLine(line []byte) error {
	r := Record{}
	if err := decode(line, &r.Version, &r); err != nil {
		return err
	}
	if r.Revision != st.Revision+1 {
		return fmt.Errorf("it has revision %d", r.Revision)
	}
	if len(r.Events) == 0 {
		return errors.New("it has no events")
	}
	sum, err := r.chain(st.record.Sum)
	if err == nil && sum != r.Sum {
		err = errors.New("it or an earlier line was altered")
	}
	if err == nil {
		err = st.applyRecord(r)
	}
	st.last, st.end = st.end, st.end+int64(len(line))+1
	return err
}

// applyRecord applies the events of a record.
func (st *replay) applyRecord(r Record) error {
	for _, e := range r.Events {
		if err := st.apply(e, r.At); err != nil {
			return err
		}
	}
	st.Revision, st.UpdatedAt, st.record = r.Revision, r.At, r
	return nil
}

// verify checks that the run matches the state of its last record.
func (st *replay) verify() error {
	text, err := json.Marshal(st.Run)
	if err == nil && digest(text) != st.record.State {
		err = errors.New("its events do not lead to the recorded state")
	}
	return err
}

// extend applies a new record, and returns its line and the text of the state
// file. The record is decoded from its JSON before it is applied, so that it is
// the same as when the line is read later.
func (st *replay) extend(added Record) (line, state []byte, err error) {
	text, err := json.Marshal(added)
	if err != nil {
		return nil, nil, err
	}
	var r Record
	if err := decodeStrictly(text, &r); err != nil {
		return nil, nil, err
	}
	previous := st.record.Sum
	if err := st.applyRecord(r); err != nil {
		return nil, nil, err
	}
	if text, err = json.Marshal(st.Run); err != nil {
		return nil, nil, err
	}
	r.State = digest(text)
	if r.Sum, err = r.chain(previous); err != nil {
		return nil, nil, err
	}
	if line, err = json.Marshal(r); err != nil {
		return nil, nil, err
	}
	line = append(line, '\n')
	st.record, st.last, st.end = r, st.end, st.end+int64(len(line))
	state, err = json.Marshal(stateFile{stateVersion, st.last, text})
	return line, append(state, '\n'), err
}
