package claude_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/claude"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

func TestReader(t *testing.T) {
	const row = `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":2},` +
		`"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}`
	if !claude.Reader.Claims(record.ReadFirst([]byte(row))) {
		t.Error("a transcript is not claimed")
	}
	l := record.New("s.jsonl", nil)
	read := claude.Reader.Open(l)
	if !read([]byte(row), 1) || read([]byte(row[:40]), 2) {
		t.Error("a whole row is not read, or a torn one is")
	}
	l.Finish()
	if l.ID != "s" || len(l.Calls) != 1 || l.Calls[0].Command != "make" || len(l.Tokens) != 1 || *l.Tokens[0].Output != 2 {
		t.Errorf("got %+v", l.Session)
	}
}
