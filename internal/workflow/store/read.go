package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// stateFile is what is in a state file.
type stateFile struct {
	Version int `json:"version"`
	// Journal is where the line of the session's revision begins.
	Journal int64           `json:"journal"`
	Run     json.RawMessage `json:"session"`
}

// read gives a session as the journal has it: from the state file, which must
// agree with its line, and the lines after it. What is left of a line that was
// being written counts for nothing.
func (s *Store) read(id string) (standing, error) {
	state, err := s.readState(id)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return standing{}, broken(id, stateSuffix, err)
	}
	file, err := openOwn(s.journalPath(id))
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing:
		return standing{}, notFound(id)
	case errors.Is(err, fs.ErrNotExist):
		return standing{}, inconsistent(id, errors.New("there is no journal"))
	case err != nil:
		return standing{}, broken(id, journalSuffix, err)
	}
	defer file.Close()
	tail, err := io.ReadAll(io.NewSectionReader(file, state.place, math.MaxInt64-state.place))
	if err != nil {
		return standing{}, broken(id, journalSuffix, err)
	}
	st := standing{Run: Run{ID: id}}
	if !missing {
		if st, tail, err = state.join(tail); err != nil {
			return st, inconsistent(id, err)
		}
	}
	if st, err = st.follow(tail); err != nil {
		return st, broken(id, journalSuffix, err)
	}
	return st, nil
}

// stated is what a state file says, which the journal has yet to prove.
type stated struct {
	session Run
	digest  string
	place   int64 // of the line that proves it
}

func (s *Store) readState(id string) (stated, error) {
	file, err := openOwn(s.statePath(id))
	if err != nil {
		return stated{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return stated{}, err
	}
	if len(text) == 0 {
		return stated{}, errors.New("it is empty")
	}
	var state stateFile
	if err := decode(text, &state.Version, &state); err != nil {
		return stated{}, err
	}
	st := stated{digest: digest(state.Run), place: state.Journal}
	if err := decodeStrictly(state.Run, &st.session); err != nil {
		return stated{}, err
	}
	if st.session.ID != id || state.Journal < 0 {
		return stated{}, errors.New("it is not of this session")
	}
	return st, nil
}

// join takes the line that proves a state from the lines that begin with it.
func (s stated) join(lines []byte) (st standing, rest []byte, err error) {
	line, rest, whole := bytes.Cut(lines, []byte("\n"))
	if !whole {
		return st, nil, fmt.Errorf("the journal ends before revision %d", s.session.Revision)
	}
	st = standing{Run: s.session, last: s.place, end: s.place + int64(len(line)) + 1}
	if err := decode(line, &st.record.Version, &st.record); err != nil {
		return st, nil, fmt.Errorf("the journal's line of revision %d: %w", s.session.Revision, err)
	}
	if st.record.Revision != s.session.Revision || st.record.State != s.digest {
		return st, nil, errors.New("the journal tells another state")
	}
	return st, rest, nil
}

// follow takes all whole lines.
func (st standing) follow(lines []byte) (standing, error) {
	first := st.Revision
	for {
		line, rest, whole := bytes.Cut(lines, []byte("\n"))
		if !whole {
			break
		}
		revision := st.Revision + 1
		if err := st.take(line); err != nil {
			return st, fmt.Errorf("the line of revision %d: %w", revision, err)
		}
		lines = rest
	}
	switch st.Revision {
	case 0:
		return st, errors.New("it tells of nothing")
	case first:
		return st, nil
	default:
		return st, st.prove()
	}
}

func notFound(id string) error {
	return &Error{Code: NotFound, ID: id, Reason: "does not exist", Fix: "rulecheck workflow list"}
}

// broken says what is wrong with a file of a session.
func broken(id, suffix string, err error) error {
	e := &Error{Code: Corrupt, ID: id, Reason: "is damaged: " + id + suffix, Fix: mend(id), Err: err}
	if version := foreignError(0); errors.As(err, &version) {
		e.Code, e.Reason = Foreign, "was written by another version of rulecheck: "+id+suffix
		if suffix == journalSuffix { // what it tells is only for that version to say
			e.Fix = ""
		}
	}
	return e
}

func inconsistent(id string, err error) error {
	return &Error{Code: Inconsistent, ID: id, Reason: "is damaged: its state and its journal disagree", Fix: mend(id), Err: err}
}

func mend(id string) string { return "rulecheck workflow recover --session " + id }
