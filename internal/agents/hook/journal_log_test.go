package hook_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// journaledCounts has what a session did, in numbers.
type journaledCounts struct{ Prompts, Commands, Failed, Running, Edits int }

// TestJournalIsLog journals random sessions of hooks and reads the journals as logs: the
// counts are those of the events.
func TestJournalIsLog(t *testing.T) {
	lawtest.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		want := map[string]journaledCounts{}
		for _, id := range []string{"s-1", "s-2"} {
			want[id] = journalSession(rt, dir, id)
		}
		sessions, summary, err := agentlog.Load(context.Background(), []agentlog.Input{{Path: hook.JournalDir(dir)}}, agentlog.Options{})
		if err != nil || len(summary.Diagnostics) > 0 {
			rt.Fatal(err, summary.Diagnostics)
		}
		got := map[string]journaledCounts{}
		for i := range sessions {
			got[sessions[i].ID] = countJournaled(rt, &sessions[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func countJournaled(t *rapid.T, s *session.Session) journaledCounts {
	counts := journaledCounts{Prompts: len(s.Prompts)}
	for _, d := range s.Diagnostics {
		t.Errorf("unexpected %v", d)
	}
	for j := range s.Calls {
		switch c := &s.Calls[j]; {
		case c.Status == fact.Running:
			counts.Running++
		case c.Kind == fact.FileEdit && c.Done():
			counts.Edits++
		case c.Kind == fact.Command && c.Status == fact.Error:
			counts.Failed++
			counts.Commands++
		case c.Kind == fact.Command:
			counts.Commands++
		}
	}
	return counts
}

// journalSession writes the events of a session as its hooks do.
func journalSession(t *rapid.T, dir, id string) (counts journaledCounts) {
	j, err := hook.Open(context.Background(), dir, "claude", id)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	now := start
	add := func(e hook.Event) {
		e.Agent, e.Session, e.Cwd = "claude", id, "/repo"
		now = now.Add(time.Duration(rapid.IntRange(1, 30_000).Draw(t, "milliseconds")) * time.Millisecond)
		if err := j.Append(e.Row(now)); err != nil {
			t.Fatal(err)
		}
	}
	add(hook.Event{Kind: hook.SessionStart})
	for n := range rapid.IntRange(0, 8).Draw(t, "events") {
		call := session.ToolCall{ID: id + string(rune('a'+n)), Name: "Bash", Command: rapid.SampledFrom([]string{"make", "ls -l"}).Draw(t, "command")}
		edits := rapid.Bool().Draw(t, "edits")
		if edits {
			call.Name, call.Command, call.Paths = "Edit", "", []string{"/repo/a.go"}
		}
		switch rapid.SampledFrom([]string{"prompt", "stop", "done", "done", "failed", "running"}).Draw(t, "event") {
		case "prompt":
			add(hook.Event{Kind: hook.Prompt, Prompt: "go on"})
			counts.Prompts++
		case "stop":
			add(hook.Event{Kind: hook.Stop})
		case "done":
			add(hook.Event{Kind: hook.BeforeTool, Call: call})
			add(hook.Event{Kind: hook.AfterTool, Call: call})
			if edits {
				counts.Edits++
			} else {
				counts.Commands++
			}
		case "failed":
			add(hook.Event{Kind: hook.BeforeTool, Call: call})
			call.Status = fact.Error
			add(hook.Event{Kind: hook.AfterTool, Call: call})
			if !edits {
				counts.Commands++
				counts.Failed++
			}
		case "running":
			add(hook.Event{Kind: hook.BeforeTool, Call: call})
			counts.Running++
		}
	}
	return counts
}
