package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

func answerIn(t *testing.T, log string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(name, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	answer, err := gate.LastAnswer(name)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestTranscripts reads promises in logs, by the acceptance cases.
func TestTranscripts(t *testing.T) {
	content, err := os.ReadFile("testdata/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Transcripts []struct {
			ID    string
			Line  json.RawMessage
			Lines []string
			Names []string
		}
	}
	if err := json.Unmarshal(content, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Transcripts) != 4 {
		t.Errorf("%d cases; want 4", len(suite.Transcripts))
	}
	for _, c := range suite.Transcripts {
		lines := c.Lines
		if c.Line != nil {
			lines = []string{strings.ReplaceAll(string(c.Line), "\n", " ")}
		}
		if names := waiver.Promises(answerIn(t, strings.Join(lines, "\n"))); !slices.Equal(names, c.Names) {
			t.Errorf("%s: promises %q; want %q", c.ID, names, c.Names)
		}
	}
}

func TestLastAnswer(t *testing.T) {
	const claude = `{"type":"user","message":{"role":"user","content":"do it"}}
{"type":"assistant","message":{"role":"assistant","id":"m1","content":[{"type":"text","text":"I begin."}]}}
{"type":"assistant","message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"<promise>result</promise>"}]}}
{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"a subagent"}]}}
{"type":"attachment","content":"x"}
{"type":"assistant","message":{"role":"assistant","id":"m2","content":[{"type":"text","text":"Done."},{"type":"thinking","thinking":"hm"}]}}
`
	for name, test := range map[string]struct{ log, want string }{
		"Claude Code":        {claude, "I begin.\n\nDone."},
		"after a prompt":     {claude + `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"more"}]}}` + "\n", ""},
		"Windows":            {strings.ReplaceAll(claude, "\n", "\r\n"), "I begin.\n\nDone."},
		"Cursor":             {`{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}` + "\n" + `{"role":"assistant","message":{"content":[{"type":"text","text":"yes"}]}}`, "yes"},
		"Copilot":            {`{"type":"user.message","data":{"content":"x"}}` + "\n" + `{"type":"assistant.message","data":{"content":"yes","toolRequests":[]}}` + "\n" + `{"type":"session.shutdown","data":{}}`, "yes"},
		"a text":             {`{"role":"assistant","content":"yes"}`, "yes"},
		"cut off":            {`{"role":"assistant","content":"yes"}` + "\n" + `{"role":"assistant","content":"n`, "yes"},
		"odd values":         {`{"type":1,"role":[],"message":7,"content":{"a":1}}` + "\n" + `{"role":"assistant","message":{"role":null,"content":[1,{"type":2,"text":3},{"type":"text","text":"yes"}]}}` + "\n\x00\x00", "yes"},
		"empty":              {"", ""},
		"long, in many rows": {strings.Repeat(`{"role":"user","content":"`+strings.Repeat("x", 1000)+"\"}\n", 3000) + `{"role":"assistant","content":"yes"}`, "yes"},
		"long, in one row":   {`{"role":"assistant","content":"` + strings.Repeat("x", 2<<20) + "\"}\n" + `{"role":"assistant","content":"yes"}`, "yes"},
	} {
		if got := answerIn(t, test.log); got != test.want {
			t.Errorf("%s: %q; want %q", name, got, test.want)
		}
	}
	if _, err := gate.LastAnswer(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a log that does not exist has an answer")
	}
	if _, err := gate.LastAnswer(os.DevNull); err == nil {
		t.Error("a device has an answer")
	}
}
