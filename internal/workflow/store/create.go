package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"time"
	"unicode/utf8"
)

// Start says what a session is to be about.
type Start struct {
	Workflow string
	File     string // the workflow's, from the root, with slashes
	Target   string // likewise; empty: nothing in particular
	Phase    string // the first
}

// Create begins a session, or gives the open one with the same workflow and
// target: resumed. Of any number of processes one creates and the others resume.
// It fails with a *[Error] where a damaged session may be the one to resume.
func (s *Store) Create(ctx context.Context, start Start, now time.Time) (session Run, resumed bool, err error) {
	if start.Target != "" && !fs.ValidPath(start.Target) || !utf8.ValidString(start.Workflow) {
		return Run{}, false, &Error{Code: InvalidArgument, Reason: fmt.Sprintf("workflow %q, target %q; want UTF-8 and a path from the repository's root, with slashes", start.Workflow, start.Target)}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Run{}, false, err
	}
	defer unlock()
	s.sweep()
	ids, err := s.ids()
	if err != nil {
		return Run{}, false, err
	}
	for _, id := range ids {
		st, err := s.read(id)
		switch {
		case err != nil && s.begunAs(id, start):
			return Run{}, false, err
		case err == nil && st.Status == Open && st.Workflow == start.Workflow && st.Target == start.Target:
			return st.Run, true, nil
		}
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return Run{}, false, err
	}
	st := standing{Run: Run{ID: hex.EncodeToString(random[:])}}
	err = s.record(ctx, &st, Call{At: now}, []Event{{
		Kind: EventStarted, Workflow: start.Workflow, File: start.File, Target: start.Target, To: start.Phase,
	}})
	if err != nil {
		return Run{}, false, err
	}
	return st.Run, false, nil
}

// begunAs reports whether a damaged session may have begun like that.
func (s *Store) begunAs(id string, start Start) bool {
	text, err := s.journal(id)
	if err != nil {
		return true
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	st := standing{Run: Run{ID: id}}
	return st.take(line) != nil || st.Workflow == start.Workflow && st.Target == start.Target
}
