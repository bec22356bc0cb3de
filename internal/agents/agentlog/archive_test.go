package agentlog_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var (
	archiveDir      = flag.String("archive", "", "the folder of the generated archive; kept")
	archiveSessions = flag.Int("sessions", 30, "how many sessions the generated archive has")
	archiveTurns    = flag.Int("turns", 40, "how many API calls a session has")
	archiveOutput   = flag.Int("output", 2000, "the most bytes of a tool's output")
)

// TestGenerated reads a generated archive, whose contents the generator counted.
func TestGenerated(t *testing.T) {
	dir := *archiveDir
	if dir == "" {
		dir = t.TempDir()
	}
	want := generate(t, dir, *archiveSessions, *archiveTurns, *archiveOutput)
	sessions, log := load(t, agentlog.Options{}, dir)
	got := truth{Rows: log.Rows, Sessions: len(sessions)}
	for _, s := range sessions {
		spent := sum(t, s.Tokens)
		got.Sums.Input += spent.Input
		got.Sums.Output += spent.Output
		got.Sums.CacheRead += spent.CacheRead
		got.Sums.CacheWrite += spent.CacheWrite
		got.Sums.Calls += spent.Calls
		got.Prompts += len(s.Prompts)
		for _, c := range s.Calls {
			switch c.Kind {
			case fact.Command:
				got.Commands++
				if c.Status == fact.Error && c.ExitCode != nil && *c.ExitCode == 1 {
					got.Failed++
				}
			case fact.FileEdit:
				got.Edits++
			default:
			}
		}
		for _, d := range s.Diagnostics {
			if d.Code != fact.Damaged {
				t.Errorf("unexpected %+v", d)
			}
			got.Damaged += d.Count
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	t.Logf("%d files, %d rows, %d MB", log.Files, log.Rows, log.Bytes>>20)
}

// BenchmarkLoad reads the archive named by -archive, or a generated one.
func BenchmarkLoad(b *testing.B) {
	dir := *archiveDir
	if dir == "" {
		dir = b.TempDir()
		generate(b, dir, *archiveSessions, *archiveTurns, *archiveOutput)
	}
	for b.Loop() {
		log, err := agentlog.Each(b.Context(), []agentlog.Input{{Path: dir}}, agentlog.Options{}, func(session.Session) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(log.Bytes)
	}
}
