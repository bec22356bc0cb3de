package store

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// Call identifies an update.
type Call struct {
	At time.Time // now
	// Key makes the call idempotent: only one of all calls with the same key is
	// recorded. Calls with an empty key are always recorded.
	Key string
	// Definition and Document are kept in the record.
	Definition, Document string
}

// Outcome is the result of an update.
type Outcome struct {
	Run    Run
	Record Record // the new record; zero if there were no events
	// Repeated reports that Record is an earlier one with the same key, and that
	// nothing was decided or recorded by this call.
	Repeated bool
}

// Update records the events that decide returns for a run: all of them or, on an
// error, none. Decide gets its own copy of the run, and holds the lock of the
// store, so it should be quick. Update fails as Load does, with the errors of
// decide, with an *[Error] if the run is closed, and if the disk is full.
func (s *Store) Update(ctx context.Context, id string, call Call, decide func(Run) ([]Event, error)) (Outcome, error) {
	if err := validID(id); err != nil {
		return Outcome{}, err
	}
	if !utf8.ValidString(call.Key) {
		return Outcome{}, &Error{Code: InvalidArgument, Reason: fmt.Sprintf("idempotency key %q; want UTF-8", call.Key)}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	s.removeTemporary()
	st, err := s.read(id)
	if err != nil {
		return Outcome{}, err
	}
	if call.Key != "" {
		r, known, err := s.recordOf(&st, call.Key)
		if err != nil || known {
			return Outcome{st.Run, r, known}, err
		}
	}
	own, err := st.copied()
	if err != nil {
		return Outcome{}, err
	}
	events, err := decide(own)
	if err != nil || len(events) == 0 {
		return Outcome{Run: st.Run}, err
	}
	if err := s.record(ctx, &st, call, events); err != nil {
		return Outcome{}, err
	}
	return Outcome{Run: st.Run, Record: st.record}, nil
}
