package session

import (
	"strings"
	"time"
)

// part is the named part of the tokens.
func (t *Tokens) part(name string) *int64 {
	switch name {
	case "input":
		return t.Input
	case "output":
		return t.Output
	case "cache_read":
		return t.CacheRead
	case "cache_write":
		return t.CacheWrite
	}
	return nil
}

// spent sums the tokens of a visit up to now, and gives the record highs.
// Where the log holds only the sum of the phase, it counts as a whole.
func (s *Session) spent(v Visit, m Measure, now time.Time) (Metrics, []high) {
	x := m.describe(nil)
	x.At, x.Start, x.End = now, v.Start, v.End
	calls := v.Tokens
	if v.Phase != nil && v.Phase.Totals != nil {
		calls, x.At = []Tokens{*v.Phase.Totals}, time.Time{}
	}
	parts := m.Parts
	if parts == nil {
		parts = []string{"input", "output"}
	}
	highs := make([]high, 0, len(calls))
	unknown := ""
	sum := Parts{}
	for i := range calls {
		t := &calls[i]
		if t.At.After(now) {
			break
		}
		sum.add(t)
		for _, name := range parts {
			if n := t.part(name); n != nil {
				x.Count += *n
			} else {
				unknown = "not every call of the model states its " + strings.Join(parts, ", ") + " tokens"
			}
		}
		if x.Count > last(highs).count {
			highs = append(highs, high{x.Count, t.At})
		}
	}
	if s.TokensKnown {
		x.Tokens = &sum
	}
	x.Incomplete = reasons(s.doubts(m, false), unknown)
	return x, highs
}

// Sum adds up tokens.
func Sum(tokens []Tokens) Parts {
	var sum Parts
	for i := range tokens {
		sum.add(&tokens[i])
	}
	return sum
}

func (p *Parts) add(t *Tokens) {
	for _, part := range []struct{ sum, n **int64 }{
		{&p.Input, &t.Input}, {&p.Output, &t.Output}, {&p.CacheRead, &t.CacheRead}, {&p.CacheWrite, &t.CacheWrite},
	} {
		if *part.n == nil {
			continue
		}
		if *part.sum == nil {
			*part.sum = new(int64)
		}
		**part.sum += **part.n
	}
}
