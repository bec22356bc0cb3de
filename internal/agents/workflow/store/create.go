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

// Start describes a run to create.
type Start struct {
	Workflow string // the name by which it is started
	File     string // of the workflow, from the root, with slashes: its identity
	Target   string // likewise; empty: none
	Phase    string // the first phase
	Commit   string // as in [Event]
	// Terms and Requires are as in [EventStarted], Definition and Document as in
	// [Call].
	Terms                map[string]string
	Requires             []string
	Definition, Document string
}

// Create creates a run, or resumes the open one with the same file and target.
// If several processes call it at once, one creates the run and the others resume
// it. It fails with an *[Error] if the run to resume may be a damaged one.
func (s *Store) Create(ctx context.Context, start Start, now time.Time) (run Run, resumed bool, err error) {
	if start.Target != "" && !fs.ValidPath(start.Target) || !utf8.ValidString(start.Workflow) {
		return Run{}, false, &Error{Code: InvalidArgument, Reason: fmt.Sprintf("workflow %q, target %q; want UTF-8 and a path from the repository's root, with slashes", start.Workflow, start.Target)}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Run{}, false, err
	}
	defer unlock()
	s.removeTemporary()
	ids, err := s.ids()
	if err != nil {
		return Run{}, false, err
	}
	for _, id := range ids {
		st, err := s.read(id)
		switch {
		case err != nil && s.mayMatch(id, start):
			return Run{}, false, err
		case err == nil && st.Status == Open && st.File == start.File && st.Target == start.Target:
			return st.Run, true, nil
		}
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return Run{}, false, err
	}
	st := replay{Run: Run{ID: hex.EncodeToString(random[:])}}
	err = s.record(ctx, &st, Call{At: now, Definition: start.Definition, Document: start.Document}, []Event{{
		Kind: EventStarted, Workflow: start.Workflow, File: start.File, Target: start.Target, To: start.Phase, Commit: start.Commit,
		Terms: start.Terms, Requires: start.Requires,
	}})
	if err != nil {
		return Run{}, false, err
	}
	return st.Run, false, nil
}

// mayMatch reports whether a damaged run may have the file and target of start.
func (s *Store) mayMatch(id string, start Start) bool {
	text, err := s.journal(id)
	if err != nil {
		return true
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	st := replay{Run: Run{ID: id}}
	return st.applyLine(line) != nil || st.File == start.File && st.Target == start.Target
}
