package receipt_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/receipt"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestPrograms reads a session of Codex in which programs made all calls: hooks name the
// items of the log, and not its calls.
func TestPrograms(t *testing.T) {
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: filepath.Join("testdata", "codex", "code_mode.jsonl")}}, agentlog.Options{})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	s := &sessions[0]
	row := func(id, tool string) hook.Row {
		return hook.Row{Event: string(hook.BeforeTool), At: s.Start, Session: s.ID, Tool: tool, ID: id, Verdict: hook.Allow}
	}
	calls := receipt.Join(s, receipt.Journal{Rows: []hook.Row{
		row("exec-94804b11-b64c-46fd-a788-ab4865fe6ed0", "Bash"), row("exec-c24b36af-c6bf-4729-b1a3-60bdd28e2a32", "mcp__probe__echo"),
	}})
	want := []coverage.Verdict{coverage.Checked, coverage.NotChecked, coverage.Checked}
	if len(calls) != len(want) {
		t.Fatalf("%+v; want the command, the edit and the call of the server", calls)
	}
	for i, c := range calls {
		if c.Verdict != want[i] || i == 1 && (c.Reason != coverage.Missing || c.Tool != "apply_patch") {
			t.Errorf("call %d: %+v; want %s", i, c, want[i])
		}
	}
}

// TestSubagents reads rows that name the session that started a subagent.
func TestSubagents(t *testing.T) {
	journals := receipt.NewJournals()
	dir := t.TempDir()
	j, err := hook.Open(t.Context(), dir, "codex", "root")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(hook.Row{Event: string(hook.BeforeTool), At: start.Add(time.Minute), Session: "root", Tool: "Bash", ID: "call_1", AgentID: "a", Verdict: hook.Allow}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	if err := journals.AddDir(t.Context(), hook.JournalDir(dir)); err != nil {
		t.Fatal(err)
	}
	call := []session.ToolCall{{ID: "call_1", Name: "exec_command", Kind: fact.Command, Command: "make", At: start.Add(time.Minute)}}
	journals.Join(&session.Session{ID: "root", Agent: "codex", Start: start}, false)
	journals.Join(&session.Session{ID: "child", Parent: "root", Agent: "codex", Start: start}, false)
	grandchild := journals.Join(&session.Session{ID: "grandchild", Parent: "child", Agent: "codex", Start: start, Calls: call}, false)
	if len(grandchild) != 1 || grandchild[0].Verdict != coverage.Checked {
		t.Errorf("%+v; want it checked", grandchild)
	}
	stranger := journals.Join(&session.Session{ID: "stranger", Agent: "codex", Start: start, Calls: call}, true)
	if len(stranger) != 1 || stranger[0].Reason != coverage.Untrusted {
		t.Errorf("%+v; want no hook", stranger)
	}
}

// TestUnreadable knows nothing if a journal cannot be read.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "claude-x.ndjson"), []byte("\x00\x00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	journals := receipt.NewJournals()
	if err := journals.AddDir(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	calls := journals.Join(&session.Session{ID: "s", Agent: "claude", Calls: []session.ToolCall{{ID: "1", Name: "Bash"}}}, true)
	if len(calls) != 1 || calls[0].Verdict != coverage.Unknown || calls[0].Reason != coverage.Damaged {
		t.Errorf("%+v; want that it is not known", calls)
	}
}

// TestReasons walks the reasons: each is explained.
func TestReasons(t *testing.T) {
	for _, r := range coverage.Reasons() {
		if r.Text() == "" {
			t.Errorf("%q is not explained", r)
		}
	}
}
