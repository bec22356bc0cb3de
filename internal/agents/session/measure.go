package session

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// Quantity names something that is counted in a visit.
type Quantity string

// The quantities. Commands include failed ones, but not rejected ones. Edits are those
// applied, one per file. Seconds are whole. The others are lengths of streaks: of failures
// of a command without a success, of denials of a call that was not made in between, of reads of a file without an
// edit, and of edits without a test. A rate is the share of commands that failed, and a share that of the tokens that subagents
// used, both in millionths.
const (
	Commands Quantity = "commands"
	Edits    Quantity = "edits"
	Seconds  Quantity = "seconds"
	TokenSum Quantity = "tokens"
	Failures Quantity = "failures"
	Reads    Quantity = "reads"
	Untested Quantity = "untested_edits"
	Cost     Quantity = "cost"
	Rate     Quantity = "failure_rate"
	Share    Quantity = "subagent_share"
	Denials  Quantity = "denials"
)

// OfCalls reports whether tool calls are counted.
func (q Quantity) OfCalls() bool { return q == Commands || q == Edits || q == Rate || q.isStreak() }

// ofTokens reports whether the use of tokens is counted, or what is made of it.
func (q Quantity) ofTokens() bool { return q == TokenSum || q == Cost || q == Share }

// isOrdered reports whether the order of the events decides on the count.
func (q Quantity) isOrdered() bool { return q == Rate || q.isStreak() }

func (q Quantity) isStreak() bool {
	return q == Failures || q == Denials || q == Reads || q == Untested
}

// events names the events whose outcome decides on the count.
func (q Quantity) events() string {
	switch q {
	case Failures, Rate:
		return "commands"
	case Denials:
		return "calls"
	case Reads:
		return "reads or edits"
	case Untested:
		return "edits or tests"
	default:
		return string(q)
	}
}

// Measure describes what is counted in a visit. The zero Measure counts nothing and is
// always complete.
type Measure struct {
	Of Quantity
	// Matching selects the commands, or the paths of edits and reads, that are added up. Nil:
	// equal ones form groups, and the largest group counts; untested edits form one.
	Matching *regexp.Regexp
	// Until selects the commands that are tests.
	Until *regexp.Regexp
	// Within is the length of the window, which includes both its ends; 0: the whole
	// visit. Seconds and tokens are always those of the whole visit.
	Within time.Duration
	// Least is the number of commands from which on a rate counts.
	Least int64
	// Parts are the kinds of tokens to add up: input, output, cache_read and cache_write;
	// nil: input and output.
	Parts []string
	// Price returns what a call of the model cost; only for costs.
	Price func(t *Tokens) money.Cost
	// Starts reports whether a tool starts a subagent; only for their share.
	Starts func(tool string) bool
	// Root is the directory of the project. Paths below it are relative to it. Empty: the
	// directory of the session.
	Root string
	// Fresh limits an audit to counts that events which are not old reach; nil: all events.
	// What led to them may be older.
	Fresh *Fresh
}

// Fresh limits an audit to what a change adds to a session. The other events are marked as
// old.
type Fresh struct {
	Since time.Time // of the first event that is not old
}

// NeedsTimes reports whether the count depends on when something happened, not only on what
// came before what.
func (m Measure) NeedsTimes() bool { return m.Of == Seconds || m.Within > 0 }

// Record holds the highest count of a visit, and every lower record on the way.
type Record struct {
	fact.Metrics

	of    Quantity
	highs []high
}

// high is a count larger than any before, and the time it was first reached.
type high struct {
	count int64
	at    time.Time
	group string // of the actions that were counted
	place fact.Place
	until int // the number of actions that led to it
}

// Reached returns the first time at which live evaluation would have counted at least n;
// ok is false if there is none. The zero time means that the log does not record it.
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

// PlaceOf returns the place of the event at which the count was at least n for the first
// time; ok is false if it is not an event that is counted, or its place is unknown.
func (r Record) PlaceOf(n int64) (place fact.Place, ok bool) {
	if n > r.Count || n <= 0 || r.of == Seconds {
		return fact.Place{}, false
	}
	place = r.highs[sort.Search(len(r.highs), func(i int) bool { return r.highs[i].count >= n })].place
	return place, place.File != ""
}

// Live counts as of now, a time within the visit or after it.
func (s *Session) Live(v Visit, m Measure, now time.Time) fact.Metrics {
	switch m.Of {
	case Seconds:
		end := now
		if !v.Open && v.End.Before(now) {
			end = v.End
		}
		x := m.describe(nil)
		x.Count, x.At, x.Start, x.End = seconds(v, end), now, v.Start, v.End
		if v.Start.IsZero() {
			x.Incomplete = NoTimes
		}
		return x
	case Rate:
		now, _ := s.failureRate(v, m, now)
		return now
	case TokenSum, Cost:
		sum, _ := s.sumTokens(v, m, now)
		return sum
	case Share:
		share, _ := s.subagentShare(v, m, now)
		return share
	default:
		window := m.window(m.actions(m.countable(v), cmp.Or(m.Root, s.Cwd)), now)
		if m.Of.isStreak() && s.incompleteReasons(v, m, false) != "" {
			window = nil // what is missing may have ended every streak
		}
		x := m.describe(window)
		x.At, x.Start, x.End = now, v.Start, v.End
		x.Incomplete = s.incompleteReasons(v, m, m.mayBeMore(window, x.Count))
		return x
	}
}

// Audit finds the highest count of the whole visit. An open visit ends with its last
// event.
func (s *Session) Audit(v Visit, m Measure) Record {
	r := Record{of: m.Of}
	switch m.Of {
	case Seconds:
		r.Metrics = s.Live(v, m, v.End)
		if m.Fresh != nil && v.End.Before(m.Fresh.Since) {
			r.Count = 0
		}
		if v.Open {
			r.Incomplete = s.incompleteReasons(v, m, false)
		}
	case Rate:
		_, r = s.failureRate(v, m, v.End)
	case TokenSum, Cost, Share:
		count := s.sumTokens
		if m.Of == Share {
			count = s.subagentShare
		}
		r.Metrics, r.highs = count(v, m, v.End)
		if m.Fresh != nil {
			r.Count = last(r.highs).count
		}
		r.At = last(r.highs).at
	default:
		all := m.actions(m.countable(v), cmp.Or(m.Root, s.Cwd))
		if m.Of.isStreak() && s.incompleteReasons(v, m, false) != "" {
			all = nil
		}
		r.highs = m.highs(all, true)
		peak := last(r.highs).at
		window := m.window(all, peak)
		if peak.IsZero() {
			window = all[:last(r.highs).until]
		}
		if m.Fresh != nil { // the largest group may be older
			window = slices.DeleteFunc(slices.Clone(window), func(a action) bool { return m.group(a) != last(r.highs).group })
		}
		r.Metrics = m.describe(window)
		r.At, r.Start, r.End = peak, v.Start, v.End
		r.Incomplete = s.incompleteReasons(v, m, m.hasUnknownOutcome(all, r.Count))
	}
	return r
}

// isFresh reports whether an event, which may be old, may reach a count.
func (m Measure) isFresh(old bool) bool { return m.Fresh == nil || !old }

// seconds returns the whole seconds since the start of the visit.
func seconds(v Visit, end time.Time) int64 {
	if v.Start.IsZero() {
		return 0
	}
	return int64(max(end.Sub(v.Start), 0) / time.Second)
}
