package qwen_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/qwen"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

const head = `{"uuid":"u","sessionId":"s","timestamp":"2026-05-01T10:00:00Z","provenance":"x","cwd":"/r",`

func read(t *testing.T, rows ...string) *record.Log {
	t.Helper()
	l := record.New("s.jsonl", nil)
	p := qwen.Reader.Open(l)
	for i, row := range rows {
		if !qwen.Reader.Claims(record.ReadFirst([]byte(row))) {
			t.Errorf("%s is not claimed", row)
		}
		if !p([]byte(row), i+1) || p([]byte(row[:len(row)-1]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	return l
}

// TestReader reads a call without an id, a compressed chat, and an answer with thoughts.
func TestReader(t *testing.T) {
	l := read(t,
		head+`"type":"assistant","model":"m","message":{"role":"model","parts":[{"functionCall":{"name":"run_shell_command","args":{"command":"make"}}}]},"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"cachedContentTokenCount":4,"totalTokenCount":15}}`,
		head+`"type":"system","subtype":"chat_compression"}`,
	)
	if l.ID != "s" || l.Cwd != "/r" || len(l.Calls) != 1 || len(l.Compactions) != 1 || l.HasLoss() {
		t.Fatalf("got %+v", l.Session)
	}
	if c := l.Calls[0]; c.ID != "u/0" || c.Command != "make" || c.Status != fact.Running {
		t.Errorf("got %+v", c)
	}
	if u := l.Tokens[0]; *u.Input != 6 || *u.Output != 5 || *u.CacheRead != 4 || *u.CacheWrite != 0 {
		t.Errorf("got %+v", u.TokenCount)
	}
}

// TestNotUnderstood wants a loss for each unknown part, and for the calls of another agent.
func TestNotUnderstood(t *testing.T) {
	for _, row := range []string{
		`"type":"assistant_v2"}`, `"type":"system","subtype":"teleport"}`,
		`"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c"}}]}}`,
		`"type":"assistant","message":{"parts":[]},"usageMetadata":{"promptTokenCount":-1}}`,
		`"type":"assistant","message":{"parts":[{"functionCall":{"id":"c","name":"agent","args":{}}}]},"usageMetadata":{}}`,
	} {
		if l := read(t, head+row); !l.HasLoss() {
			t.Errorf("%s: want a loss", row)
		}
	}
}
