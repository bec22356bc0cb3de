package hooks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/hooks"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func TestReader(t *testing.T) {
	rows := []string{
		`{"session_id":"s","hook_event_name":"PreToolUse","timestamp":"2026-01-01T00:00:01Z","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`,
		`{"session_id":"s","hook_event_name":"PostToolUse","timestamp":"2026-01-01T00:00:02Z","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`,
	}
	if !hooks.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("a journal is not claimed")
	}
	l := record.New("hooks.jsonl", nil)
	read := hooks.Reader.Open(l)
	for i, row := range rows {
		if l.Row = []byte(row); !read(l.Row, i+1) || read([]byte(row[:40]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "s" || len(l.Calls) != 1 || l.Calls[0].Status != fact.OK {
		t.Errorf("got %+v", l.Session)
	}
}

// TestDenied reads calls that rulecheck denied: they are rejected, unless the agent executed
// them nevertheless or was not shown the decision.
func TestDenied(t *testing.T) {
	const (
		head  = `{"event_type":"pre_tool_use","session_id":"s","adapter":"claude_code","tool_name":"Bash","tool_input":{"command":"make"},`
		after = `{"event_type":"post_tool_use","session_id":"s","adapter":"claude_code","tool_name":"Bash","tool_input":{"command":"make"},`
	)
	for _, test := range []struct {
		name string
		rows []string
		want []fact.Status
	}{
		{"denied", []string{head + `"tool_use_id":"a","decision":"deny"`}, []fact.Status{fact.Rejected}},
		{"without an id", []string{head + `"decision":"deny"`}, []fact.Status{fact.Rejected}},
		{"only observed", []string{head + `"tool_use_id":"a","decision":"deny","observed":true`}, []fact.Status{fact.Running}},
		{"asked", []string{head + `"tool_use_id":"a","decision":"ask"`}, []fact.Status{fact.Running}},
		{"by the second of two hooks", []string{head + `"tool_use_id":"a"`, head + `"tool_use_id":"a","decision":"deny"`}, []fact.Status{fact.Rejected}},
		{"by the first of two hooks", []string{head + `"tool_use_id":"a","decision":"deny"`, head + `"tool_use_id":"a"`}, []fact.Status{fact.Rejected}},
		{"executed nevertheless", []string{head + `"tool_use_id":"a","decision":"deny"`, after + `"tool_use_id":"a"`}, []fact.Status{fact.OK}},
		{"executed without an id", []string{head + `"decision":"deny"`, after + `"calls":1`}, []fact.Status{fact.OK}},
		{"tried again", []string{head + `"tool_use_id":"a","decision":"deny"`, head + `"tool_use_id":"b"`, after + `"tool_use_id":"b"`}, []fact.Status{fact.Rejected, fact.OK}},
	} {
		l := record.New("hooks.jsonl", nil)
		read := hooks.Reader.Open(l)
		for i, row := range test.rows {
			if !read([]byte(fmt.Sprintf(`%s,"timestamp":"2026-01-01T00:00:0%dZ"}`, row, i)), i+1) {
				t.Errorf("%s: row %d is not read", test.name, i+1)
			}
		}
		l.Finish()
		var got []fact.Status
		for _, c := range l.Calls {
			got = append(got, c.Status)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestDeliveredTwice reads events of Cursor without ids: a repeated delivery is not a second
// command, but an equal command right after is.
func TestDeliveredTwice(t *testing.T) {
	before := `{"received_at":"2026-01-01T00:00:01Z","payload":{"conversation_id":"s","hook_event_name":"beforeShellExecution","command":"make"}}`
	after := `{"received_at":"2026-01-01T00:00:01Z","payload":{"conversation_id":"s","hook_event_name":"afterShellExecution","command":"make","duration":1}}`
	for _, test := range []struct {
		rows []string
		want int
	}{
		{[]string{before, before, after, after}, 1},
		{[]string{before, after, before, after}, 2},
		{[]string{after, after}, 1},
	} {
		l := record.New("stream.ndjson", nil)
		read := hooks.Reader.Open(l)
		for i, row := range test.rows {
			l.Row = []byte(row)
			if !read(l.Row, i+1) {
				t.Fatalf("%s is not read", row)
			}
		}
		if l.Finish(); len(l.Calls) != test.want {
			t.Errorf("%q: got %d calls, want %d", test.rows, len(l.Calls), test.want)
		}
	}
}
