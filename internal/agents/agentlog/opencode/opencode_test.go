package opencode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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

// TestKilo reads a database of Kilo, which has the tables of OpenCode.
func TestKilo(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "opencode", "03_kilo", "kilo.db"))
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := opencode.Reader.Sessions(&record.File{Log: record.New("kilo.db", nil), Database: &record.Database{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}})
	if err != nil {
		t.Fatal(err)
	}
	var background []fact.Kind
	for _, s := range sessions {
		l := record.New("kilo.db", nil)
		s.Read(l)
		for _, c := range l.Calls {
			if c.Name == "background_process" {
				background = append(background, c.Kind)
			}
		}
		if l.Agent != "kilo" || l.HasLoss() {
			t.Errorf("got a session of %s with %v", l.Agent, l.Diagnostics)
		}
	}
	if want := []fact.Kind{fact.Command, fact.Other}; !slices.Equal(background, want) {
		t.Errorf("got processes in the background of kinds %v; want %v", background, want)
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
