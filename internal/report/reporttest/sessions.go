package reporttest

import (
	"fmt"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Hostile is a text that an attacker may put into an id, a name, a command or a path.
const Hostile = "</script><script>alert(1)</script><!--<script>\"'><img src=x onerror=alert(1)> `x` **b** | [l](javascript:alert(1)) " +
	"\x1b[31m\a\u2028\u202e ##[error]x\n::error::x {{.}} ${x} \xff"

var morning = time.Date(2026, 5, 1, 9, 58, 0, 0, time.UTC)

func tokens(input, output, read, write int64) fact.TokenCount {
	return fact.TokenCount{Input: &input, Output: &output, CacheRead: &read, CacheWrite: &write}
}

// working returns n moments of an agent at work, 20 seconds apart.
func working(start time.Time, log string, n int) []report.Moment {
	steps := []report.Moment{
		{Kind: "prompt"},
		{Kind: "read", Text: "src/auth/login.py"},
		{Kind: "command", Text: "cargo build --release", Failed: true},
		{Kind: "tokens", Used: 1_540, Cached: 58_100},
		{Kind: "file_edit", Text: "src/auth/login.py"},
		{Kind: "command", Text: "cargo build --release"},
		{Kind: "mcp", Text: "mcp__tracker__issue"},
		{Kind: "tokens", Used: 950},
	}
	moments := make([]report.Moment, 0, n)
	for i := range n {
		m := steps[i%len(steps)]
		m.At, m.Log, m.Line = start.Add(time.Duration(i)*20*time.Second), log, i+2
		moments = append(moments, m)
	}
	return moments
}

// Audited returns an audit with everything that a report can contain.
func Audited() *report.Report {
	const log, codexLog = "logs/claude/1f3c2a40.jsonl", "/home/dev/.codex/sessions/rollout-1.jsonl"
	at := func(minutes, seconds int) time.Time {
		return morning.Add(time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second)
	}
	unknown := fact.TokenCount{}
	r := &report.Report{
		Version: 1, Command: report.Audit, RulesFrom: "worktree", ToolVersion: "1.2.3",
		Summary: report.Summary{Rules: 3, Findings: 4, Waived: 1, NotEvaluable: 1},
		Notices: []string{"token-budget: 1 session could not be evaluated: its log has no tokens"},
		Errors:  []finding.Problem{{File: codexLog, Line: 3, Code: report.NotEvaluated, Message: "the log is damaged"}},
		Rules: []report.Rule{
			{
				Info: rule.Info{
					ID:    "build-loop",
					Name:  "Build loop",
					Mode:  "repeated_command",
					Level: finding.Error,
					File:  ".rulecheck/rules/build-loop.md",
					Body:  "The same build fails again and again.\n\nRead its first error before you run it again.",
				},
				Title: "Commands that are repeated",
			},
			{
				Info: rule.Info{
					ID:    "code-time",
					Name:  "Time in code",
					Mode:  "phase_timeout",
					Level: finding.Warning,
					File:  ".rulecheck/rules/code-time.md",
					Body:  "Split the task.",
				},
				Title: "Phases that take too long",
			},
			{
				Info: rule.Info{
					ID:    "token-budget",
					Name:  "token-budget",
					Mode:  "token_budget",
					Level: finding.Note,
					File:  ".rulecheck/rules/token-budget.md",
					Body:  "Start a fresh session.",
				},
				Title: "Tokens that a phase may use",
			},
		},
		Sessions: []report.Session{
			{
				ID: "1f3c2a40-5b6d-4e7f-8091-a2b3c4d5e6f7", Agent: "claude", Branch: "feature/login", Start: at(0, 0), End: at(40, 0),
				Logs: []string{log}, Tokens: tokens(30_000, 7_350, 1_755_000, 31_500), Cost: &money.Cost{USD: 3_104_000_000_000}, Commands: 30, Failed: 15, Edits: 15, Prompts: 15,
				Visits: []report.Visit{
					{Index: 0, Phase: "spec", Workflow: "feature", Start: at(0, 0), End: at(4, 0), Commands: 3, Edits: 1, Tokens: tokens(2_000, 490, 0, 0)},
					{Index: 1, Phase: "code", Workflow: "feature", Start: at(4, 0), End: at(24, 30), Commands: 15, Edits: 8, Tokens: tokens(15_000, 3_600, 0, 0)},
					{Index: 2, Phase: "review", Workflow: "feature", Start: at(24, 30), End: at(27, 0), Commands: 2, Tokens: unknown},
					{Index: 3, Phase: "code", Workflow: "feature", Start: at(27, 0), End: at(40, 0), Open: true, Commands: 10, Edits: 6, Tokens: tokens(13_000, 3_260, 0, 0), Findings: 2},
				},
				Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: log, Line: 17}, Code: "blank", Count: 3, Message: "empty lines"}},
				Timeline:    report.NewTimeline(working(at(0, 0), log, 120)...),
			},
			{
				ID: "rollout-1", Agent: "codex", Start: at(5, 0), End: at(11, 40), Logs: []string{codexLog}, Tokens: unknown, Cost: &money.Cost{USD: money.Dollar / 20, Unknown: 1, Unpriced: 2, Why: "no price is known for the model " + Hostile, Late: true}, Commands: 10, Edits: 3,
				Visits: []report.Visit{{Start: at(5, 0), End: at(11, 40), Open: true, Commands: 10, Edits: 3, Findings: 1}},
				Diagnostics: []fact.Diagnostic{
					{Place: fact.Place{File: codexLog, Line: 3}, Code: "damaged", Count: 2, Message: "lines that are not JSON objects", Loss: true},
				},
				Timeline: report.NewTimeline(append(working(at(5, 0), codexLog, 20), report.Moment{Kind: "command", Text: "an old log has no times", Log: codexLog})...),
			},
			{
				ID: Hostile, Agent: "odd" + Hostile, Branch: Hostile, Start: at(60, 0), End: at(61, 0), Logs: []string{Hostile}, Tokens: unknown, Commands: 1,
				Visits:      []report.Visit{{Phase: Hostile, Workflow: Hostile, Start: at(60, 0), End: at(61, 0), Open: true}},
				Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: Hostile, Line: 1}, Code: "unknown_type", Count: 1, Message: Hostile}},
				Timeline:    report.NewTimeline(report.Moment{At: at(60, 30), Kind: "command", Text: Hostile, Log: Hostile, Line: 1}, report.Moment{At: at(60, 50), Kind: "unheard of", Log: "subagent.jsonl"}),
			},
			{ID: "idle", Start: at(70, 0), End: at(70, 0), Tokens: tokens(0, 0, 0, 0)},
			{ID: "without-times", Agent: "claude", Tokens: unknown, Visits: []report.Visit{{Phase: "spec"}}},
		},
		Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: "logs/notes.jsonl", Line: 1}, Code: "unrecognised", Count: 1, Message: "no reader knows this file", Loss: true}},
	}
	builds := func(first time.Time) (events []fact.Event) {
		for i := range 5 {
			events = append(events, fact.Event{At: first.Add(time.Duration(i) * 20 * time.Second), Text: "cargo build --release"})
		}
		return events
	}
	r.Findings = []finding.Finding{
		{
			Rule: "build-loop", Path: log, Line: 88, Message: "cargo build --release executed 6 times in 2 minutes",
			Session: &finding.SessionDetails{
				Occurrence: finding.Occurrence{
					ID: r.Sessions[0].ID, Agent: "claude", Phase: "code", Visit: 3, FirstAt: at(29, 20), Peak: 9, PeakAt: at(33, 0), Count: 6,
				},
				Evidence: finding.Evidence{
					Pattern: "^cargo build", Recent: builds(at(28, 0)),
					Snapshot: finding.Snapshot{Count: 6, Threshold: 6, Window: 120, Start: at(27, 0), Now: at(29, 20)},
				},
			},
		},
		{
			Rule: "code-time", Path: log, Line: 110, Message: "code took longer than 10m",
			Session: &finding.SessionDetails{
				Occurrence: finding.Occurrence{
					ID: r.Sessions[0].ID, Agent: "claude", Phase: "code", Visit: 3, FirstAt: at(37, 1), Peak: 780, Count: 601,
				},
				Evidence: finding.Evidence{Snapshot: finding.Snapshot{Count: 601, Threshold: 600, Start: at(27, 0), Now: at(37, 1)}},
			},
		},
		{
			Rule: "build-loop", Path: ".rulecheck/rules/build-loop.md", Line: 2, Message: "cargo build --release executed 6 times in 2 minutes",
			Session: &finding.SessionDetails{
				Occurrence: finding.Occurrence{ID: "rollout-1", Agent: "codex", FirstAt: at(7, 0), Peak: 6, Count: 6},
				Evidence:   finding.Evidence{Recent: builds(at(6, 0)), Snapshot: finding.Snapshot{Count: 6, Threshold: 6, Window: 120}},
				Log:        fact.Place{File: codexLog, Line: 9},
			},
		},
		{
			Rule: "code-time", Path: ".rulecheck/rules/code-time.md", Line: 2, Message: Hostile,
			Session: &finding.SessionDetails{
				Occurrence: finding.Occurrence{ID: Hostile, Agent: "odd" + Hostile, Phase: Hostile, FirstAt: at(60, 40), Peak: 1, Count: 1},
				Evidence: finding.Evidence{
					Pattern: Hostile, Recent: []fact.Event{{Tool: Hostile, Text: Hostile}}, Snapshot: finding.Snapshot{Count: 1},
				},
				Log: fact.Place{File: Hostile, Line: 1},
			},
		},
		{
			Rule: "token-budget", Path: ".rulecheck/rules/token-budget.md", Line: 2, Message: "15,001 tokens of 15,000",
			Session: &finding.SessionDetails{
				Occurrence: finding.Occurrence{ID: r.Sessions[0].ID, Agent: "claude", Phase: "code", Visit: 1, FirstAt: at(20, 0), Peak: 18_600, Count: 15_001},
				Evidence:   finding.Evidence{Snapshot: finding.Snapshot{Count: 15_001, Threshold: 15_000}},
			},
			Waiver: &finding.Waiver{Source: finding.Trailer, Commit: MergeBase, Reason: "a one-off"},
		},
	}
	fillIn(r)
	return r
}

