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

// A Record is a line of a journal: what one update did to a session, as a whole.
type Record struct {
	Version  int       `json:"version"`
	Revision uint64    `json:"revision"` // counts from 1
	At       time.Time `json:"at"`
	Key      string    `json:"key,omitempty"` // idempotency key
	Events   []Event   `json:"events"`
	// State is the SHA-256 of the session that the record leads to, as JSON: the
	// state file must be that.
	State string `json:"state"`
	// Sum is the SHA-256 of the Sum of the record before and of this one's JSON
	// without it. It ties a record to all before it.
	Sum string `json:"sum,omitempty"`
}

// seal is the Sum of a record.
func (r Record) seal(before string) (string, error) {
	r.Sum = ""
	text, err := json.Marshal(r)
	return digest([]byte(before), text), err
}

func digest(texts ...[]byte) string {
	sum := sha256.Sum256(bytes.Join(texts, nil))
	return hex.EncodeToString(sum[:])
}

// standing is a session and its place in the journal.
type standing struct {
	Run

	record Record // the last
	last   int64  // where its line begins
	end    int64  // where the next will
}

// take goes one line further, which is given without its end. After an error the
// standing is of no use any more.
func (st *standing) take(line []byte) error {
	r := Record{}
	if err := decode(line, &r.Version, &r); err != nil {
		return err
	}
	if r.Revision != st.Revision+1 {
		return fmt.Errorf("it is of revision %d", r.Revision)
	}
	if len(r.Events) == 0 {
		return errors.New("it has no events")
	}
	sum, err := r.seal(st.record.Sum)
	if err == nil && sum != r.Sum {
		err = errors.New("it has been altered, or a line before it")
	}
	if err == nil {
		err = st.advance(r)
	}
	st.last, st.end = st.end, st.end+int64(len(line))+1
	return err
}

// advance applies what a record says.
func (st *standing) advance(r Record) error {
	for _, e := range r.Events {
		if err := st.apply(e, r.At); err != nil {
			return err
		}
	}
	st.Revision, st.UpdatedAt, st.record = r.Revision, r.At, r
	return nil
}

// prove says whether the session is what its last record says it is.
func (st *standing) prove() error {
	text, err := json.Marshal(st.Run)
	if err == nil && digest(text) != st.record.State {
		err = errors.New("its events do not come to the state it tells")
	}
	return err
}

// next goes further by what a new record says, and gives its line and what is to
// be in the state file. What is applied has been through JSON, as it will have
// been whenever the line is read.
func (st *standing) next(said Record) (line, state []byte, err error) {
	text, err := json.Marshal(said)
	if err != nil {
		return nil, nil, err
	}
	var r Record
	if err := decodeStrictly(text, &r); err != nil {
		return nil, nil, err
	}
	before := st.record.Sum
	if err := st.advance(r); err != nil {
		return nil, nil, err
	}
	if text, err = json.Marshal(st.Run); err != nil {
		return nil, nil, err
	}
	r.State = digest(text)
	if r.Sum, err = r.seal(before); err != nil {
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
