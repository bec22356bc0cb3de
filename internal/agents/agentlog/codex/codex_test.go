package codex_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/codex"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

func TestReader(t *testing.T) {
	rows := []string{
		`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/repo"}}`,
		`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c","arguments":"{\"cmd\":\"make\"}"}}`,
		`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"Process exited with code 2"}}`,
	}
	if !codex.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("a rollout is not claimed")
	}
	l := record.New("rollout.jsonl", nil)
	read := codex.Reader.Open(l)
	for i, row := range rows {
		if !read([]byte(row), i+1) || read([]byte(row[:40]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "s" || len(l.Calls) != 1 || l.Calls[0].Command != "make" || *l.Calls[0].ExitCode != 2 {
		t.Errorf("got %+v", l.Session)
	}
}

// TestHookPrompt checks that the reason of a hook that refused a stop is no prompt.
func TestHookPrompt(t *testing.T) {
	l := record.New("rollout.jsonl", nil)
	read := codex.Reader.Open(l)
	for i, text := range []string{"add a test", `<hook_prompt hook_run_id=\"stop:1\">run the tests</hook_prompt>`} {
		l.Row = []byte(`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}`)
		if !read(l.Row, i+1) {
			t.Errorf("row %d is not read", i+1)
		}
	}
	l.Finish()
	if len(l.Prompts) != 1 || l.Prompts[0].Line != 1 {
		t.Errorf("got %+v", l.Prompts)
	}
}
