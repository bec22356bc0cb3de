package events_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/events"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

const head = `{"type":"session","session":"s","schema":"rulecheck.events/v1"}`

// read reads rows as one file and returns its only session.
func read(t *testing.T, rows ...string) *record.Log {
	t.Helper()
	if !events.Reader.Claims(record.ReadFirst([]byte(head))) {
		t.Fatal("the row of a session is not claimed")
	}
	f := &record.File{Log: record.New("a.ndjson", nil), Rows: func(yield func(int, []byte) bool) {
		for i, row := range rows {
			if !yield(i+1, []byte(row)) || !yield(i+1, []byte(row[:len(row)-1])) {
				return
			}
		}
	}}
	sessions, err := events.Reader.Sessions(f)
	if err != nil || len(sessions) != 1 || len(f.Log.Diagnostics) != 1 || f.Log.Diagnostics[0].Count != len(rows) {
		t.Fatalf("got %d sessions, %v; want 1 and %d torn rows: %v", len(sessions), err, len(rows), f.Log.Diagnostics)
	}
	sessions[0].Log.Finish()
	return sessions[0].Log
}

// TestNotUnderstood reads rows that the format does not define. Each is reported, and what may
// hide an event is a loss.
func TestNotUnderstood(t *testing.T) {
	for name, test := range map[string]struct {
		rows []string
		want string // in a diagnostic
		loss bool
	}{
		"all":                    {[]string{head, `{"type":"call","session":"s","name":"sh","kind":"command","command":"ls","status":"ok","at":"2026-05-01T10:00:00+02:00","x_mine":1}`}, "", false},
		"another version":        {[]string{strings.Replace(head, "v1", "v2", 1)}, `"rulecheck.events/v2" is not known`, true},
		"an unknown type":        {[]string{head, `{"type":"patch","session":"s","at":"2026-05-01T10:00:00Z"}`}, `rows of type "patch"`, true},
		"an unknown member":      {[]string{head, `{"type":"prompt","session":"s","at":"2026-05-01T10:00:00Z","exitcode":1}`}, `the member "exitcode"`, false},
		"no row of the session":  {[]string{`{"type":"prompt","session":"s","at":"2026-05-01T10:00:00Z"}`}, "without the row of the session", true},
		"no time":                {[]string{head, `{"type":"prompt","session":"s"}`}, "a prompt without a readable time", true},
		"a time of another form": {[]string{head, `{"type":"prompt","session":"s","at":"yesterday"}`}, `the value of "at"`, true},
		"an unknown kind":        {[]string{head, `{"type":"call","session":"s","name":"x","kind":"shell","status":"ok","at":"2026-05-01T10:00:00Z"}`}, `the kind "shell"`, true},
		"no kind":                {[]string{head, `{"type":"call","session":"s","name":"frobnicate","status":"ok","at":"2026-05-01T10:00:00Z"}`}, `the tool "frobnicate"`, true},
		"no status":              {[]string{head, `{"type":"call","session":"s","name":"x","kind":"read","at":"2026-05-01T10:00:00Z"}`}, `the status ""`, true},
		"no command":             {[]string{head, `{"type":"call","session":"s","name":"x","kind":"command","status":"ok","at":"2026-05-01T10:00:00Z"}`}, "without its command", true},
		"no count":               {[]string{head, `{"type":"tokens","session":"s","input":-1,"at":"2026-05-01T10:00:00Z"}`}, `the value of "input"`, true},
		"a phase without start":  {[]string{head, `{"type":"phase","session":"s","name":"code"}`}, "a phase without a readable start", true},
		"a repeated diagnostic":  {[]string{head, `{"type":"diagnostic","session":"s","code":"damaged","count":3,"message":"torn","loss":true}`}, "torn", true},
	} {
		t.Run(name, func(t *testing.T) {
			l := read(t, test.rows...)
			if test.want == "" {
				if len(l.Diagnostics) > 0 {
					t.Errorf("unexpected %v", l.Diagnostics)
				}
				return
			}
			for _, d := range l.Diagnostics {
				if strings.Contains(d.Message, test.want) {
					if d.Loss != test.loss || d.Line < 0 {
						t.Errorf("got %+v; want loss %t", d, test.loss)
					}
					return
				}
			}
			t.Errorf("got %v; want %q", l.Diagnostics, test.want)
		})
	}
}

// TestNames writes sessions with one id, which get distinct names.
func TestNames(t *testing.T) {
	var text strings.Builder
	w := events.NewWriter(&text)
	for _, agent := range []string{"claude", "codex", "codex"} {
		if err := w.Session(&session.Session{ID: "1", Agent: agent}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`"session":"1"`, `"session":"codex:1"`, `"session":"codex:1#2"`} {
		if strings.Count(text.String(), want) != 1 {
			t.Errorf("%s is not there once:\n%s", want, text.String())
		}
	}
}
