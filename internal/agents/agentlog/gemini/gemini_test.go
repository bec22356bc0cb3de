package gemini_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/gemini"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestReader reads a subagent's chat whose answer grows, with a call that a hook blocked and
// one without an id, and rows that are not understood.
func TestReader(t *testing.T) {
	const answer = `{"id":"m1","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"","model":"gemini-3-pro","tokens":`
	rows := []string{
		`{"sessionId":"agent","projectHash":"00","startTime":"2026-01-01T00:00:00Z","kind":"subagent"}`,
		answer + `null}`,
		answer + `{"input":10,"output":2,"cached":4,"thoughts":3,"tool":1,"total":16},"toolCalls":[` +
			`{"id":"a","name":"run_shell_command","args":{"command":"make"},"status":"error","result":[{"functionResponse":{"response":{"error":"Tool execution blocked: no"}}}]},` +
			`{"name":"search","displayName":"search (jira MCP Server)","args":{},"status":"resting"}]}`,
		`{"id":"m2","timestamp":"2026-01-01T00:00:02Z","type":"user","content":"text of the parent"}`,
		`{"level":"info"}`,
	}
	if !gemini.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("chats are not claimed")
	}
	l := record.New("chats/parent/agent.jsonl", nil)
	read := gemini.Reader.Open(l)
	for i, row := range rows {
		if !read([]byte(row), i+1) || read([]byte(row[:len(row)-1]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "parent" || len(l.Prompts) != 0 || len(l.Calls) != 2 || len(l.Tokens) != 1 {
		t.Fatalf("got %+v", l.Session)
	}
	if used := l.Tokens[0]; *used.Input != 7 || *used.Output != 5 || *used.CacheRead != 4 || !used.Sidechain {
		t.Errorf("got %+v", used)
	}
	if a, b := l.Calls[0], l.Calls[1]; a.Status != fact.Rejected || !a.Sidechain || b.ID != "m1/1" || b.Kind != fact.MCP {
		t.Errorf("got %+v", l.Calls)
	}
	if len(l.Diagnostics) != 3 || !l.Diagnostics[0].Loss || !l.Diagnostics[1].Loss {
		t.Errorf("got %+v", l.Diagnostics)
	}
}

// TestWithoutHeader reads a chat whose first row is lost: what came before is unknown.
func TestWithoutHeader(t *testing.T) {
	l := record.New("chats/session-1.jsonl", nil)
	read := gemini.Reader.Open(l)
	if !read([]byte(`{"id":"m","timestamp":"2026-01-01T00:00:01Z","type":"user","content":"go"}`), 1) {
		t.Error("the row is not read")
	}
	l.Finish()
	if len(l.Prompts) != 1 || len(l.Diagnostics) != 1 || !l.Diagnostics[0].Loss {
		t.Errorf("got %+v", l.Session)
	}
}
