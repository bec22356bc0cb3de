package hook

import (
	"slices"
	"strings"
	"time"
)

// together is the longest time between two deliveries of one event.
const together = 2 * time.Second

// key returns a text that is equal for two deliveries of one event, such as to hooks in the
// settings of the user and of the project.
func (e *Event) key() string {
	parts := []string{string(e.Kind), e.Session, e.Turn, e.Subagent, e.Call.ID}
	if e.Call.ID == "" {
		parts = append(parts, e.Stamp, string(e.Call.Kind), e.Call.Command, e.Prompt, e.Answer)
		parts = append(parts, e.Call.Paths...)
	}
	if e.Kind == Other {
		parts = append(parts, e.Name)
	}
	if e.Continued {
		parts = append(parts, "continued")
	}
	return Digest(strings.Join(parts, "\x00"))[:16]
}

// identified reports whether no two events have the same key.
func (e *Event) identified() bool { return e.Call.ID != "" || e.Stamp != "" }

// Again reports whether rows have the decision on another delivery of the event. Of events
// without an identity only those are the same that were under way at the same time: start
// is when the process for this one was started. An agent that stops twice in a row stops
// twice, however fast.
func (e *Event) Again(rows []Row, start time.Time) (Row, bool) {
	key := e.key()
	for _, row := range slices.Backward(rows) {
		late := row.At.Sub(start)
		if late.Abs() > together {
			break
		}
		if row.Key == key && (e.identified() || late >= 0) {
			return row, true
		}
	}
	return Row{}, false
}

// Returned reports whether a prompt is the reason of a refusal, which some agents send to
// themselves: it is no prompt of the user.
func (e *Event) Returned(rows []Row) bool {
	if e.Kind != Prompt {
		return false
	}
	text := Digest(strings.TrimSpace(e.Prompt))
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Reason == text && r.Verdict == Block })
}
