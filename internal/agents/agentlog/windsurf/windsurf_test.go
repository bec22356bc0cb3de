package windsurf_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/windsurf"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func TestReader(t *testing.T) {
	rows := []string{
		`{"status":"done","type":"user_input","user_input":{"user_response":"fix it"}}`,
		`{"status":"done","type":"planner_response","planner_response":{"response":"ok"}}`,
		`{"status":"error","type":"run_command","run_command":{"command_line":"make","cwd":"/repo"}}`,
		`{"status":"done","type":"code_action","code_action":{"path":"a.go","new_content":"x"}}`,
		`{"status":"done","type":"view_file","view_file":{"path":"/repo/b.go"}}`,
	}
	if !windsurf.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("a transcript is not claimed")
	}
	l := record.New("transcripts/t1.jsonl", nil)
	read := windsurf.Reader.Open(l)
	for i, row := range rows {
		l.Row = []byte(row)
		if !read(l.Row, i+1) || read([]byte(row[:40]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "t1" || l.Cwd != "/repo" || len(l.Prompts) != 1 || len(l.Calls) != 3 || !l.HasLoss() {
		t.Fatalf("got %+v", l.Session)
	}
	if c := l.Calls[0]; c.Kind != fact.Command || c.Command != "make" || c.Status != fact.Error {
		t.Errorf("the command is %+v", c)
	}
	if c := l.Calls[1]; c.Kind != fact.FileEdit || c.Paths[0] != "/repo/a.go" || c.Status != fact.OK {
		t.Errorf("the edit is %+v", c)
	}
	for _, row := range []string{`{"type":"frobnicate","status":"done"}`, `{"type":"run_command","status":"done","run_command":{}}`} {
		l := record.New("t.jsonl", nil)
		l.Row = []byte(row)
		if windsurf.Reader.Open(l)(l.Row, 1); !l.HasLoss() {
			t.Errorf("%s: want a loss", row)
		}
	}
}
