package agentlog_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// FuzzReaders reads anything, seeded by the samples of every reader, as a log of rows and
// as one document. Reading never panics, gives the same result whatever the number of
// workers, names places within the file, and never reports JSON as damaged.
func FuzzReaders(f *testing.F) {
	for _, reader := range append(agentlog.Readers(), "s1") {
		seeds := 0
		err := filepath.WalkDir(filepath.Join("testdata", reader), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || entry.Name() == "expected.json" || filepath.Ext(name) == ".gz" {
				return err // the places in a packed file are not those of its lines
			}
			data, err := os.ReadFile(name)
			f.Add(filepath.Ext(name) == ".json", data[:min(len(data), 4000)])
			seeds++
			return err
		})
		if err != nil || seeds == 0 {
			f.Fatalf("no seeds for reader %s: %v", reader, err)
		}
	}
	for _, row := range damagedRows {
		f.Add(false, []byte(row))
	}
	f.Fuzz(func(t *testing.T, document bool, data []byte) {
		name := "log.jsonl"
		if document {
			name = "log.json"
		}
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
		within := func(p fact.Place) {
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
			if rows := bytes.Split(data, []byte("\n")); d.Code == fact.Damaged && d.Line > 0 && filepath.Ext(name) == ".jsonl" {
				if row := bytes.TrimSpace(rows[d.Line-1]); json.Valid(row) && row[0] == '{' {
					t.Errorf("JSON taken for damage: %q", row)
				}
			}
		}
	})
}
