package cline_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/cline"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

const (
	dir   = "sessions/1795915063124_8sws5/"
	about = dir + "1795915063124_8sws5.json"
	root  = dir + "1795915063124_8sws5.messages.json"
	child = dir + "agent_1_x.messages.json"
)

// read reads the files of sessions.
func read(t *testing.T, texts map[string]string) (logs []*record.Log) {
	t.Helper()
	for name := range texts {
		if !cline.Reader.Claims(record.First{Path: name}) {
			t.Errorf("%s is not claimed", name)
		}
	}
	sessions, err := cline.Reader.Sessions(&record.File{Log: record.New("x", nil), Names: slices.Sorted(maps.Keys(texts)), ReadFile: func(name string) ([]byte, error) {
		if texts[name] == "" {
			return nil, errors.New("no permission")
		}
		return []byte(texts[name]), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		l := record.New("x", nil)
		s.Read(l)
		l.Finish()
		logs = append(logs, l)
	}
	return logs
}

func messages(list string) string {
	return `{"version":1,"sessionId":"s","messages":[` + list + `]}`
}

// TestReader reads a session and an agent that it started, and leaves out what a compaction repeats.
func TestReader(t *testing.T) {
	list := `{"id":"a","role":"assistant","ts":1795915063124,"content":[{"type":"tool_use","id":"c","name":"editor","input":{"path":"a.go"}}]}`
	logs := read(t, map[string]string{
		about: `{"cwd":"/r","metadata":{"git":{"branch":"main"}}}`, root: messages(list), child: `{"version":1,"sessionId":"s__x","messages":[]}`,
		dir + "1795915063124_8sws5.compaction.json": messages(list),
	})
	if len(logs) != 2 || logs[0].ID != "s" || logs[0].HasLoss() || len(logs[0].Calls) != 1 || logs[0].GitBranch != "main" {
		t.Fatalf("got %d logs, %+v", len(logs), logs[0].Session)
	}
	if c := logs[0].Calls[0]; c.Paths[0] != "/r/a.go" || c.Status != fact.Running {
		t.Errorf("got %+v", c)
	}
	if u := logs[0].Tokens; len(u) != 1 || u[0].Input != nil || u[0].Output != nil {
		t.Errorf("an answer without its tokens: %+v", u)
	}
	if logs[1].Parent != "1795915063124_8sws5" || logs[1].Cwd != "/r" || logs[1].ID != "s__x" {
		t.Errorf("got %+v", logs[1].Session)
	}
}

// TestNotUnderstood wants a loss for each part that is not known, is missing or cannot be read.
func TestNotUnderstood(t *testing.T) {
	whole := map[string]string{about: `{"cwd":"/r"}`, root: messages("")}
	if l := read(t, whole)[0]; l.HasLoss() {
		t.Fatalf("got %v", l.Diagnostics)
	}
	use := `{"id":"a","role":"assistant","ts":1,"content":[{"type":"tool_use","id":"c","name":"run_commands","input":{"commands":["a","b"]}}]},`
	for _, text := range []string{
		`{"version":2,"messages":[]}`, `{"version":1}`, `{"version":1,"messages":{}}`, "", "[]",
		messages(`{"role":"critic","content":[]}`), messages(`{"role":"user","ts":1,"content":[{"type":"tool_use_v2"}]}`),
		messages(`{"role":"user","ts":1,"content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}`),
		messages(`{"role":"assistant","ts":1,"content":[],"metadata":{"modelToolActivities":[{"toolName":"Bash"}]}}`),
		messages(use + `{"role":"user","ts":1,"content":[{"type":"tool_result","tool_use_id":"c","content":[{"success":true},{}]}]}`),
		messages(use + `{"role":"user","ts":1,"content":[{"type":"tool_result","tool_use_id":"c","content":[{},{}]}]}`),
		messages(`{"id":"a","role":"assistant","ts":1,"content":[{"type":"tool_use","id":"c","name":"run_commands","input":{"commands":[]}}]}`),
	} {
		if l := read(t, map[string]string{about: whole[about], root: text})[0]; !l.HasLoss() {
			t.Errorf("%q: want a loss", text)
		}
	}
	for _, name := range []string{about, root, dir + "1795915063124_8sws5.compaction.json"} {
		if l := read(t, map[string]string{name: messages("")})[0]; !l.HasLoss() {
			t.Errorf("only %s: want a loss", name)
		}
	}
	for _, name := range []string{"a/a.json", "a/1795915063124_8sws5.json", "1795915063124_8sws5.messages.json.txt", "a/b.compaction.json"} {
		if cline.Reader.Claims(record.First{Path: name}) {
			t.Errorf("%s is claimed", name)
		}
	}
}

// FuzzFiles reads anything as the files of a session; what it finds can be written as JSON.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(`{"cwd":"/r","metadata":{"git":{"branch":"main"}}}`), []byte(messages(`{"role":"assistant","ts":1,"content":[{"type":"tool_use","id":"c","name":"run_commands","input":["a",{"command":"b","args":["c"]}]}]},
		{"role":"user","ts":2,"content":[{"type":"tool_result","tool_use_id":"c","content":"[{\"success\":true}]"}]}`)))
	f.Fuzz(func(t *testing.T, manifest, document []byte) {
		texts := map[string][]byte{about: manifest, root: document, child: document}
		sessions, err := cline.Reader.Sessions(&record.File{Log: record.New("x", nil), Names: slices.Sorted(maps.Keys(texts)), ReadFile: func(name string) ([]byte, error) { return texts[name], nil }})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			l := record.New("x", nil)
			s.Read(l)
			l.Finish()
			if _, err := json.Marshal(l.Session); err != nil {
				t.Fatal(err)
			}
		}
	})
}
