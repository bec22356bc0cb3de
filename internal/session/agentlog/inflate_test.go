package agentlog_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// TestInflateIsBounded reads logs that grow a thousandfold.
func TestInflateIsBounded(t *testing.T) {
	for name, line := range map[string]string{
		"lines":       `{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"x"}}` + "\n",
		"empty lines": strings.Repeat("\n", 100),
		"one line":    strings.Repeat("x", 100),
		"spaces":      strings.Repeat(" ", 100),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bomb.jsonl.gz")
			var packed bytes.Buffer
			w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			chunk := []byte(strings.Repeat(line, 1<<20/len(line)))
			for range 32 {
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
			_, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: file}}, agentlog.Options{})
			if err != nil {
				t.Fatal(err)
			}
			list, _, _ := agentlog.Load(t.Context(), []agentlog.Input{{Path: file}}, agentlog.Options{})
			diagnostics := summary.Diagnostics
			for _, s := range list {
				diagnostics = append(diagnostics, s.Diagnostics...)
			}
			for _, d := range diagnostics {
				if strings.Contains(d.Message, "compressed to less than 1/200") && d.Loss {
					t.Logf("%d bytes read of %d MiB", summary.Bytes, 32)
					return
				}
			}
			t.Errorf("diagnostics %+v; want that it is compressed too much", diagnostics)
		})
	}
}
