package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestPastLaw reads what a journal has since any instant.
func TestPastLaw(t *testing.T) {
	top := t.TempDir()
	lawtest.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(top, "past") //nolint:usetesting // for each run of the law
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.MkdirAll(hook.JournalDir(dir), 0o700); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		var times []time.Time
		at := start
		padding := strings.Repeat("x", rapid.IntRange(0, 3000).Draw(t, "padding"))
		for i := range rapid.IntRange(0, 150).Draw(t, "rows") {
			at = at.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "pause")) * time.Second)
			line, err := json.Marshal(hook.Row{Event: "post_tool_use", At: at, Name: padding, ID: strconv.Itoa(i)})
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(line, '\n'))
			times = append(times, at)
		}
		if err := os.WriteFile(filepath.Join(hook.JournalDir(dir), "claude-s.ndjson"), text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		since := start.Add(time.Duration(rapid.IntRange(-10, 3000).Draw(t, "since")) * time.Second)
		p, err := hook.ReadPast(dir, "claude", "s", since)
		if err != nil || p.Cut {
			t.Fatalf("%+v, %v", p.Cut, err)
		}
		wanted := 0
		for _, row := range times {
			if !row.Before(since) {
				wanted++
			}
		}
		got := 0
		for line := range bytes.Lines(p.Rows) {
			var row hook.Row
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if !row.At.Before(since) {
				got++
			}
		}
		if got != wanted || len(times) > 0 && !p.Start.Equal(times[0]) {
			t.Errorf("%d rows, from %v; want %d from %v", got, p.Start, wanted, times)
		}
	})
}

// TestPastIsBounded reads no more of a long session than of a short one.
func TestPastIsBounded(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, "long")
	line, err := json.Marshal(hook.Row{Event: "post_tool_use", At: start, Name: strings.Repeat("x", 400)})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(hook.Row{Event: "session_start", At: start.Add(-time.Hour)}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(hook.JournalDir(dir), "claude-long.ndjson")
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(bytes.Repeat(append(line, '\n'), 50_000)); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := hook.ReadPast(dir, "claude", "long", start.Add(time.Minute))
	if err != nil || p.Cut || len(p.Rows) > 64<<10 || !p.Start.Equal(start.Add(-time.Hour)) {
		t.Errorf("%d bytes, cut %t, from %v, %v; want 64 KiB at most", len(p.Rows), p.Cut, p.Start, err)
	}
	p, err = hook.ReadPast(dir, "claude", "long", start.Add(-time.Hour))
	if err != nil || !p.Cut || len(p.Rows) > 16<<20 {
		t.Errorf("%d bytes, cut %t, %v; want that rows are missing", len(p.Rows), p.Cut, err)
	}
}
