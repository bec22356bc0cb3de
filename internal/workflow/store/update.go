package store

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// A Call is the circumstances of an update.
type Call struct {
	At time.Time // now
	// Key makes the call idempotent: of all calls with the same key one is
	// recorded. Empty: every call is a call of its own.
	Key string
}

// An Outcome is what an update came to.
type Outcome struct {
	Run    Run
	Record Record // what was recorded; the zero value: nothing, because there were no events
	// Repeated says that Record is an earlier one, with the call's key, and that
	// nothing was decided or recorded now.
	Repeated bool
}

// Update has decide say what happens to a session, and records it: all of it or,
// with an error, nothing. No events: nothing is recorded. The session decide is
// given is its own. Nobody writes any session until it returns, so it should not
// take long. Update fails as Load does, with decide's errors as they are, with a
// *[Error] where the session is closed, and where the disk is full.
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
