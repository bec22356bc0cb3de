// Package coverage compares the tool calls in an agent's log with the journal of its hooks:
// which of them were checked before they were made.
package coverage

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// Verdict is whether a hook checked a call.
type Verdict string

// The verdicts.
const (
	Checked    Verdict = "checked"
	NotChecked Verdict = "not_checked"
	Unknown    Verdict = "unknown"
)

// Reason is why a call was not checked, or why that is not known.
type Reason string

// The reasons: of calls that were not checked, then of calls that may have been checked or not.
const (
	Absent    Reason = "absent"    // no hook ran in the session
	Untrusted Reason = "untrusted" // no hook ran in the session; its agent skips those that are not trusted
	Missing   Reason = "missing"   // hooks ran in the session, but none for this call
	TimedOut  Reason = "timed_out" // the hook did not answer in time
	Fault     Reason = "fault"     // the hook could not check the call
	Opaque    Reason = "opaque"    // the agent fires no hook that shows what the call does

	NoJournal Reason = "no_journal" // the journal of the session is not here
	Damaged   Reason = "damaged"    // lines of the journal cannot be read
	Ambiguous Reason = "ambiguous"  // equal calls without ids, some of which were checked
)

// reasons is the table of reasons, with their texts for people.
var reasons = []struct {
	reason Reason
	text   string
}{
	{Absent, "no hook ran in the session"},
	{Untrusted, "no hook ran in the session; the agent skips hooks that are not trusted, without a word"},
	{Missing, "hooks ran in the session, but none answered for the call"},
	{TimedOut, "the hook did not answer in time"},
	{Fault, "the hook could not check the call"},
	{Opaque, "the agent fires no hook that shows what the call does"},
	{NoJournal, "the journal of the session is not here"},
	{Damaged, "lines of the journal cannot be read"},
	{Ambiguous, "equal calls without ids, only some of which were checked"},
}

// Reasons returns all reasons, those of calls that were not checked first.
func Reasons() []Reason {
	list := make([]Reason, 0, len(reasons))
	for _, r := range reasons {
		list = append(list, r.reason)
	}
	return list
}

// Text returns the reason in words.
func (r Reason) Text() string {
	for _, known := range reasons {
		if known.reason == r {
			return known.text
		}
	}
	return ""
}

// Call is the verdict on one tool call.
type Call struct {
	ID       string    `json:"id,omitempty"`
	Tool     string    `json:"tool"`
	At       time.Time `json:"at,omitzero"`
	Verdict  Verdict   `json:"verdict"`
	Reason   Reason    `json:"reason,omitempty"`   // empty: the call was checked
	Observed bool      `json:"observed,omitempty"` // the hook checked the call, and could not have refused it
	fact.Place
}

// Count counts the calls that include selects.
func Count(calls []Call, include func(Call) bool) fact.Coverage {
	c := fact.Coverage{Reasons: map[string]int{}}
	for _, call := range calls {
		if !include(call) {
			continue
		}
		c.Calls++
		switch call.Verdict {
		case Checked:
			c.Checked++
			if call.Observed {
				c.Observed++
			}
		case NotChecked:
			c.NotChecked++
		case Unknown:
			c.Unknown++
		}
		if call.Reason != "" {
			c.Reasons[string(call.Reason)]++
		}
	}
	return c
}
