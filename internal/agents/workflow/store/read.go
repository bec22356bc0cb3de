package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// stateFile is the content of a state file.
type stateFile struct {
	Version int `json:"version"`
	// Journal is the offset of the line of the run's revision.
	Journal int64           `json:"journal"`
	Run     json.RawMessage `json:"session"`
}

// read rebuilds a run from its state file, which must match its line of the
// journal, and the lines that follow. An incomplete last line is ignored.
func (s *Store) read(id string) (replay, error) {
	state, err := s.readState(id)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return replay{}, damaged(id, stateSuffix, err)
	}
	file, err := openPrivate(s.journalPath(id))
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing:
		return replay{}, notFound(id)
	case errors.Is(err, fs.ErrNotExist):
		return replay{}, inconsistent(id, errors.New("the journal is missing"))
	case err != nil:
		return replay{}, damaged(id, journalSuffix, err)
	}
	defer file.Close()
	tail, err := io.ReadAll(io.NewSectionReader(file, state.offset, regular.Most))
	if err != nil {
		return replay{}, damaged(id, journalSuffix, err)
	}
	st := replay{Run: Run{ID: id}}
	if !missing {
		if st, tail, err = state.verify(tail); err != nil {
			return st, inconsistent(id, err)
		}
	}
	if st, err = st.applyLines(tail); err != nil {
		return st, damaged(id, journalSuffix, err)
	}
	return st, nil
}

// snapshot is the run of a state file, not yet verified by the journal.
type snapshot struct {
	run    Run
	digest string
	offset int64 // of the line that verifies it
}

func (s *Store) readState(id string) (snapshot, error) {
	file, err := openPrivate(s.statePath(id))
	if err != nil {
		return snapshot{}, err
	}
	defer file.Close()
	text, err := regular.ReadAll(file, file.Name(), regular.Most)
	if err != nil {
		return snapshot{}, err
	}
	if len(text) == 0 {
		return snapshot{}, errors.New("it is empty")
	}
	var state stateFile
	if err := decode(text, &state.Version, &state); err != nil {
		return snapshot{}, err
	}
	st := snapshot{digest: digest(state.Run), offset: state.Journal}
	if err := decodeStrictly(state.Run, &st.run); err != nil {
		return snapshot{}, err
	}
	if st.run.ID != id || state.Journal < 0 {
		return snapshot{}, errors.New("it belongs to another session")
	}
	return st, nil
}

// verify checks the snapshot against its line, the first of lines, and returns the
// other lines.
func (s snapshot) verify(lines []byte) (st replay, rest []byte, err error) {
	line, rest, whole := bytes.Cut(lines, []byte("\n"))
	if !whole {
		return st, nil, fmt.Errorf("the journal ends before revision %d", s.run.Revision)
	}
	st = replay{Run: s.run, last: s.offset, end: s.offset + int64(len(line)) + 1}
	if err := decode(line, &st.record.Version, &st.record); err != nil {
		return st, nil, fmt.Errorf("the journal's line of revision %d: %w", s.run.Revision, err)
	}
	if st.record.Revision != s.run.Revision || st.record.State != s.digest {
		return st, nil, errors.New("the journal records another state")
	}
	return st, rest, nil
}

// applyLines applies all complete lines.
func (st replay) applyLines(lines []byte) (replay, error) {
	first := st.Revision
	for {
		line, rest, whole := bytes.Cut(lines, []byte("\n"))
		if !whole {
			break
		}
		revision := st.Revision + 1
		if err := st.applyLine(line); err != nil {
			return st, fmt.Errorf("the line of revision %d: %w", revision, err)
		}
		lines = rest
	}
	switch st.Revision {
	case 0:
		return st, errors.New("it has no records")
	case first:
		return st, nil
	default:
		return st, st.verify()
	}
}

func notFound(id string) error {
	return &Error{Code: NotFound, ID: id, Reason: "does not exist", Fix: "rulecheck workflow list"}
}

// damaged returns the error for an unusable file of a run.
func damaged(id, suffix string, err error) error {
	e := &Error{Code: Corrupt, ID: id, Reason: "is damaged: " + id + suffix, Fix: recoverCommand(id), Err: err}
	if version := foreignError(0); errors.As(err, &version) {
		e.Code, e.Reason = Foreign, "was written by another version of rulecheck: "+id+suffix
		if suffix == journalSuffix { // only that version can read it
			e.Fix = ""
		}
	}
	return e
}

func inconsistent(id string, err error) error {
	return &Error{Code: Inconsistent, ID: id, Reason: "is damaged: its state and its journal disagree", Fix: recoverCommand(id), Err: err}
}

func recoverCommand(id string) shell.Command {
	return shell.Line("rulecheck", "workflow", "recover", "--session", id)
}
