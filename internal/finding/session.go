package finding

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// SessionDetails adds to a finding of a session rule where in the session it is and
// what was counted. Commands and paths in it are shortened and masked.
type SessionDetails struct {
	Occurrence
	Evidence

	Title string // of the mode, for headings
	// Log is the place in the log when the log is outside the repository, so that the
	// finding itself is placed at its rule; zero otherwise.
	Log fact.Place
}

// Occurrence locates a finding in a session.
type Occurrence struct {
	ID      string    `json:"session"`
	Agent   string    `json:"agent,omitempty"`
	Phase   string    `json:"phase,omitempty"` // empty: the session has no phases
	Visit   int       `json:"visit"`           // index of the visit, from 0
	FirstAt time.Time `json:"first_at,omitzero"`
	Peak    int64     `json:"peak"`             // largest count of the visit; live, the current count
	PeakAt  time.Time `json:"peak_at,omitzero"` // when the peak was reached
	Count   int64     `json:"count"`            // the count at which the rule fired
}

// Evidence holds what was counted.
type Evidence struct {
	Pattern string `json:"pattern,omitempty"`
	// Recent are the last events that count, at most five, oldest first.
	Recent   []fact.Event `json:"recent_events"`
	Snapshot Snapshot     `json:"metrics_snapshot"`
}

// Snapshot holds the numbers of a mode. Those that the mode does not count are absent.
type Snapshot struct {
	Count     int64            `json:"count"`
	Threshold int64            `json:"threshold,omitempty"`
	Window    int64            `json:"window,omitempty"` // in seconds
	Start     time.Time        `json:"start,omitzero"`   // of the visit
	Now       time.Time        `json:"now,omitzero"`     // when it was counted
	Tokens    *fact.TokenCount `json:"tokens,omitempty"`
}

// SessionProperties are the keys that JSON and SARIF add to a finding of a session
// rule. Mode, message and body of the finding appear in them a second time, because
// agents read these keys alone.
type SessionProperties struct {
	Occurrence

	RuleType   string `json:"rule_type"`
	Diagnostic string `json:"diagnostic"`
	Suggestion string `json:"suggestion"`

	Evidence
}

// SessionProperties returns the additional keys of a session finding; nil for any
// other.
func (f Finding) SessionProperties() *SessionProperties {
	if f.Session == nil {
		return nil
	}
	return &SessionProperties{
		Occurrence: f.Session.Occurrence, RuleType: f.Mode, Diagnostic: f.Message, Suggestion: f.Body, Evidence: f.Session.Evidence,
	}
}

// MarshalJSON writes the finding's fields followed by its [SessionProperties].
func (f Finding) MarshalJSON() ([]byte, error) {
	type fields Finding // has no methods
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the caller's encoder decides
	err := enc.Encode(struct {
		fields
		*SessionProperties
	}{fields(f), f.SessionProperties()})
	return b.Bytes(), err
}

// UnmarshalJSON reads what [Finding.MarshalJSON] writes.
func (f *Finding) UnmarshalJSON(data []byte) error {
	type fields Finding
	var read struct {
		fields
		*SessionProperties
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*f = Finding(read.fields)
	if p := read.SessionProperties; p != nil {
		f.Session, f.Body = &SessionDetails{Occurrence: p.Occurrence, Evidence: p.Evidence}, p.Suggestion
	}
	return nil
}