// Both returns the check of Rich with the sessions of Audited.
func Both() *report.Report {
	r, a := Rich(), Audited()
	r.Sessions, r.Rules = a.Sessions, append(r.Rules, a.Rules...)
	r.Findings = append(r.Findings, a.Findings...)
	r.Summary.Rules += a.Summary.Rules
	r.Summary.Findings += a.Summary.Findings
	finding.Sort(r.Findings)
	return r
}

// Archive returns an audit of many sessions with this many events each.
func Archive(sessions, events int) *report.Report {
	r := Audited()
	r.Findings, r.Errors, r.Diagnostics = nil, nil, nil
	model := r.Sessions[0]
	r.Sessions = nil
	for i := range sessions {
		s := model
		s.ID = fmt.Sprintf("%08x-5b6d-4e7f-8091-%012x", (i*2654435761)%(1<<32), i)
		s.Start = morning.Add(time.Duration(i) * time.Hour)
		s.End = s.Start.Add(time.Duration(events) * 20 * time.Second)
		s.Branch = []string{"main", "feature/login", "fix/flaky-tests", "release/2.4"}[i%4]
		s.Agent = []string{"claude", "codex"}[i/3%2]
		s.Commands, s.Edits, s.Failed = events/4+i%17, events/8+i%5, i%7
		s.Tokens = tokens(int64(30_000+977*i%9_000), int64(7_000+131*i%4_000), int64(1_000_000+i*7_919%500_000), int64(i*31%20_000))
		log := fmt.Sprintf("logs/claude/%08x.jsonl", i)
		s.Logs, s.Diagnostics = []string{log}, nil
		s.Visits = []report.Visit{
			{Phase: "spec", Start: s.Start, End: s.Start.Add(s.End.Sub(s.Start) / 5), Commands: 3, Tokens: s.Tokens},
			{Index: 1, Phase: "code", Start: s.Start.Add(s.End.Sub(s.Start) / 5), End: s.End, Open: true, Commands: 20, Edits: 9, Tokens: s.Tokens},
		}
		moments := working(s.Start, log, events)
		for j := range moments {
			if moments[j].Kind == "command" {
				moments[j].Text = fmt.Sprintf("go test ./internal/agents/session/... -run TestArchive/%d/%d -count 1", i, j)
			}
		}
		s.Timeline = report.NewTimeline(moments...)
		if i%5 == 0 {
			s.Visits[1].Findings = 1
			r.Findings = append(r.Findings, finding.Finding{
				Rule: "build-loop", Path: log, Line: 30, Message: "cargo build --release executed 6 times in 2 minutes",
				Session: &finding.SessionDetails{
					Occurrence: finding.Occurrence{
						ID: s.ID, Agent: s.Agent, Phase: "code", Visit: 1, FirstAt: s.Start.Add(s.End.Sub(s.Start) / 2), Peak: 9, Count: 6,
					},
					Evidence: finding.Evidence{Snapshot: finding.Snapshot{Count: 6}},
				},
			})
		}
		r.Sessions = append(r.Sessions, s)
	}
	r.Summary = report.Summary{Rules: 3, Findings: len(r.Findings)}
	fillIn(r)
	return r
}
