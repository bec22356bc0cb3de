package cursor_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/cursor"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

func TestReader(t *testing.T) {
	rows := []string{
		`{"role":"user","message":{"content":[{"type":"text","text":"<user_query>fix it</user_query>"}]}}`,
		`{"role":"assistant","message":{"content":[{"type":"text","text":"ok"},{"type":"tool_use","name":"Shell","input":{"command":"make"}}]}}`,
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"command":"make"}},{"type":"tool_use","name":"Write","input":{"path":"/repo/a.go"}}]}}`,
	}
	if !cursor.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("a transcript is not claimed")
	}
	l := record.New("agent-transcripts/c.jsonl", nil)
	read := cursor.Reader.Open(l)
	for i, row := range rows {
		l.Row = []byte(row)
		if !read(l.Row, i+1) || read([]byte(row[:40]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "c" || len(l.Prompts) != 1 || len(l.Calls) != 3 || l.Calls[0].Command != "make" || l.Calls[2].Paths[0] != "/repo/a.go" || !l.HasLoss() {
		t.Errorf("got %+v", l.Session)
	}
	if got, want := cursor.Places(record.Machine{Getenv: func(string) string { return "/home/u" }}, "/w/my.shop")[0].Path, "/home/u/.cursor/projects/w-my-shop/agent-transcripts"; got != want {
		t.Errorf("the folder is %s; want %s", got, want)
	}
}
