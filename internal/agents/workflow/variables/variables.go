// Package variables keeps the variables of workflow sessions, which observers set on the
// events of agents.
package variables

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Store keeps the variables of the sessions of one working tree next to the state of the
// sessions, so that they are deleted together. Any number of processes may use it and be
// killed at any time: the file of a session is replaced as a whole, under a lock.
type Store struct{ dir string }

// New returns the store in a git directory. It reads nothing.
func New(gitDir string) *Store { return &Store{filepath.Join(gitDir, "rulecheck", "sessions")} }

const (
	version  = 1
	suffix   = ".variables.json"
	lockName = ".variables.lock"
	// maxSeen is how many of the last events are remembered, so that one that is delivered
	// twice counts once.
	maxSeen = 16
	// MaxValue limits a value, in bytes of JSON: what is kept does not grow with a session.
	MaxValue = 64 << 10
	maxState = 1 << 20 // of all values
)

var sessionID = lazyregexp.New(`^[0-9a-f]{16}$`)

// State holds the variables of a session that were set.
type State struct {
	Version int            `json:"version"`
	Values  map[string]any `json:"values"`
	// OfVisit are those that have their initial values again in another visit of a phase.
	OfVisit map[string]any `json:"of_visit,omitempty"`
	Visit   string         `json:"visit,omitempty"` // that OfVisit belongs to
	Seen    []Seen         `json:"seen,omitempty"`  // the last events that set variables
}

// Seen is an event that set variables.
type Seen struct {
	Key string    `json:"key"` // equal for two deliveries of one event
	At  time.Time `json:"at"`
}

// Visit identifies a visit of a phase.
func Visit(phase string, entered time.Time) string {
	return phase + " " + entered.UTC().Format(time.RFC3339Nano)
}

// In returns the values during a visit, over the initial ones.
func (s State) In(visit string, initial map[string]any) map[string]any {
	values := map[string]any{}
	maps.Copy(values, initial)
	maps.Copy(values, s.Set(visit))
	return values
}

// Set returns the values that were set and count during a visit.
func (s State) Set(visit string) map[string]any {
	values := map[string]any{}
	maps.Copy(values, s.Values)
	if s.Visit == visit {
		maps.Copy(values, s.OfVisit)
	}
	return values
}

// Assign sets a variable, ofVisit for the time of a visit only. A value that is too large
// is an error.
func (s *State) Assign(name string, value any, visit string, ofVisit bool) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("vars.%s: %w", name, err)
	}
	if len(text) > MaxValue {
		return fmt.Errorf("vars.%s: the value has %d bytes; want at most %d", name, len(text), MaxValue)
	}
	if !ofVisit {
		if s.Values == nil {
			s.Values = map[string]any{}
		}
		s.Values[name] = value
		return nil
	}
	if s.Visit != visit || s.OfVisit == nil {
		s.Visit, s.OfVisit = visit, map[string]any{}
	}
	s.OfVisit[name] = value
	return nil
}

// Load returns the state of a session; the zero State if nothing was set.
func (s *Store) Load(id string) (State, error) {
	if !sessionID().MatchString(id) {
		return State{}, fmt.Errorf("%q is not a session id", id)
	}
	file := filepath.Join(s.dir, id+suffix)
	text, err := regular.ReadAtMost(file, 2*maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	var state State
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&state)
	}
	if err == nil && state.Version != version {
		err = fmt.Errorf("version %d; want %d", state.Version, version)
	}
	if err != nil {
		return State{}, fmt.Errorf("the variables of session %s are damaged; remove %s to begin with their initial values: %w", id, file, err)
	}
	return state, nil
}

// Update changes the state of a session under its lock. change reports whether it did; the
// event is then remembered. It is not called for an event that seen reports.
func (s *Store) Update(ctx context.Context, id string, event Seen, seen func([]Seen) bool, change func(*State) (bool, error)) error {
	if !sessionID().MatchString(id) {
		return fmt.Errorf("%q is not a session id", id)
	}
	if err := regular.Directories(filepath.Dir(s.dir), s.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	unlock, err := atomicfile.Lock(ctx, filepath.Join(s.dir, id+lockName))
	if err != nil {
		return fmt.Errorf("wait for the variables of session %s: %w", id, err)
	}
	defer unlock()
	state, err := s.Load(id)
	if err != nil || seen(state.Seen) {
		return err
	}
	changed, err := change(&state)
	if !changed {
		return err
	}
	state.Version = version
	state.Seen = append(state.Seen, event)
	state.Seen = state.Seen[max(0, len(state.Seen)-maxSeen):]
	text, wrong := json.Marshal(state)
	if wrong == nil && len(text) > maxState {
		wrong = fmt.Errorf("the variables of session %s would have %d bytes; want at most %d", id, len(text), maxState)
	}
	if wrong == nil {
		wrong = atomicfile.WritePrivate(filepath.Join(s.dir, id+suffix), append(text, '\n'))
	}
	return errors.Join(err, wrong)
}
