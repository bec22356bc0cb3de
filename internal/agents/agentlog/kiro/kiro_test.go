package kiro_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/kiro"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func read(t *testing.T, text string) *record.Log {
	t.Helper()
	l := record.New("chat.json", nil)
	if _, err := kiro.Reader.Sessions(&record.File{Log: l, Document: true, Rows: func(yield func(int, []byte) bool) { yield(1, []byte(text)) }}); err != nil {
		t.Fatal(err)
	}
	l.Finish()
	return l
}

// conversation returns a conversation with a call and its result.
func conversation(use, result string) string {
	return `{"conversation_id":"c","next_message":null,"history":[[{"content":{"Prompt":{"prompt":"go"}}},{"ToolUse":{"message_id":"m","tool_uses":[` + use + `]}}],
		[{"content":{"ToolUseResults":{"tool_use_results":[` + result + `]}}},{"Response":{}}]]}`
}

const (
	use    = `{"id":"1","name":"execute_bash","args":{"command":"make"}}`
	result = `{"tool_use_id":"1","status":"Success","content":[{"Json":{"exit_status":"0","stdout":""}}]}`
)

// lossIn reports whether events may be missing, apart from their times.
func lossIn(l *record.Log) bool {
	return slices.ContainsFunc(l.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss && d.Code != fact.NoTime })
}

// TestNotUnderstood wants a loss for each part that is not known, is missing or cannot be read.
func TestNotUnderstood(t *testing.T) {
	l := read(t, conversation(use, result))
	if lossIn(l) || len(l.Calls) != 1 || l.Calls[0].Status != fact.OK || len(l.Prompts) != 1 || l.ID != "c" || !l.UsedTokens {
		t.Fatalf("got %+v, %v", l.Session, l.Diagnostics)
	}
	for _, text := range []string{
		`{"conversation_id":"c"}`, `{"history":{}}`, `{"history":[7]}`, `{"history":[[]]}`, `{"history":[{"user":{}}]}`, `{"history":[],"latest_summary":["x"]}`, "[]", "{",
		`{"history":[],"transcript":["[Tool uses: fs_read]"]}`, `{"history":[[{"content":{"Thought":{}}},{"Response":{}}]]}`, `{"history":[[{"content":{"Prompt":{}}},{"Dream":{}}]]}`,
		conversation(use, `{"tool_use_id":"2","status":"Success","content":[]}`), conversation(use, `{"tool_use_id":"1","status":"Perhaps","content":[]}`), conversation(use, `{"tool_use_id":7}`),
		conversation(`{"id":"1","name":"teleport","args":{}}`, result), conversation(`{"id":"1","name":"execute_bash","args":{}}`, result), conversation("7", result),
	} {
		if !lossIn(read(t, text)) {
			t.Errorf("%s: want a loss", text)
		}
	}
}

// FuzzConversation reads anything as a conversation; what it finds can be written as JSON.
func FuzzConversation(f *testing.F) {
	f.Add(conversation(use, result))
	f.Add(`{"history":[{"user":{"timestamp":"2026-01-01T00:00:00Z","content":{"CancelledToolUses":{"prompt":"x","tool_use_results":[]}}},"assistant":{"Response":{}},"request_metadata":{"stream_end_timestamp_ms":1}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := json.Marshal(read(t, text).Session); err != nil {
			t.Fatal(err)
		}
	})
}
