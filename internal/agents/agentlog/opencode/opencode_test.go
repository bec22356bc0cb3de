package opencode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/opencode"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

func TestReader(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "opencode", "01_sqlite", "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	store, err := opencode.Reader.OpenStore(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if store.Len() != 2 {
		t.Fatalf("%d sessions; want 2", store.Len())
	}
	child := record.New("opencode.db", nil)
	rows, size := store.Read(1, child)
	if child.Parent != "ses_4f1c0aab" || rows != 2 || size == 0 || len(child.Calls) != 1 || child.Calls[0].Line == 0 || !child.Calls[0].Sidechain {
		t.Errorf("got %d rows of %d bytes: %+v", rows, size, child.Session)
	}
	if _, err := opencode.Reader.OpenStore(bytes.NewReader(data[:4096]), 4096, nil); err == nil {
		t.Error("a database whose tables are missing is read")
	}
}

// TestOutcomes lists how calls end.
func TestOutcomes(t *testing.T) {
	for _, of := range []struct {
		tool, state string
		want        session.Status
	}{
		{"bash", `"status":"completed","metadata":{"exit":0}`, session.OK},
		{"bash", `"status":"completed","metadata":{"exit":3}`, session.Error},
		{"bash", `"status":"completed","metadata":{"exit":null}`, session.Error},
		{"bash", `"status":"completed"`, session.OK},
		{"bash", `"status":"error","error":"no commits to main"`, session.Rejected}, // by a plugin
		{"bash", `"status":"error","error":"Tool execution aborted"`, session.Unknown},
		{"edit", `"status":"error","error":"oldString not found"`, session.Error},
		{"edit", `"status":"error","error":"The user rejected permission to use this specific tool call."`, session.Rejected},
		{"edit", `"status":"running"`, session.Running},
		{"edit", `"status":"pending"`, session.Running},
		{"edit", `"status":"postponed"`, session.Unknown},
	} {
		got := opencode.OutcomeOf(of.tool, []byte(`{`+of.state+`}`))
		if got != of.want {
			t.Errorf("%s of %s is %s; want %s", of.state, of.tool, got, of.want)
		}
	}
}
