package hooks_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog/hooks"
	"github.com/rulecheck/rulecheck/internal/session/agentlog/record"
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
	if l.ID != "s" || len(l.Calls) != 1 || l.Calls[0].Status != session.OK {
		t.Errorf("got %+v", l.Session)
	}
}
