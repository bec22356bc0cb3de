package audit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// storedLog is a log before and after a change that stores it in another form.
type storedLog struct {
	base, head string // names; empty: it does not exist
	rows       []string
	redacted   bool
	packed     bool
	copied     bool // the log itself remains
	detected   bool // git reports a rename
	more       []string
}

func drawLog(t *rapid.T, n int) storedLog {
	claude := rapid.Bool().Draw(t, "claude")
	dir, id := fmt.Sprintf("logs/%d/", n), fmt.Sprintf("session-%d", n)
	l := storedLog{base: dir + "log.jsonl"}
	second := 0
	row := func(command string) string {
		second += rapid.IntRange(0, 2).Draw(t, "seconds")
		at := fmt.Sprintf("2026-05-01T10:%02d:%02dZ", second/60, second%60)
		if claude {
			second++ // which begins no two answers at once
			return fmt.Sprintf(`{"cwd":"/r","sessionId":%[1]q,"uuid":"u%[2]d-%[1]s","timestamp":%[3]q,"type":"assistant","message":{"id":"m%[2]d-%[1]s","role":"assistant","content":[{"type":"tool_use","id":"t%[2]d-%[1]s","name":"Bash","input":{"command":%[4]q}}],"usage":{"input_tokens":1,"output_tokens":1}}}`,
				id, second, at, command)
		}
		return fmt.Sprintf(`{"timestamp":%q,"session_id":%q,"adapter":"claude_code","event_type":"PostToolUse","tool_name":"Bash","tool_input":{"command":%q}}`, at, id, command)
	}
	for range rapid.IntRange(1, 5).Draw(t, "rows") {
		l.rows = append(l.rows, row(rapid.SampledFrom([]string{"make secret", "ls secret"}).Draw(t, "command")))
	}
	second += 5
	for i := range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "more") {
		l.more = append(l.more, row(fmt.Sprintf("new %d %d", n, i)))
	}
	l.head = rapid.SampledFrom([]string{l.base, l.base, dir + "a.jsonl", dir + "z.jsonl", fmt.Sprintf("logs/moved%d/log.jsonl", n)}).Draw(t, "name")
	l.redacted, l.packed = rapid.Bool().Draw(t, "redacted"), rapid.Bool().Draw(t, "packed")
	if l.packed {
		l.head += ".gz"
	}
	l.detected = !l.packed && l.head != l.base && rapid.Bool().Draw(t, "detected")
	l.copied = l.head != l.base && !l.detected && !l.redacted && claude && rapid.Bool().Draw(t, "copied")
	return l
}

// store adds the log to the base, the head and the change.
func (l storedLog) store(t *rapid.T, base, head fstest.MapFS, c *diff.Changeset, added Added) {
	old := strings.Join(l.rows, "\n") + "\n"
	text := old
	if l.redacted {
		text = strings.ReplaceAll(text, "secret", "xxxxxx")
	}
	text += strings.Join(append(slices.Clip(l.more), ""), "\n")
	base[l.base] = &fstest.MapFile{Data: []byte(old)}
	if l.copied {
		head[l.base] = base[l.base]
	}
	data := []byte(text)
	if l.packed {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(data); err != nil || w.Close() != nil {
			t.Fatal("gzip")
		}
		data = packed.Bytes()
	}
	head[l.head] = &fstest.MapFile{Data: data}
	appended := []diff.Lines{{First: len(l.rows) + 1, Last: len(l.rows) + len(l.more)}}
	switch {
	case l.head == l.base && text == old:
		return
	case l.head == l.base:
		c.Changes = append(c.Changes, diff.Change{Path: l.head, Status: diff.Modified})
	case l.detected:
		c.Changes = append(c.Changes, diff.Change{Path: l.head, OldPath: l.base, Status: diff.Renamed})
	default:
		c.Changes = append(c.Changes, diff.Change{Path: l.head, Status: diff.Added})
		if !l.copied {
			c.Changes = append(c.Changes, diff.Change{Path: l.base, Status: diff.Deleted})
		}
	}
	switch {
	case l.redacted || l.packed || l.head != l.base && !l.detected:
		added[l.head] = Whole
	case len(l.more) > 0:
		added[l.head] = appended
	}
}

// TestEarlierLaw stores random logs in other forms. Only what is appended to them is new, and a
// session without that has nothing that is new.
func TestEarlierLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		base, head := fstest.MapFS{}, fstest.MapFS{}
		c := &diff.Changeset{}
		added := Added{}
		want := map[string]bool{}
		for n := range rapid.IntRange(1, 3).Draw(t, "logs") {
			l := drawLog(t, n)
			l.store(t, base, head, c, added)
			for i := range l.more {
				want[fmt.Sprintf("new %d %d", n, i)] = true
			}
		}
		e := newEarlierIn(c, []string{"logs"}, func(names []string) ([]session.Session, error) {
			var inputs []agentlog.Input
			for _, name := range names {
				if base[name] != nil {
					inputs = append(inputs, agentlog.Input{FS: base, Path: name})
				}
			}
			sessions, _, err := agentlog.Load(t.Context(), inputs, agentlog.Options{Jobs: 1})
			return sessions, err
		})
		sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: head, Path: "logs"}}, agentlog.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for i := range sessions {
			s := &sessions[i]
			_, ok, err := added.of(s, e)
			if err != nil {
				t.Fatal(err)
			}
			some := false
			for _, call := range s.Calls {
				if ok && !call.Old {
					some, got[call.Command] = true, true
				}
			}
			if ok && !some {
				t.Errorf("session %s has nothing new, and is checked", s.ID)
			}
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
			t.Errorf("new calls (-want +got):\n%s\n%v\n%v", diff, c.Changes, added)
		}
	})
}
