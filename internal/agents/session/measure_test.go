package session_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// after returns a time in half seconds after noon.
func after(halves int) time.Time { return noon.Add(time.Duration(halves) * time.Second / 2) }

func ran(halves int, command string) session.ToolCall {
	return session.ToolCall{Name: "Bash", Kind: fact.Command, Command: command, Status: fact.OK, At: after(halves)}
}

func editOf(halves int, paths ...string) session.ToolCall {
	return session.ToolCall{Name: "Edit", Kind: fact.FileEdit, Paths: paths, Status: fact.OK, At: after(halves)}
}

func used(halves int, input, output *int64) session.Tokens {
	return session.Tokens{At: after(halves), TokenCount: fact.TokenCount{Input: input, Output: output}}
}

// whole returns a session without phases and its visit.
func whole(calls []session.ToolCall, tokens []session.Tokens, diagnostics ...fact.Diagnostic) (*session.Session, session.Visit) {
	s := &session.Session{
		Cwd: "/p", Start: noon, End: after(100), Calls: calls, Tokens: tokens, TokensKnown: len(tokens) > 0, Diagnostics: diagnostics,
	}
	return s, s.Visits()[0]
}

func drawSession(t *rapid.T) (*session.Session, session.Visit) {
	var calls []session.ToolCall
	var tokens []session.Tokens
	at := 0
	for range rapid.IntRange(0, 25).Draw(t, "calls") {
		at += rapid.IntRange(0, 6).Draw(t, "pause")
		c := ran(at, rapid.SampledFrom([]string{"make", " make ", "go test", "ls"}).Draw(t, "command"))
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			c = editOf(at, rapid.SampledFrom([]string{"/p/a.go", "/p/b.go", "/q/a.go"}).Draw(t, "path"))
		case 1:
			c = editOf(at, rapid.SampledFrom([]string{"/p/a.go", "/p/b.go"}).Draw(t, "path"))
			c.Name, c.Kind = "Read", fact.Read
		}
		c.Status = rapid.SampledFrom([]fact.Status{
			fact.OK, fact.OK, fact.Error, fact.Rejected, fact.Running, fact.Unknown,
		}).Draw(t, "status")
		calls = append(calls, c)
		input, output := rapid.Int64Range(0, 3).Draw(t, "input"), rapid.Int64Range(0, 3).Draw(t, "output")
		tokens = append(tokens, used(at, &input, &output))
	}
	s, v := whole(calls, tokens)
	v.End, v.Open = after(at), rapid.Bool().Draw(t, "open")
	return s, v
}

func drawMeasure(t *rapid.T) session.Measure {
	m := session.Measure{
		Of:     rapid.SampledFrom(append(streaks(), session.Commands, session.Edits, session.Seconds, session.TokenSum)).Draw(t, "of"),
		Until:  regexp.MustCompile(`^go test`),
		Within: time.Duration(rapid.IntRange(0, 8).Draw(t, "window")) * time.Second,
	}
	if rapid.Bool().Draw(t, "pattern") {
		m.Matching = regexp.MustCompile(`^(make|a\.go|go)`)
	}
	return m
}

// TestAuditIsLiveAtEveryInstant holds that an audit reaches a count when live evaluation
// would first have had it, and shows what live evaluation would have shown at the peak.
func TestAuditIsLiveAtEveryInstant(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		s, v := drawSession(t)
		m := drawMeasure(t)
		record := s.Audit(v, m)
		most := int64(0)
		for at := noon; !at.After(v.End); at = at.Add(time.Second / 2) {
			now := s.Live(v, m, at)
			for n := most + 1; n <= now.Count; n++ {
				if first, ok := record.Reached(n); !ok || !first.Equal(at) {
					t.Fatalf("the audit reaches %d at %s (%v), live evaluation at %s", n, first, ok, at)
				}
			}
			most = max(most, now.Count)
		}
		if _, more := record.Reached(most + 1); more || record.Count != most {
			t.Fatalf("the audit counts %d, live evaluation at most %d", record.Count, most)
		}
		if first, ok := record.Reached(0); !ok || !first.Equal(v.Start) {
			t.Fatalf("nothing is reached at %s (%v); want the start", first, ok)
		}
		if most == 0 {
			return
		}
		at := s.Live(v, m, record.At)
		at.Incomplete = record.Incomplete
		if m.Of != session.TokenSum { // the audit shows all tokens
			if diff := gocmp.Diff(at, record.Metrics); diff != "" {
				t.Fatalf("at the peak (-live +audit):\n%s", diff)
			}
		}
	})
}

// TestExactCountsDoNotGrow holds that a count is incomplete exactly if it would be larger,
// had every action without an outcome been one that counts.
func TestExactCountsDoNotGrow(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		s, v := drawSession(t)
		m := drawMeasure(t)
		s.TokensKnown = true
		record := s.Audit(v, m)
		v.Calls = decided(v.Calls, m, true)
		if most := s.Audit(v, m).Count; (most > record.Count) != (record.Incomplete != "") {
			t.Fatalf("counted %d, %q; with all that may have been done %d", record.Count, record.Incomplete, most)
		}
	})
}

