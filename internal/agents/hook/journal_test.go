package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var start = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// open opens a journal, and closes it after the test.
func open(t *testing.T, gitDir, id string) *hook.Journal {
	t.Helper()
	j, err := hook.Open(t.Context(), gitDir, "claude", id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

func TestJournalKeepsWhatIsWhole(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, "s-1")
	file := filepath.Join(hook.JournalDir(dir), "claude-s-1.ndjson")
	if err := os.WriteFile(file, []byte("garbage\n{\"event_type\":\"stop\",\"torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := hook.Event{Kind: hook.Prompt, Agent: "claude", Session: "s-1", Prompt: "my secret"}
	if err := j.Append(e.Row(start)); err != nil {
		t.Fatal(err)
	}
	rows, err := j.Tail()
	if err != nil || len(rows) != 1 || rows[0].Event != string(hook.Prompt) {
		t.Errorf("%+v, %v; want the row of the prompt alone", rows, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "secret") || !strings.HasPrefix(string(text), "garbage\n") {
		t.Errorf("%q, %v; want what was there, and no prompt", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestJournalOfAnyName(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"../../x", "", "a/b", `a\b`, "con:", strings.Repeat("x", 5000), "\x00", ".."} {
		name := hook.FileName("claude", id)
		if filepath.Base(name) != name || strings.ContainsAny(name, `/\:`) || len(name) > 200 {
			t.Errorf("session %q: file %q", id, name)
		}
		if err := open(t, dir, id).Append(hook.Row{Event: "stop"}); err != nil {
			t.Errorf("session %q: %v", id, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v; want the directory rulecheck alone", entries, err)
	}
	if hook.FileName("claude", "a/b") == hook.FileName("claude", "a.b") {
		t.Error("two sessions have one journal")
	}
}

func TestJournalIsAFile(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "target")
	j := open(t, dir, "s-1")
	if err := os.Symlink(elsewhere, filepath.Join(hook.JournalDir(dir), "claude-s-1.ndjson")); err != nil {
		t.Skip(err)
	}
	if err := j.Append(hook.Row{Event: "stop"}); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("the link's target was written")
	}
}

// TestTailIsBounded reads the end of a long journal only.
func TestTailIsBounded(t *testing.T) {
	j := open(t, t.TempDir(), "s-1")
	for range 2000 {
		if err := j.Append(hook.Row{Event: "pre_tool_use", Input: &hook.Input{Command: "echo a command of some length to fill lines"}}); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := j.Tail()
	if err != nil || len(rows) < 50 || len(rows) > 300 {
		t.Errorf("%d rows, %v; want those of 32 KiB", len(rows), err)
	}
}

func TestAgain(t *testing.T) {
	call := func(id, command string) hook.Event {
		return hook.Event{Kind: hook.BeforeTool, Session: "s", Call: session.ToolCall{ID: id, Kind: fact.Command, Command: command}}
	}
	stop := hook.Event{Kind: hook.Stop, Session: "s"}
	stamped := hook.Event{Kind: hook.Stop, Session: "s", Stamp: "10:00"}
	tests := []struct {
		name        string
		first, then hook.Event
		decided     time.Duration // after the second process was started
		want        bool
	}{
		{"the same call later", call("t1", "ls"), call("t1", "ls"), -time.Second, true},
		{"another call", call("t1", "ls"), call("t2", "ls"), -time.Second, false},
		{"an equal call without an id, later", call("", "ls"), call("", "ls"), -time.Second, false},
		{"an equal call without an id, meanwhile", call("", "ls"), call("", "ls"), time.Millisecond, true},
		{"a second stop, however fast", stop, stop, -time.Millisecond, false},
		{"one stop for two hooks at once", stop, stop, time.Millisecond, true},
		{"one stop for two hooks in a row", stamped, stamped, -time.Millisecond, true},
		{"a stop an hour ago by a clock that went back", stop, stop, time.Hour, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := []hook.Row{tt.first.Row(start.Add(tt.decided))}
			if _, got := tt.then.Again(rows, start); got != tt.want {
				t.Errorf("Again: %t; want %t", got, tt.want)
			}
		})
	}
}

func TestReturned(t *testing.T) {
	rows := []hook.Row{{Event: "stop", Verdict: hook.Block, Reason: hook.Digest("run the tests")}}
	e := hook.Event{Kind: hook.Prompt, Prompt: "run the tests\n"}
	if !e.Returned(rows) {
		t.Error("the reason of a refusal is taken for a prompt")
	}
	if e.Prompt = "fix it"; e.Returned(rows) {
		t.Error("a prompt is taken for a refusal")
	}
}

// TestLongTexts keeps rows so short that the last one is always whole.
func TestLongTexts(t *testing.T) {
	j := open(t, t.TempDir(), "s-1")
	long := strings.Repeat("a long text ", 100_000)
	paths := make([]string, 1000)
	for i := range paths {
		paths[i] = long
	}
	e := hook.Event{
		Kind: hook.BeforeTool, Agent: "claude", Session: long, Name: long, Cwd: long, Call: session.ToolCall{Name: long, ID: long, Command: long, Paths: paths},
	}
	row := e.Row(start)
	row.Calls, row.Fault = 7, long
	if err := j.Append(row); err != nil {
		t.Fatal(err)
	}
	rows, err := j.Tail()
	if err != nil || len(rows) != 1 || hook.Calls(rows) != 7 || len(rows[0].Input.Command) > 2200 {
		t.Errorf("%d rows, %v; want the row, shortened", len(rows), err)
	}
}
