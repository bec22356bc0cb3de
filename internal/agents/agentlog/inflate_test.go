package agentlog_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
)

// compressors are those of logs, by the suffixes of their files.
var compressors = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w)
		if err != nil {
			panic(err)
		}
		return z
	},
}

// TestCompressedLogs reads a log that each program has compressed as the log itself.
func TestCompressedLogs(t *testing.T) {
	text, err := os.ReadFile("testdata/claude/01_streaming_dups/projects/-home-dev-acme-api/7c1b0f3e-52b4-4f0e-9d55-2f1a6f0c9a11.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string, content []byte) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: dir}}, agentlog.Options{})
		if err != nil || len(sessions) != 1 || len(sessions[0].Calls) == 0 {
			t.Fatalf("%s: %d sessions, %v", name, len(sessions), err)
		}
		return fmt.Sprint(sessions[0].ID, sessions[0].Calls[0].Command, len(sessions[0].Calls))
	}
	want := load("basic.jsonl", text)
	for suffix, compressed := range compressors {
		var packed bytes.Buffer
		w := compressed(&packed)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := load("basic.jsonl"+suffix, packed.Bytes()); got != want {
			t.Errorf("%s: %s; want %s", suffix, got, want)
		}
	}
}

// TestInflateIsBounded reads logs that grow a thousandfold.
func TestInflateIsBounded(t *testing.T) {
	const size = 17 // MiB, one more than may be read
	for name, line := range map[string]string{
		"lines":       `{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"x"}}` + "\n",
		"empty lines": strings.Repeat("\n", 100),
		"one line":    strings.Repeat("x", 100),
		"spaces":      strings.Repeat(" ", 100),
	} {
		if testing.Short() && strings.TrimSpace(line) == "" {
			continue // millions of empty lines take long
		}
		for suffix, compressed := range compressors {
			t.Run(name+suffix, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "bomb.jsonl"+suffix)
				var packed bytes.Buffer
				w := compressed(&packed)
				chunk := []byte(strings.Repeat(line, 1<<20/len(line)))
				for range size {
					if _, err := w.Write(chunk); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				list, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: file}}, agentlog.Options{})
				if err != nil {
					t.Fatal(err)
				}
				diagnostics := summary.Diagnostics
				for _, s := range list {
					diagnostics = append(diagnostics, s.Diagnostics...)
				}
				for _, d := range diagnostics {
					if strings.Contains(d.Message, "compressed to less than 1/200") && d.Loss {
						t.Logf("%d bytes read of %d MiB", summary.Bytes, size)
						return
					}
				}
				t.Errorf("diagnostics %+v; want that it is compressed too much", diagnostics)
			})
		}
	}
}
