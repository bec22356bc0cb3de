package finding

import "time"

// Session is what a finding of a session rule says beside the rest: where in
// the log, when, and by how much. Commands in it are shortened and masked.
type Session struct {
	ID      string    `json:"session"`
	Agent   string    `json:"agent,omitempty"`
	Phase   string    `json:"phase,omitempty"` // empty: the session has no phases
	Visit   int       `json:"visit"`           // index of the stay in a phase, from 0
	FirstAt time.Time `json:"first_at,omitzero"`
	Peak    int64     `json:"peak"`             // the largest count of the visit; live, that of now
	PeakAt  time.Time `json:"peak_at,omitzero"` // when it was reached
	Count   int64     `json:"count"`            // how many it took to fire
	// RuleType is the rule's mode.
	RuleType   string `json:"rule_type"`
	Diagnostic string `json:"diagnostic"` // one sentence
	Suggestion string `json:"suggestion"`
	Pattern    string `json:"pattern,omitempty"`
	// Recent are the last events that count, at most five, oldest first.
	Recent   []Event  `json:"recent_events"`
	Snapshot Snapshot `json:"metrics_snapshot"`

	Title string `json:"-"` // of the mode, for headings
	Line  int    `json:"-"` // of the log, where its place is another file
	Log   string `json:"-"` // the log's name
}

// Event is one event of a session as reports show it.
type Event struct {
	At   time.Time `json:"at,omitzero"`
	Tool string    `json:"tool,omitempty"` // of an edit: the agent's name of the tool
	Text string    `json:"text"`           // the command or the path; one line
}

// Snapshot is what was counted. What a mode does not count is absent.
type Snapshot struct {
	Count     int64     `json:"count"`
	Threshold int64     `json:"threshold,omitempty"`
	Window    int64     `json:"window,omitempty"` // in seconds
	Start     time.Time `json:"start,omitzero"`   // of the visit
	Now       time.Time `json:"now,omitzero"`     // when it was counted
	Tokens    *Tokens   `json:"tokens,omitempty"`
}

// Tokens are parts of a sum; nil where the log does not say.
type Tokens struct {
	Input      *int64 `json:"input"`
	Output     *int64 `json:"output"`
	CacheRead  *int64 `json:"cache_read"`
	CacheWrite *int64 `json:"cache_write"`
}
