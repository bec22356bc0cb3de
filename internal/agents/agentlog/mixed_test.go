package agentlog_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var mixedDir = flag.String("mixed", "", "the folder of the generated archive of several agents; kept")

// mixedSamples are the samples that an archive of several agents repeats, and how many of
// their first rows are there once. Databases are left out: their sessions are not rows.
var mixedSamples = map[string]struct {
	pattern string
	header  int
}{
	"claude":   {"claude/01_streaming_dups/projects/*/*.jsonl", 0},
	"codex":    {"codex/01_cumulative_reemit_reset/sessions/*/*/*/*.jsonl", 1},
	"copilot":  {"copilot/01_session_state/session-state/*/events.jsonl", 1},
	"cursor":   {"cursor/01_transcript/agent-transcripts/*.jsonl", 0},
	"events":   {"events/01_two_sessions/sessions.ndjson", 0},
	"gemini":   {"gemini/01_jsonl_event_sourced/tmp/web/chats/*.jsonl", 1},
	"hooks":    {"hooks/02_cursor_stream/stream.ndjson", 0},
	"otlp":     {"otlp/01_events/logs.jsonl", 0},
	"windsurf": {"windsurf/01_transcript/transcripts/*.jsonl", 0},
}

// output is a line of what tools print, and mostOutput how many a row may have.
const (
	output     = `func (s *shop) sum(ctx context.Context) error { return nil }\n`
	mostOutput = 80
)

var (
	idMember  = regexp.MustCompile(`"(\w*[iI]d|uuid|\w*Uuid|session|\$rewindTo)": ?"([^"]+)"`)
	idPair    = regexp.MustCompile(`"key":"(\w*[._]?id)","value":\{"stringValue":"([^"]+)"`)
	wholeTime = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d`)
	nanoTime  = regexp.MustCompile(`"(\w*[tT]imeUnixNano)":"(\d{10})`)
)

// repeated returns the sample's rows as those of the nth session, the kth time.
func repeated(row []byte, header bool, n, k int) []byte {
	rename := func(member []byte, in *regexp.Regexp) []byte {
		key := strings.ToLower(string(in.FindSubmatch(member)[1]))
		suffix := fmt.Sprintf("-%d-%d", n, k)
		if header || strings.Contains(key, "session") || strings.Contains(key, "conversation") || strings.Contains(key, "thread") {
			suffix = fmt.Sprintf("-%d", n)
		}
		return fmt.Appendf(nil, `%s%s"`, bytes.TrimSuffix(member, []byte(`"`)), suffix)
	}
	row = idMember.ReplaceAllFunc(row, func(m []byte) []byte { return rename(m, idMember) })
	row = idPair.ReplaceAllFunc(row, func(m []byte) []byte { return rename(m, idPair) })
	if header {
		k = 0
	}
	shift := time.Duration(n)*24*time.Hour + time.Duration(k)*3*time.Minute
	row = wholeTime.ReplaceAllFunc(row, func(m []byte) []byte {
		at, err := time.Parse("2006-01-02T15:04:05", string(m))
		if err != nil {
			return m
		}
		return []byte(at.Add(shift).Format("2006-01-02T15:04:05"))
	})
	return nanoTime.ReplaceAllFunc(row, func(m []byte) []byte {
		parts := nanoTime.FindSubmatch(m)
		var seconds int64
		_, _ = fmt.Sscan(string(parts[2]), &seconds)
		return fmt.Appendf(nil, `"%s":"%d`, parts[1], seconds+int64(shift/time.Second))
	})
}

// TestMixed reads an archive of many agents: the samples of their formats, repeated in long
// sessions with large outputs. Each repetition counts as the sample does.
func TestMixed(t *testing.T) {
	dir, sessions, size := *mixedDir, *archiveSessions, int64(1_300_000)
	if dir == "" {
		dir, sessions, size = t.TempDir(), 9, 100_000
	}
	filler := strings.Repeat(output, mostOutput)
	want, n := map[string]int{}, 0
	for n < sessions {
		for _, name := range slices.Sorted(maps.Keys(mixedSamples)) {
			if n++; n > sessions {
				break
			}
			of := mixedSamples[name]
			files, err := filepath.Glob(filepath.Join("testdata", of.pattern))
			if err != nil || len(files) != 1 {
				t.Fatal(of.pattern, files, err)
			}
			sample, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			one, _ := load(t, agentlog.Options{}, files[0])
			rows := bytes.Split(bytes.TrimSpace(sample), []byte("\n"))
			var b bytes.Buffer
			k := 0
			for ; k == 0 || int64(b.Len()) < size; k++ {
				for i, row := range rows {
					if k > 0 && (i < of.header || bytes.HasPrefix(row, []byte(`{"type":"phase"`))) {
						continue
					}
					row = bytes.TrimSpace(row)
					row = repeated(row, i < of.header, n, k)
					fmt.Fprintf(&b, "%s,\"padding\":\"%d %d %s\"}\n", bytes.TrimSuffix(row, []byte("}")), n, k, filler[:(n*977+k*131+i*17)%mostOutput*len(output)])
				}
			}
			stem, ending, _ := strings.Cut(filepath.Base(files[0]), ".")
			path := filepath.Join(dir, name, fmt.Sprintf("%s-%d.%s", stem, n, ending))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			want[name] += k * commandsOf(one)
		}
	}
	for name := range mixedSamples {
		got, _ := load(t, agentlog.Options{}, filepath.Join(dir, name))
		if n := commandsOf(got); n != want[name] || n == 0 {
			t.Errorf("%s: %d commands, want %d", name, n, want[name])
		}
	}
}

func commandsOf(sessions []session.Session) (n int) {
	for _, s := range sessions {
		for _, c := range s.Calls {
			if c.Kind == fact.Command {
				n++
			}
		}
	}
	return n
}
