package copilot_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/copilot"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestReader reads a call that was refused, one of an MCP server and one that began without
// an answer that asks for it, and a run without an end.
func TestReader(t *testing.T) {
	row := func(kind, data string) string {
		return `{"type":"` + kind + `","id":"` + kind + `","parentId":null,"timestamp":"2026-01-01T00:00:00Z","data":` + data + `}`
	}
	rows := []string{
		row("session.start", `{"sessionId":"s","context":{"cwd":"/repo","branch":"main"}}`),
		row("user.message", `{"content":"skill","source":"skill-pdf"}`),
		row("assistant.message", `{"outputTokens":7,"toolRequests":[{"toolCallId":"a","name":"bash","arguments":"{\"command\":\"make\"}"},{"toolCallId":"b","name":"github-search","mcpServerName":"github","arguments":{}}]}`),
		row("tool.execution_complete", `{"toolCallId":"a","success":false,"error":{"message":"no","code":"denied"}}`),
		row("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"},"parentToolCallId":"b"}`),
		row("tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"x\n<exited with exit code 2>"}}`),
	}
	if !copilot.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("events are not claimed")
	}
	l := record.New("s/events.jsonl", nil)
	read := copilot.Reader.Open(l)
	for i, row := range rows {
		if !read([]byte(row), i+1) || read([]byte(row[:40]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "s" || l.Cwd != "/repo" || len(l.Prompts) != 0 || len(l.Calls) != 3 || len(l.Tokens) != 1 || l.Tokens[0].Input != nil || *l.Tokens[0].Output != 7 {
		t.Fatalf("got %+v", l.Session)
	}
	a, b, c := l.Calls[0], l.Calls[1], l.Calls[2]
	if a.Command != "make" || a.Status != fact.Rejected || b.Kind != fact.MCP || b.Status != fact.Running || c.Status != fact.Error || *c.ExitCode != 2 || !c.Sidechain {
		t.Errorf("got %+v", l.Calls)
	}
}
