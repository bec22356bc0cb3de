package session_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

var regexpOfTests = regexp.MustCompile(`^go test`)

func streaks() []session.Quantity {
	return []session.Quantity{session.Failures, session.Denials, session.Reads, session.Untested}
}

// decided returns calls with an outcome for each: the one that leads to the highest count,
// or to the lowest.
func decided(calls []session.ToolCall, m session.Measure, highest bool) []session.ToolCall {
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		if c.Status != fact.Running && c.Status != fact.Unknown {
			continue
		}
		running := c.Status == fact.Running
		c.Status = fact.OK
		if m.Of == session.Denials {
			if highest {
				c.Status = fact.Rejected
			}
			continue
		}
		adds := c.Kind == fact.FileEdit && m.Of != session.Reads || c.Kind == fact.Read && m.Of == session.Reads
		switch {
		case c.Kind == fact.Command && m.Of == session.Failures && highest:
			c.Status = fact.Error
		case c.Kind == fact.Command && m.Of == session.Untested && highest && running:
			c.Status = fact.Rejected // a test that is running may not have begun
		case m.Of == session.Reads && c.Kind == fact.FileEdit && highest, adds && !highest:
			c.Status = fact.Error
		}
	}
	return calls
}

// streakAt counts by the definition: of each file or command, the calls since the last one
// that ends the streak, and until now. Every call has an outcome.
func streakAt(calls []session.ToolCall, m session.Measure, start, now time.Time) int64 {
	counts := map[string]int64{}
	most := int64(0)
	for i, c := range calls {
		text := strings.TrimSpace(c.Command)
		if c.Kind != fact.Command {
			text = strings.TrimPrefix(c.Paths[0], "/p/")
		}
		call := func(c session.ToolCall) string {
			return c.Name + strings.TrimSpace(c.Command) + strings.Join(c.Paths, "")
		}
		matched := func(c session.ToolCall) bool {
			return m.Matching != nil && m.Matching.MatchString(strings.TrimPrefix(strings.TrimSpace(c.Command)+strings.Join(c.Paths, ""), "/p/"))
		}
		adds := map[session.Quantity]bool{
			session.Failures: c.Kind == fact.Command && c.Status == fact.Error,
			session.Denials:  c.Status == fact.Rejected,
			session.Reads:    c.Kind == fact.Read && c.Status == fact.OK,
			session.Untested: c.Kind == fact.FileEdit && c.Status == fact.OK,
		}[m.Of]
		old := m.Within > 0 && c.At.Before(now.Add(-m.Within))
		if !adds || c.At.Before(start) || c.At.After(now) || old || m.Matching != nil && !m.Matching.MatchString(text) {
			continue
		}
		ended := slices.ContainsFunc(calls[i+1:], func(later session.ToolCall) bool {
			if later.At.After(now) {
				return false
			}
			switch m.Of {
			case session.Failures:
				same := strings.TrimSpace(later.Command) == text || m.Matching != nil && m.Matching.MatchString(later.Command)
				return later.Kind == fact.Command && later.Status == fact.OK && same
			case session.Denials:
				return later.Status != fact.Rejected && (m.Matching == nil && call(later) == call(c) || matched(later))
			case session.Reads:
				return later.Kind == fact.FileEdit && later.Status == fact.OK
			default:
				return later.Kind == fact.Command && later.Status != fact.Rejected && strings.HasPrefix(later.Command, "go test")
			}
		})
		if ended {
			continue
		}
		if m.Of == session.Denials {
			text = call(c)
		}
		if m.Matching != nil || m.Of == session.Untested {
			text = ""
		}
		counts[text]++
		most = max(most, counts[text])
	}
	return most
}

// TestStreaks compares live evaluation with the definition at every instant, once the
// outcomes that are not in the log are those for which the least is counted.
func TestStreaks(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		s, v := drawSession(t)
		m := drawMeasure(t)
		m.Of = rapid.SampledFrom(streaks()).Draw(t, "streak")
		if m.Matching != nil && (m.Of == session.Failures || m.Of == session.Denials) {
			for i := range v.Calls { // what matches is the text as it is written
				v.Calls[i].Command = strings.TrimSpace(v.Calls[i].Command)
			}
		}
		least, most := decided(v.Calls, m, false), decided(v.Calls, m, true)
		for at := noon; !at.After(v.End); at = at.Add(time.Second / 2) {
			live := s.Live(v, m, at)
			want, upper := streakAt(least, m, v.Start, at), streakAt(most, m, v.Start, at)
			if live.Count != want || (live.Incomplete != "") != (upper > want) {
				t.Fatalf("%s at %s: counted %d, %q; want %d, at most %d", m.Of, at, live.Count, live.Incomplete, want, upper)
			}
		}
	})
}

// TestLostEventsMayEndStreaks holds that nothing is certain about a streak if events are
// missing: one of them may have ended it.
func TestLostEventsMayEndStreaks(t *testing.T) {
	failed := ran(1, "make")
	failed.Status = fact.Error
	read := editOf(1, "/p/a.go")
	read.Kind = fact.Read
	denied := ran(1, "git push -f")
	denied.Status = fact.Rejected
	calls := []session.ToolCall{failed, denied, read, editOf(2, "/p/a.go")}
	for _, code := range []fact.Code{"", fact.Damaged, fact.Opaque, fact.UnknownTool, fact.UnknownType, fact.Blank} {
		s, v := whole(calls, nil, fact.Diagnostic{Code: code, Count: 1, Message: "lost", Loss: code != "" && code != fact.Blank})
		for _, of := range streaks() {
			m := session.Measure{Of: of, Until: regexpOfTests}
			got, now := s.Audit(v, m), s.Live(v, m, after(1))
			if of == session.Untested {
				now = s.Live(v, m, after(2))
			}
			if lost := s.Diagnostics[0].Loss; lost != (got.Incomplete == "lost") || lost == (got.Count == 1) || lost == (now.Count == 1) {
				t.Errorf("%s, %q: got %d, %d now, %q", of, code, got.Count, now.Count, got.Incomplete)
			}
		}
	}
}