func TestIncomplete(t *testing.T) {
	n := int64(5)
	known := []session.Tokens{used(1, &n, &n)}
	lost := func(code fact.Code) fact.Diagnostic {
		return fact.Diagnostic{Code: code, Count: 1, Message: "lost " + string(code), Loss: true}
	}
	untimed := ran(0, "make")
	untimed.At = time.Time{}
	tests := map[string]struct {
		calls       []session.ToolCall
		tokens      []session.Tokens
		diagnostics []fact.Diagnostic
		want        map[session.Quantity]string
	}{
		"whole": {tokens: known, calls: []session.ToolCall{ran(1, "make")}},
		"damaged, twice": {
			tokens: known, diagnostics: []fact.Diagnostic{lost(fact.Damaged), lost(fact.Damaged)},
			want: map[session.Quantity]string{
				session.Commands: "lost damaged", session.Edits: "lost damaged", session.Seconds: "lost damaged", session.TokenSum: "lost damaged",
			},
		},
		"nothing lost": {tokens: known, diagnostics: []fact.Diagnostic{{Code: fact.Blank, Message: "empty lines"}}},
		"opaque": {
			tokens: known, diagnostics: []fact.Diagnostic{lost(fact.Opaque)},
			want: map[session.Quantity]string{session.Commands: "lost opaque", session.Edits: "lost opaque"},
		},
		"an unknown tool": {
			tokens: known, diagnostics: []fact.Diagnostic{lost(fact.UnknownTool)},
			want: map[session.Quantity]string{session.Commands: "lost unknown_tool", session.Edits: "lost unknown_tool"},
		},
		"a wrong number of tokens": {
			tokens: known, diagnostics: []fact.Diagnostic{lost(fact.WrongTokens)},
			want: map[session.Quantity]string{session.TokenSum: "lost wrong_tokens"},
		},
		"a command without a time": {
			tokens: known, calls: []session.ToolCall{untimed, ran(1, "ls")}, diagnostics: []fact.Diagnostic{lost(fact.NoTime)},
			want: map[session.Quantity]string{session.Seconds: "lost no_time"},
		},
		"tokens without a time": {
			tokens: []session.Tokens{{TokenCount: fact.TokenCount{Input: &n, Output: &n}}, known[0]},
		},
		"tokens that are not stated": {
			tokens: []session.Tokens{used(1, &n, nil), used(2, &n, nil)},
			want:   map[session.Quantity]string{session.TokenSum: "some calls of the model do not record their input, output tokens"},
		},
		"no tokens": {want: map[session.Quantity]string{session.TokenSum: "the log does not record the use of tokens"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, v := whole(test.calls, test.tokens, test.diagnostics...)
			for _, of := range []session.Quantity{session.Commands, session.Edits, session.Seconds, session.TokenSum} {
				if got := s.Audit(v, session.Measure{Of: of}).Incomplete; got != test.want[of] {
					t.Errorf("%s: got %q, want %q", of, got, test.want[of])
				}
			}
			if none := s.Audit(v, session.Measure{}); none.Count != 0 || none.Incomplete != "" {
				t.Errorf("nothing is counted: got %+v", none.Metrics)
			}
			if live := s.Live(v, session.Measure{Of: session.Seconds}, noon); live.Incomplete != "" {
				t.Errorf("the time until now is always known: %q", live.Incomplete)
			}
		})
	}
}

func TestTokenParts(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	s, v := whole(nil, []session.Tokens{
		{At: after(1), TokenCount: fact.TokenCount{Input: n(1), Output: n(20), CacheRead: n(300), CacheWrite: n(4000)}},
		{At: after(3), TokenCount: fact.TokenCount{Input: n(1), Output: n(20), CacheRead: n(300)}},
	})
	for parts, want := range map[string]int64{
		"": 42, "input": 2, "output": 40, "cache_read": 600, "cache_write": 4000, "input cache_read": 602, "neither": 0,
	} {
		got := s.Audit(v, session.Measure{Of: session.TokenSum, Parts: splitOrNil(parts)})
		if got.Count != want || *got.Tokens.CacheWrite != 4000 || *got.Tokens.Input != 2 {
			t.Errorf("%q: got %d of %v, want %d", parts, got.Count, got.Tokens, want)
		}
	}
}

func splitOrNil(words string) []string {
	if words == "" {
		return nil
	}
	return strings.Fields(words)
}

