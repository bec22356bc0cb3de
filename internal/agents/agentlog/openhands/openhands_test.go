package openhands_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/openhands"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

const (
	head   = `{"id":"e","timestamp":"2026-06-16T05:39:18.5","source":"agent","kind":`
	action = head + `"ActionEvent","tool_name":"terminal","tool_call_id":"c","action":`
)

func TestReader(t *testing.T) {
	rows := []string{
		action + `{"command":"make","kind":"TerminalAction"}}`,
		head + `"ObservationEvent","tool_call_id":"c","observation":{"kind":"TerminalObservation","metadata":{"exit_code":2}}}`,
		action + `null,"tool_call_id":"d","tool_call":{"arguments":"{\"command\":\"ls\"}"}}`,
		head + `"AgentErrorEvent","tool_call_id":"d","error":"no"}`,
		head + `"Condensation"}`, head + `"InterruptEvent"}`, head + `"PauseEvent"}`,
	}
	l := record.New("c1/events.jsonl", nil)
	read := openhands.Reader.Open(l)
	for i, row := range rows {
		if !openhands.Reader.Claims(record.ReadFirst([]byte(row))) {
			t.Errorf("%s is not claimed", row)
		}
		if l.Row = []byte(row); !read(l.Row, i+1) || read(l.Row[:len(row)-1], i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	if l.ID != "c1" || len(l.Calls) != 2 || len(l.Compactions) != 1 || len(l.Interrupts) != 1 || l.HasLoss() {
		t.Fatalf("got %+v", l.Session)
	}
	if a, b := l.Calls[0], l.Calls[1]; a.Command != "make" || a.Status != fact.Error || *a.ExitCode != 2 || b.Command != "ls" || b.Status != fact.Error {
		t.Errorf("got %+v", l.Calls)
	}
}

// TestFiles reads a conversation with one event missing, and another damaged.
func TestFiles(t *testing.T) {
	const dir = "conversations/c1/"
	files := map[string]string{
		dir + "base_state.json":                             `{"workspace":{"working_dir":"/r"},"stats":{"usage_to_metrics":{"agent":{"accumulated_token_usage":{"prompt_tokens":9,"completion_tokens":2,"cache_read_tokens":4,"cache_write_tokens":1}}}}}`,
		dir + "events/event-00000-00000000-aa.json":         action + `{"command":"make","kind":"TerminalAction"}}`,
		dir + "events/event-00002-00000000-aa.json":         `{"id"`,
		"conversations/c2/events/event-00000-00000000.json": head + `"PauseEvent"}`,
	}
	f := &record.File{Log: record.New(dir, nil), ReadFile: func(name string) ([]byte, error) { return []byte(files[name]), nil }}
	for name := range files {
		if !openhands.Files.Claims(record.First{Path: name}) {
			t.Errorf("%s is not claimed", name)
		}
		f.Names = append(f.Names, name)
	}
	sessions, err := openhands.Files.Sessions(f)
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%v: got %d sessions", err, len(sessions))
	}
	l := record.New(dir, nil)
	if rows, _ := sessions[0].Read(l); rows != 3 || l.ID != "c1" || l.Cwd != "/r" || len(l.Calls) != 1 || len(l.Diagnostics) != 2 || !l.HasLoss() {
		t.Errorf("got %d rows, %+v", rows, l.Session)
	}
	if len(l.Tokens) != 1 || *l.Tokens[0].Input != 4 {
		t.Errorf("got %+v", l.Tokens)
	}
	if openhands.Files.Claims(record.First{Path: "a/events/event-1-x.json"}) {
		t.Error("another file is claimed")
	}
}
