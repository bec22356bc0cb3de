package respond_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agent"
	"github.com/rulecheck/rulecheck/internal/agent/respond"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
)

// counted are hooks that count what they cause.
type counted struct {
	respond.Hooks

	mutex            sync.Mutex
	captures, stops  int
	calls            []int // that the gate got
	refusal          agent.Decision
	captureErr       error
	underWay, finish chan struct{} // of a capture; nil: it ends at once
}

func newCounted(t *testing.T) *counted {
	t.Helper()
	c := &counted{}
	c.Hooks = respond.Hooks{
		GitDir: t.TempDir(), Start: time.Now(), Now: time.Now,
		Capture: func(context.Context) error {
			c.mutex.Lock()
			c.captures++
			c.mutex.Unlock()
			if c.underWay != nil {
				close(c.underWay)
				<-c.finish
			}
			return c.captureErr
		},
		Gate: func(_ context.Context, _ agent.Event, calls int) (agent.Decision, error) {
			c.stops++
			c.calls = append(c.calls, calls)
			return c.refusal, nil
		},
		Tool: func(context.Context, agent.Event) (agent.Decision, error) {
			return agent.Decision{Verdict: agent.Deny, Rule: "r", Reason: "no"}, nil
		},
	}
	return c
}

func (c *counted) journal(t *testing.T) []agent.Row {
	t.Helper()
	j, err := agent.Open(t.Context(), c.GitDir, "gemini", "s")
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

func respondTo(t *testing.T, h respond.Hooks, e agent.Event) agent.Decision {
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
	c.refusal = agent.Decision{Verdict: agent.Block, Rule: "r", Reason: "Run the tests.\n"}
	respondTo(t, c.Hooks, agent.Event{Kind: agent.Prompt, Prompt: "fix it", Stamp: "1"})
	respondTo(t, c.Hooks, agent.Event{Kind: agent.BeforeTool, Stamp: "2", Call: session.ToolCall{Name: "shell"}})
	if d := respondTo(t, c.Hooks, agent.Event{Kind: agent.Stop, Stamp: "3"}); d.Verdict != agent.Block {
		t.Errorf("%+v; want the stop refused", d)
	}
	respondTo(t, c.Hooks, agent.Event{Kind: agent.Prompt, Prompt: "Run the tests.", Stamp: "4"})
	if c.captures != 1 || len(c.calls) != 1 || c.calls[0] != 1 {
		t.Errorf("%d captures, calls %v; want 1 of the user's prompt, and 1 call", c.captures, c.calls)
	}
	if rows := c.journal(t); len(rows) != 4 || rows[1].Verdict != agent.Deny || rows[3].Prompt == "" {
		t.Errorf("journal %+v; want all 4 events", rows)
	}
	var prompts int
	for _, row := range c.journal(t) {
		if row.Event == string(agent.Prompt) {
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
	respondTo(t, c.Hooks, agent.Event{Kind: agent.Prompt, Prompt: "fix it", Stamp: "1"})
	respondTo(t, c.Hooks, agent.Event{Kind: agent.Prompt, Prompt: "fix the half of it", Subagent: "a", Stamp: "2"})
	if c.captures != 1 {
		t.Errorf("%d captures; want 1 of the user's prompt", c.captures)
	}
}

// TestLate gives a context with the result of a call.
func TestLate(t *testing.T) {
	c := newCounted(t)
	late := agent.Decision{Verdict: agent.Context, Rule: "r", Context: "Mind the step."}
	c.Late = func(context.Context, agent.Event) (agent.Decision, error) { return late, nil }
	call := session.ToolCall{Name: "shell", ID: "1"}
	if d := respondTo(t, c.Hooks, agent.Event{Kind: agent.AfterTool, Call: call}); d != late {
		t.Errorf("%+v; want %+v", d, late)
	}
	c.After = func(context.Context, agent.Event) (agent.Decision, error) {
		return agent.Decision{Verdict: agent.Context, Context: "Slow down."}, nil
	}
	call.ID = "2"
	if d := respondTo(t, c.Hooks, agent.Event{Kind: agent.AfterTool, Call: call}); d.Context != "Slow down.\n\nMind the step." {
		t.Errorf("%+v; want both contexts", d)
	}
}

// TestTwoDeliveries delivers one prompt to two processes at once.
func TestTwoDeliveries(t *testing.T) {
	c := newCounted(t)
	c.underWay, c.finish = make(chan struct{}), make(chan struct{})
	prompt := agent.Event{Kind: agent.Prompt, Agent: "gemini", Session: "s", Prompt: "fix it"}
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
	if d := respondTo(t, c.Hooks, agent.Event{Kind: agent.BeforeTool}); d.Verdict != agent.Allow {
		t.Errorf("%+v; want it allowed", d)
	}
	if rows := c.journal(t); len(rows) != 1 || rows[0].Verdict != agent.Deny || !rows[0].Observed {
		t.Errorf("%+v; want the denial", rows)
	}
}

// TestNoJournal decides although nothing can be recorded.
func TestNoJournal(t *testing.T) {
	c := newCounted(t)
	c.refusal = agent.Decision{Verdict: agent.Block, Reason: "no"}
	if err := os.WriteFile(filepath.Join(c.GitDir, "rulecheck"), []byte("a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[agent.Kind]agent.Verdict{agent.BeforeTool: agent.Deny, agent.Stop: agent.Block, agent.Prompt: agent.Allow} {
		d, err := c.Respond(t.Context(), agent.Event{Kind: kind})
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
	unread := agent.Event{Kind: agent.Other}
	tests := []struct {
		e                                       agent.Event
		byDefault, unguarded, blocking, opening bool
	}{
		{agent.Event{Kind: agent.BeforeTool}, true, false, true, false},
		{unread, true, false, true, false},
		{agent.Event{Kind: agent.AfterTool}, false, false, true, false}, // which no answer refuses
		{agent.Event{Kind: agent.Stop}, false, false, true, false},
		{agent.Event{Kind: agent.Stop, Stopping: agent.Stopping{Continued: true}}, false, false, false, false},
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
		if respond.Closed(t.Context(), dir, agent.Event{Kind: agent.Stop, Session: "s"}, rule.OnErrorBlock, nil) {
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
	c.RecordFault(t.Context(), agent.Event{Kind: agent.BeforeTool, Agent: "gemini", Session: "s", Call: session.ToolCall{Name: "shell"}}, true, errors.New("disk on fire"))
	if rows := c.journal(t); len(rows) != 1 || rows[0].Verdict != agent.Deny || !strings.Contains(rows[0].Fault, "fire") {
		t.Errorf("%+v; want the fault", rows)
	}
}