func TestLargestGroup(t *testing.T) {
	var calls []session.ToolCall
	for i := range 12 {
		calls = append(calls, ran(i, fmt.Sprintf("TOKEN=s3cret go test ./%02d", i)))
	}
	s, v := whole(append(calls, ran(13, "ls"), ran(14, "make"), ran(15, "make"), ran(16, "ls")), nil)
	one := s.Live(v, session.Measure{Of: session.Commands}, after(90))
	if one.Count != 2 || one.Distinct != 1 || !slices.Equal(one.Subjects, []string{"ls"}) || len(one.Events) != 2 {
		t.Errorf("got %+v; want the group that began first", one)
	}
	all := s.Live(v, session.Measure{Of: session.Commands, Matching: regexp.MustCompile("s3cret")}, after(90))
	if all.Count != 12 || all.Distinct != 12 || len(all.Subjects) != 10 || len(all.Events) != 5 {
		t.Errorf("got %+v; want at most ten subjects and five events", all)
	}
	if got, want := all.Events[4].Text, "TOKEN=*** go test ./11"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Contains(fmt.Sprint(all), "s3cret") {
		t.Errorf("got a secret in %+v", all)
	}
}

func TestPathsOfTheProject(t *testing.T) {
	tests := map[string]struct{ root, path, want string }{
		"in the session's directory": {"", "/p/src/a.go", "src/a.go"},
		"in another root":            {"/p/src/", "/p/src/a.go", "a.go"},
		"next to the root":           {"/p", "/p2/a.go", "/p2/a.go"},
		"at the root of all":         {"/", "/a.go", "a.go"},
		"on another system":          {`C:\p`, `C:\p\src\a.go`, "src/a.go"},
		"relative":                   {"/p", "src/a.go", "src/a.go"},
	}
	for name, test := range tests {
		s, v := whole([]session.ToolCall{editOf(1, test.path, "x")}, nil)
		got := s.Audit(v, session.Measure{Of: session.Edits, Root: test.root, Matching: regexp.MustCompile("")})
		if got.Count != 2 || got.Subjects[0] != test.want || got.Events[0].Tool != "Edit" {
			t.Errorf("%s: got %+v, want %q", name, got.Metrics, test.want)
		}
	}
	s, v := whole([]session.ToolCall{editOf(1, "/p/a.go")}, nil)
	s.Cwd = ""
	if got := s.Audit(v, session.Measure{Of: session.Edits}); got.Subjects[0] != "/p/a.go" {
		t.Errorf("without a root: got %q", got.Subjects)
	}
}

// BenchmarkAudit counts in the archive of a project: 800 sessions checked by four measures.
func BenchmarkAudit(b *testing.B) {
	n := int64(500)
	var sessions []*session.Session
	for i := range 800 {
		var calls []session.ToolCall
		var tokens []session.Tokens
		for j := range 150 {
			calls = append(calls, ran(j, fmt.Sprintf("cd /home/dev/project && go test ./internal/part%d/... 2>&1 | tail -%d", j%7, i)))
			tokens = append(tokens, used(j, &n, &n))
			if j%3 == 0 {
				calls = append(calls, editOf(j, fmt.Sprintf("/p/internal/part%d/file%d.go", j%7, j%11)))
			}
		}
		s, _ := whole(calls, tokens)
		sessions = append(sessions, s)
	}
	measures := []session.Measure{
		{Of: session.Commands, Within: 2 * time.Minute},
		{Of: session.Edits, Within: 3 * time.Minute, Matching: regexp.MustCompile(`^internal/.*\.go$`)},
		{Of: session.Seconds},
		{Of: session.TokenSum},
	}
	for b.Loop() {
		for _, s := range sessions {
			for _, v := range s.Visits() {
				for _, m := range measures {
					s.Audit(v, m)
				}
			}
		}
	}
}

// TestFailureRate follows the share of failed commands: it counts from the least number of commands on,
// calls of one instant together, and a command without an outcome makes it unknown.
func TestFailureRate(t *testing.T) {
	call := func(seconds int, status fact.Status) session.ToolCall {
		c := ran(seconds, "make")
		c.Status = status
		return c
	}
	for name, test := range map[string]struct {
		calls        []session.ToolCall
		count, total int64
		known        bool
	}{
		"none":       {nil, 0, 0, true},
		"too few":    {[]session.ToolCall{call(1, fact.Error), call(2, fact.Error)}, 0, 0, true},
		"highest":    {[]session.ToolCall{call(1, fact.Error), call(2, fact.OK), call(3, fact.Error), call(4, fact.OK), call(5, fact.OK)}, 666667, 3, true},
		"one moment": {[]session.ToolCall{call(1, fact.Error), call(2, fact.OK), call(3, fact.Error), call(3, fact.OK)}, 500000, 4, true},
		"rejected":   {[]session.ToolCall{call(1, fact.Error), call(2, fact.Rejected), call(3, fact.OK), call(4, fact.OK)}, 333334, 3, true},
		"unknown":    {[]session.ToolCall{call(1, fact.Error), call(2, fact.Unknown), call(3, fact.OK)}, 333334, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, v := whole(test.calls, nil)
			got := s.Audit(v, session.Measure{Of: session.Rate, Least: 3})
			if got.Count != test.count || got.Total != test.total && test.count > 0 || (got.Incomplete == "") != test.known {
				t.Errorf("%+v", got.Metrics)
			}
			if at, ok := got.Reached(1); ok != (test.count > 0) || ok && at.IsZero() {
				t.Errorf("reached at %s, %t", at, ok)
			}
		})
	}
}
