package agentlog_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// fuzz reads anything under a name: it never panics, says the same whatever
// the workers do, points into the file, and takes no JSON for damage.
func fuzz(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, pattern := range seeds {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds for %s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data[:min(len(data), 4000)])
		}
	}
	for _, row := range damagedRows {
		f.Add([]byte(row))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := fstest.MapFS{name: {Data: data}, "copy/" + name: {Data: data}}
		o := agentlog.Options{Jobs: 1, PhaseSignals: []agentlog.PhaseSignal{{Tool: "mcp__workflow__advance", Field: "to"}}}
		sessions, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Jobs = 3
		again, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sessions, again); diff != "" {
			t.Fatal(diff)
		}
		if _, err := json.Marshal(sessions); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		within := func(p session.Place) {
			if p.Line < 0 || p.Line > lines {
				t.Errorf("place %v in %d lines", p, lines)
			}
		}
		said := summary.Diagnostics
		for i := range sessions {
			s := &sessions[i]
			said = append(said, s.Diagnostics...)
			for _, c := range s.Calls {
				within(c.Place)
			}
			for _, tokens := range s.Tokens {
				within(tokens.Place)
			}
			for _, v := range s.Visits() {
				if v.End.Before(v.Start) && v.Phase.Source != "archive" {
					t.Errorf("visit from %s to %s", v.Start, v.End)
				}
			}
		}
		for _, d := range said {
			within(d.Place)
			if rows := bytes.Split(data, []byte("\n")); d.Code == session.Damaged && d.Line > 0 && filepath.Ext(name) == ".jsonl" {
				if row := bytes.TrimSpace(rows[d.Line-1]); json.Valid(row) && row[0] == '{' {
					t.Errorf("JSON taken for damage: %q", row)
				}
			}
		}
	})
}

func FuzzClaude(f *testing.F) { fuzz(f, "log.jsonl", "testdata/claude/*/*/*/*.jsonl") }

func FuzzCodex(f *testing.F) { fuzz(f, "log.jsonl", "testdata/codex/*/sessions/*/*/*/*.jsonl") }

func FuzzHooks(f *testing.F) { fuzz(f, "hooks.jsonl", "testdata/s1/state_dir/hooks.jsonl") }

func FuzzStates(f *testing.F) { fuzz(f, "states.jsonl", "testdata/s1/state_dir/states.jsonl") }

func FuzzState(f *testing.F) {
	f.Add([]byte("{\n\"workflow\":{\"current_node\":\"a\",\"phase_start_time\":\"2026-01-01T00:00:00Z\"},\"session_metadata\":{\"session_id\":\"s\"}}"))
	fuzz(f, "state.json")
}

func FuzzArchive(f *testing.F) {
	f.Add([]byte(`{"workflow_id":"2026-01-01T00:00:00Z","phases":[{"phase_name":"a","start_time":"2026-01-01T00:00:00Z","bash_commands":[{"command":"x","count":2,"timestamps":["2026-01-01T00:00:00Z"]}]}]}`))
	fuzz(f, "a.json")
}
