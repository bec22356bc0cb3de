package phase

import (
	"io"
	"io/fs"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// TailOf returns what is read of a log for a visit that began at an instant.
func TailOf(tb testing.TB, files fs.FS, name string, start time.Time) string {
	tb.Helper()
	r := tailOf(agentlog.Input{FS: files, Path: name}, files, name, start).Reader
	if r == nil {
		f, err := files.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		r = f
	}
	text, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
