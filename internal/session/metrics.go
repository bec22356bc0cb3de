package session

import (
	"cmp"
	"regexp"
	"sort"
	"time"
)

// Quantity is what of a visit is counted.
type Quantity string

// The quantities. Failed commands count and rejected ones do not; of edits,
// those count that were applied, one for each file. Seconds are whole.
const (
	Commands Quantity = "commands"
	Edits    Quantity = "edits"
	Seconds  Quantity = "seconds"
	TokenSum Quantity = "tokens"
)

// A Measure says what of a visit is counted, and how. The zero Measure counts
// nothing, and leaves nothing in doubt.
type Measure struct {
	Of Quantity
	// Matching restricts commands, or the paths of edits, and adds up all that
	// it matches. Nil: equal ones are counted for themselves, and the largest
	// group is the count.
	Matching *regexp.Regexp
	// Within is the length of the window, both ends of which are in it; 0: the
	// whole visit. Seconds and tokens are always those of the whole visit.
	Within time.Duration
	// Parts are what of tokens is added: input, output, cache_read and
	// cache_write; nil: input and output.
	Parts []string
	// Root is the project's directory, below which paths are taken relative to
	// it; empty: the session's.
	Root string
}

// Metrics is what a measure found. All texts in it are as [Shown] gives them.
type Metrics struct {
	Count int64 `json:"count"`
	// At is when it was counted: live now, in an audit when the count was
	// first so high. Zero: nothing was counted, or the log does not say when.
	At time.Time `json:"at,omitzero"`
	// Subjects are the distinct commands or paths of the window, in the order
	// of their first, at most ten; Distinct is how many there are.
	Subjects []string `json:"subjects"`
	Distinct int64    `json:"distinct"`
	// Events are the last of the window that count, at most five, oldest first.
	Events []Event     `json:"events"`
	Tokens *TokenCount `json:"tokens,omitempty"` // nil: not asked for, or not known
	Start  time.Time   `json:"start,omitzero"`   // of the visit
	End    time.Time   `json:"end,omitzero"`     // of the visit, or its last event
	// Incomplete says why the count may be too low; empty: it is exact.
	Incomplete string `json:"incomplete"`
}

// Event is a command or an edit that was counted.
type Event struct {
	At   time.Time `json:"at,omitzero"`
	Tool string    `json:"tool,omitempty"` // of an edit: the agent's name of the tool
	Text string    `json:"text"`           // the command, or the path in the project
}

// A Record is the highest count that a visit came to, and the way to it.
type Record struct {
	Metrics

	of    Quantity
	highs []high
}

// A high is a count larger than any before, and when it was first reached.
type high struct {
	count int64
	at    time.Time
}

// Reached is the first instant at which live evaluation would have counted n or
// more; ok is false when it never would. The zero time: the log does not say
// when.
func (r Record) Reached(n int64) (at time.Time, ok bool) {
	switch {
	case n > r.Count:
		return time.Time{}, false
	case n <= 0:
		return r.Start, true
	case r.of == Seconds:
		return r.Start.Add(time.Duration(n) * time.Second), true
	}
	return r.highs[sort.Search(len(r.highs), func(i int) bool { return r.highs[i].count >= n })].at, true
}

// Live counts as of now, which lies in the visit or after it.
func (s *Session) Live(v Visit, m Measure, now time.Time) Metrics {
	switch m.Of {
	case Seconds:
		end := now
		if !v.Open && v.End.Before(now) {
			end = v.End
		}
		x := m.describe(nil)
		x.Count, x.At, x.Start, x.End = seconds(v, end), now, v.Start, v.End
		return x
	case TokenSum:
		sum, _ := s.spent(v, m, now)
		return sum
	default:
		window := m.window(m.deeds(v.Calls, cmp.Or(m.Root, s.Cwd)), now)
		x := m.describe(window)
		x.At, x.Start, x.End = now, v.Start, v.End
		x.Incomplete = s.doubts(m, m.unsettled(window, x.Count))
		return x
	}
}

// Audit finds the highest count of the whole visit. An open visit ends with its
// last event.
func (s *Session) Audit(v Visit, m Measure) Record {
	r := Record{of: m.Of}
	switch m.Of {
	case Seconds:
		r.Metrics = s.Live(v, m, v.End)
		if v.Open {
			r.Incomplete = s.doubts(m, false)
		}
	case TokenSum:
		r.Metrics, r.highs = s.spent(v, m, v.End)
		r.At = last(r.highs).at
	default:
		all := m.deeds(v.Calls, cmp.Or(m.Root, s.Cwd))
		r.highs = m.highs(all, true)
		peak := last(r.highs).at
		r.Metrics = m.describe(m.window(all, peak))
		r.At, r.Start, r.End = peak, v.Start, v.End
		r.Incomplete = s.doubts(m, m.unsettled(all, r.Count))
	}
	return r
}

// seconds are the whole seconds from the visit's start.
func seconds(v Visit, end time.Time) int64 { return int64(max(end.Sub(v.Start), 0) / time.Second) }
