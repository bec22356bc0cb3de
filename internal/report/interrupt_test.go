package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/policies"
)

const closing = `
---

REFLECT AND DECIDE:

Can you resolve this issue autonomously, or do you need human assistance?

If you can fix this yourself:
  - Explain your corrective approach briefly
  - Run: rulecheck workflow continue
  - This will return the normal CODE phase prompt (bypassing rules this once)

If you need human help:
  - Explain what you've tried and why you're stuck
  - Wait for human guidance before proceeding
`

// of returns a finding of a mode, with the title and suggestion of the mode.
func of(t *testing.T, mode string) finding.Finding {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	m := bundle.Modes.Of(mode)
	if !bundle.Modes.Has(mode) {
		t.Fatalf("no mode %q", mode)
	}
	return finding.Finding{Mode: mode, Body: m.Suggestion, Session: &finding.SessionDetails{Title: m.Title}}
}

// at parses a time of day.
func at(t *testing.T, clock string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.DateTime, "2025-10-11 "+clock)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

func TestInterruptOfCommands(t *testing.T) {
	f := of(t, "repeated_command")
	f.Message, f.Session.Pattern = "cargo build executed 5 times in 2 minutes", "cargo (build|test)"
	for _, clock := range []string{"04:26:15", "04:26:42", "04:27:01", "04:27:18", "04:27:45"} {
		f.Session.Recent = append(f.Session.Recent, fact.Event{At: at(t, clock), Text: "cargo build"})
	}
	want := `🚨 WORKFLOW INTERRUPT: Repeated Command Detected

Diagnostic: cargo build executed 5 times in 2 minutes
Pattern: cargo (build|test)
Recent executions:
  - 04:26:15: cargo build
  - 04:26:42: cargo build
  - 04:27:01: cargo build
  - 04:27:18: cargo build
  - 04:27:45: cargo build

Suggestion: You're stuck in a build loop. Review the error message carefully.
Consider using TDD: write a failing test first, then fix the specific issue.
` + closing
	if diff := cmp.Diff(want, report.Interrupt(f, "code")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestInterruptOfEdits(t *testing.T) {
	f := of(t, "repeated_file_edit")
	f.Message = "src/main.rs edited 6 times in 3 minutes"
	for _, clock := range []string{"04:20:12", "04:20:45", "04:21:18", "04:21:52", "04:22:15", "04:22:38"} {
		f.Session.Recent = append(f.Session.Recent, fact.Event{At: at(t, clock), Tool: "Edit", Text: "src/main.rs"})
	}
	f.Session.Recent[5].At = time.Time{}
	want := `🚨 WORKFLOW INTERRUPT: Repeated File Edit Detected

Diagnostic: src/main.rs edited 6 times in 3 minutes
Recent edits:
  - 04:20:45: Edit (src/main.rs)
  - 04:21:18: Edit (src/main.rs)
  - 04:21:52: Edit (src/main.rs)
  - 04:22:15: Edit (src/main.rs)
  - --:--:--: Edit (src/main.rs)

Suggestion: You're thrashing the same file. Step back and write a failing test
that captures the desired behavior, then implement the fix.
` + closing
	if diff := cmp.Diff(want, report.Interrupt(f, "CODE")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestInterruptOfTimeout(t *testing.T) {
	f := of(t, "phase_timeout")
	f.Message = "Phase running for 11m 24s (limit: 10m)"
	f.Session.Snapshot = finding.Snapshot{Count: 684, Threshold: 601, Start: at(t, "04:15:23"), Now: at(t, "04:26:47")}
	want := `🚨 WORKFLOW INTERRUPT: Phase Timeout Exceeded

Diagnostic: Phase running for 11m 24s (limit: 10m)
Phase start: 04:15:23
Current time: 04:26:47
Duration: 684 seconds

Suggestion: This phase is taking too long. Consider:
- Breaking the task into smaller steps
- Transitioning to LEARNINGS to document blockers
- Resetting the workflow with simplified scope
` + closing
	if diff := cmp.Diff(want, report.Interrupt(f, "code")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestInterruptOfTokens(t *testing.T) {
	n := func(n int64) *int64 { return &n }
	f := of(t, "token_budget")
	f.Session.Snapshot = finding.Snapshot{Count: 30, Tokens: &fact.TokenCount{Input: n(10), Output: n(20), CacheRead: n(4000)}}
	if got := report.Interrupt(f, "code"); strings.Contains(got, "Cache") {
		t.Errorf("cache tokens do not count, but are listed:\n%s", got)
	}
	f.Session.Snapshot.Count = 4030
	if got, want := report.Interrupt(f, "code"), "Input tokens: 10\nOutput tokens: 20\nCache read tokens: 4,000\n\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s; want %q in it", got, want)
	}
}

func TestInterruptWithoutNumbers(t *testing.T) {
	got := report.Interrupt(finding.Finding{
		Message: "{{.}} ${x} %s\n---\x1b", Body: "Sleep.\n", Session: &finding.SessionDetails{Title: "Too Late"},
	}, "")
	want := "🚨 WORKFLOW INTERRUPT: Too Late\n\nDiagnostic: {{.}} ${x} %s\\n---\\x1b\n\nSuggestion: Sleep.\n" +
		strings.Replace(closing, "CODE ", "", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestInterruptWithPrompt(t *testing.T) {
	got := report.InterruptWithPrompt(report.Interrupt(finding.Finding{Session: &finding.SessionDetails{}}, "code"), "You are in the CODE phase {{end}}\n")
	if !strings.HasSuffix(got, closing+"\n---\n\nYou are in the CODE phase {{end}}\n") {
		t.Errorf("got\n%s", got)
	}
}

type interruptCase struct {
	ID        string
	Kind      string
	Phase     string `json:"current_phase"`
	Violation struct {
		Rule, Pattern, Diagnostic string
		Count, Threshold, Window  int64
		Input, Output             *int64
		Subjects                  []string
		Events                    []string    `json:"events_all"`
		Times                     []time.Time `json:"raw_timestamps"`
	}
	Expect struct {
		Text    *string  `json:"recommended_text"`
		Must    []string `json:"must_contain"`
		MustNot []string `json:"must_not_contain"`
	}
	Pairs []struct {
		Input  json.Number
		Output string
	}
}

func (c interruptCase) finding(t *testing.T) finding.Finding {
	t.Helper()
	v := c.Violation
	f := of(t, v.Rule)
	f.Message, f.Session.Pattern = v.Diagnostic, v.Pattern
	f.Session.Snapshot = finding.Snapshot{Count: v.Count, Threshold: v.Threshold, Window: v.Window}
	if v.Input != nil {
		f.Session.Snapshot.Tokens = &fact.TokenCount{Input: v.Input, Output: v.Output}
	}
	for _, e := range v.Events {
		f.Session.Recent = append(f.Session.Recent, fact.Event{At: at(t, e[:8]), Text: e[10:]})
	}
	for _, instant := range v.Times {
		f.Session.Recent = append(f.Session.Recent, fact.Event{At: instant, Text: v.Subjects[0]})
	}
	return f
}

func TestInterruptCases(t *testing.T) {
	data, err := os.ReadFile("testdata/interrupt.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(bytes.ReplaceAll(data, []byte("hegel continue"), []byte(report.ContinueCommand))) {
		var c interruptCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			if c.Kind == "format" {
				c.numbers(t)
				return
			}
			got := report.Interrupt(c.finding(t), c.Phase)
			if c.Expect.Text != nil {
				if diff := cmp.Diff(*c.Expect.Text, got); diff != "" {
					t.Errorf("text (-want +got):\n%s", diff)
				}
			}
			for _, want := range c.Expect.Must {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			for _, unwanted := range c.Expect.MustNot {
				if strings.Contains(got, unwanted) {
					t.Errorf("%q is in\n%s", unwanted, got)
				}
			}
		})
	}
}

// numbers checks the commas in numbers. No log holds a count of 2⁶⁴−1.
func (c interruptCase) numbers(t *testing.T) {
	t.Helper()
	for _, pair := range c.Pairs {
		n, err := strconv.ParseInt(pair.Input.String(), 10, 64)
		if err != nil {
			continue
		}
		f := finding.Finding{Session: &finding.SessionDetails{Evidence: finding.Evidence{
			Snapshot: finding.Snapshot{Tokens: &fact.TokenCount{Input: &n}},
		}}}
		if got := report.Interrupt(f, "code"); !strings.Contains(got, "Input tokens: "+pair.Output+"\n") {
			t.Errorf("got\n%s; want %s", got, pair.Output)
		}
	}
}
