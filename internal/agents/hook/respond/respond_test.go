package respond_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/respond"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// counted are hooks that count what they cause.
type counted struct {
	respond.Hooks

	mutex            sync.Mutex
	captures, stops  int
	calls            []int // that the gate got
	refusal          hook.Decision
	captureErr       error
	underWay, finish chan struct{} // of a capture; nil: it ends at once
}

func newCounted(t *testing.T) *counted {
	t.Helper()
	c := &counted{}
	c.Hooks = respond.Hooks{
		GitDir: t.TempDir(), Start: time.Now(), Now: time.Now,
		Capture: func(context.Context) (string, error) {
			c.mutex.Lock()
			c.captures++
			c.mutex.Unlock()
			if c.underWay != nil {
				close(c.underWay)
				<-c.finish
			}
			return "0123456789abcdef", c.captureErr
		},
		Gate: func(_ context.Context, _ hook.Event, calls int, _ *hook.Base) (hook.Decision, error) {
			c.stops++
			c.calls = append(c.calls, calls)
			return c.refusal, nil
		},
		Tool: func(context.Context, hook.Event) (hook.Decision, error) {
			return hook.Decision{Verdict: hook.Deny, Rule: "r", Reason: "no"}, nil
		},
	}
	return c
}

func (c *counted) journal(t *testing.T) []hook.Row {
	t.Helper()
	j, err := hook.Open(t.Context(), c.GitDir, "gemini", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	rows, err := j.Tail()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func respondTo(t *testing.T, h respond.Hooks, e hook.Event) hook.Decision {
	t.Helper()
	h.Start = time.Now() // each event has a process
	e.Agent, e.Session = "gemini", "s"
	d, err := h.Respond(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReturnedRefusal lets an agent send a refusal to itself as a prompt.
func TestReturnedRefusal(t *testing.T) {
	c := newCounted(t)
	c.refusal = hook.Decision{Verdict: hook.Block, Rule: "r", Reason: "Run the tests.\n"}
	respondTo(t, c.Hooks, hook.Event{Kind: hook.Prompt, Prompt: "fix it", Stamp: "1"})
	respondTo(t, c.Hooks, hook.Event{Kind: hook.BeforeTool, Stamp: "2", Call: session.ToolCall{Name: "shell"}})
	if d := respondTo(t, c.Hooks, hook.Event{Kind: hook.Stop, Stamp: "3"}); d.Verdict != hook.Block {
		t.Errorf("%+v; want the stop refused", d)
	}
	respondTo(t, c.Hooks, hook.Event{Kind: hook.Prompt, Prompt: "Run the tests.", Stamp: "4"})
	if c.captures != 1 || len(c.calls) != 1 || c.calls[0] != 1 {
		t.Errorf("%d captures, calls %v; want 1 of the user's prompt, and 1 call", c.captures, c.calls)
	}
	if rows := c.journal(t); len(rows) != 4 || rows[1].Verdict != hook.Deny || rows[3].Prompt == "" {
		t.Errorf("journal %+v; want all 4 events", rows)
	}
	var prompts int
	for _, row := range c.journal(t) {
		if row.Event == string(hook.Prompt) {
			prompts++
		}
	}
	if prompts != 1 {
		t.Errorf("%d prompts in the journal; want the user's alone", prompts)
	}
}

// TestSubagentsPrompt lets an agent write a prompt to a subagent.
func TestSubagentsPrompt(t *testing.T) {
	c := newCounted(t)
	respondTo(t, c.Hooks, hook.Event{Kind: hook.Prompt, Prompt: "fix it", Stamp: "1"})
	respondTo(t, c.Hooks, hook.Event{Kind: hook.Prompt, Prompt: "fix the half of it", Subagent: "a", Stamp: "2"})
	if c.captures != 1 {
		t.Errorf("%d captures; want 1 of the user's prompt", c.captures)
	}
}

// TestLate gives a context with the result of a call.
func TestLate(t *testing.T) {
	c := newCounted(t)
	late := hook.Decision{Verdict: hook.Context, Rule: "r", Context: "Mind the step."}
	c.Late = func(context.Context, hook.Event) (hook.Decision, error) { return late, nil }
	call := session.ToolCall{Name: "shell", ID: "1"}
	if d := respondTo(t, c.Hooks, hook.Event{Kind: hook.AfterTool, Call: call}); !reflect.DeepEqual(d, late) {
		t.Errorf("%+v; want %+v", d, late)
	}
	c.After = func(context.Context, hook.Event) (hook.Decision, error) {
		return hook.Decision{Verdict: hook.Context, Context: "Slow down."}, nil
	}
	call.ID = "2"
	if d := respondTo(t, c.Hooks, hook.Event{Kind: hook.AfterTool, Call: call}); d.Context != "Slow down.\n\nMind the step." {
		t.Errorf("%+v; want both contexts", d)
	}
}

// TestTwoDeliveries delivers one prompt to two processes at once.
func TestTwoDeliveries(t *testing.T) {
	c := newCounted(t)
	c.underWay, c.finish = make(chan struct{}), make(chan struct{})
	prompt := hook.Event{Kind: hook.Prompt, Agent: "gemini", Session: "s", Prompt: "fix it"}
	second := c.Hooks // started before the first one has decided
	var group sync.WaitGroup
	for _, h := range []respond.Hooks{c.Hooks, second} {
		group.Go(func() {
			if _, err := h.Respond(t.Context(), prompt); err != nil {
				t.Error(err)
			}
		})
	}
	<-c.underWay
	close(c.finish)
	group.Wait()
	if rows := c.journal(t); c.captures != 1 || len(rows) != 1 {
		t.Errorf("%d captures, %d rows; want 1 and 1", c.captures, len(rows))
	}
}

// TestObserve refuses nothing and records what would have been.
func TestObserve(t *testing.T) {
	c := newCounted(t)
	c.Observe = true
	if d := respondTo(t, c.Hooks, hook.Event{Kind: hook.BeforeTool}); d.Verdict != hook.Allow {
		t.Errorf("%+v; want it allowed", d)
	}
	if rows := c.journal(t); len(rows) != 1 || rows[0].Verdict != hook.Deny || !rows[0].Observed {
		t.Errorf("%+v; want the denial", rows)
	}
}

// TestNoJournal decides although nothing can be recorded.
func TestNoJournal(t *testing.T) {
	c := newCounted(t)
	c.refusal = hook.Decision{Verdict: hook.Block, Reason: "no"}
	if err := os.WriteFile(filepath.Join(c.GitDir, "rulecheck"), []byte("a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[hook.Kind]hook.Verdict{hook.BeforeTool: hook.Deny, hook.Stop: hook.Block, hook.Prompt: hook.Allow} {
		d, err := c.Respond(t.Context(), hook.Event{Kind: kind})
		if d.Verdict != want || !errors.As(err, new(*respond.JournalError)) {
			t.Errorf("%s: %+v, %v; want %s and the error", kind, d, err, want)
		}
	}
	if c.captures != 1 {
		t.Errorf("%d captures; want 1", c.captures)
	}
}

// TestClosed walks the fail modes.
func TestClosed(t *testing.T) {
	unread := hook.Event{Kind: hook.Other}
	tests := []struct {
		e                                       hook.Event
		byDefault, unguarded, blocking, opening bool
	}{
		{hook.Event{Kind: hook.BeforeTool}, true, false, true, false},
		{unread, true, false, true, false},
		{hook.Event{Kind: hook.AfterTool}, false, false, true, false}, // which no answer refuses
		{hook.Event{Kind: hook.Stop}, false, false, true, false},
		{hook.Event{Kind: hook.Stop, Stopping: hook.Stopping{Continued: true}}, false, false, false, false},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		closed := func(onError string, guarded bool) bool {
			return respond.Closed(t.Context(), dir, tt.e, onError, func() bool { return guarded })
		}
		if closed("", true) != tt.byDefault || closed("", false) != tt.unguarded || closed(rule.OnErrorBlock, false) != tt.blocking || closed(rule.OnErrorAllow, true) != tt.opening {
			t.Errorf("%+v: %t %t %t %t; want %+v", tt.e, closed("", true), closed("", false), closed(rule.OnErrorBlock, false), closed(rule.OnErrorAllow, true), tt)
		}
	}
}

// TestFaultsEnd refuses the stops of a session three times, whatever happens in between.
func TestFaultsEnd(t *testing.T) {
	dir, refused := t.TempDir(), 0
	for range 100 {
		if respond.Closed(t.Context(), dir, hook.Event{Kind: hook.Stop, Session: "s"}, rule.OnErrorBlock, nil) {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("refused %d times; want 3", refused)
	}
}

// TestFaultIsRecorded records an event that was not checked.
func TestFaultIsRecorded(t *testing.T) {
	c := newCounted(t)
	c.RecordFault(t.Context(), hook.Event{Kind: hook.BeforeTool, Agent: "gemini", Session: "s", Call: session.ToolCall{Name: "shell"}}, true, errors.New("disk on fire"))
	if rows := c.journal(t); len(rows) != 1 || rows[0].Verdict != hook.Deny || !strings.Contains(rows[0].Fault, "fire") {
		t.Errorf("%+v; want the fault", rows)
	}
}
