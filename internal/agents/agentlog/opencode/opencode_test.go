package opencode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func TestReader(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "opencode", "01_sqlite", "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	file := func(data []byte) *record.File {
		return &record.File{Log: record.New("opencode.db", nil), Database: &record.Database{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}}
	}
	sessions, err := opencode.Reader.Sessions(file(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) != 2 {
		t.Fatalf("%d sessions; want 2", len(sessions))
	}
	child := record.New("opencode.db", nil)
	rows, size := sessions[1].Read(child)
	if child.Parent != "ses_4f1c0aab" || rows != 2 || size == 0 || len(child.Calls) != 1 || child.Calls[0].Line == 0 || !child.Calls[0].Sidechain {
		t.Errorf("got %d rows of %d bytes: %+v", rows, size, child.Session)
	}
	if _, err := opencode.Reader.Sessions(file(data[:4096])); err == nil {
		t.Error("a database whose tables are missing is read")
	}
}

// TestOutcomes lists how calls end.
func TestOutcomes(t *testing.T) {
	for _, of := range []struct {
		tool, state string
		want        fact.Status
	}{
		{"bash", `"status":"completed","metadata":{"exit":0}`, fact.OK},
		{"bash", `"status":"completed","metadata":{"exit":3}`, fact.Error},
		{"bash", `"status":"completed","metadata":{"exit":null}`, fact.Error},
		{"bash", `"status":"completed"`, fact.OK},
		{"bash", `"status":"error","error":"no commits to main"`, fact.Rejected}, // by a plugin
		{"bash", `"status":"error","error":"Tool execution aborted"`, fact.Unknown},
		{"edit", `"status":"error","error":"oldString not found"`, fact.Error},
		{"edit", `"status":"error","error":"The user rejected permission to use this specific tool call."`, fact.Rejected},
		{"edit", `"status":"running"`, fact.Running},
		{"edit", `"status":"pending"`, fact.Running},
		{"edit", `"status":"postponed"`, fact.Unknown},
	} {
		got := opencode.OutcomeOf(of.tool, []byte(`{`+of.state+`}`))
		if got != of.want {
			t.Errorf("%s of %s is %s; want %s", of.state, of.tool, got, of.want)
		}
	}
}
