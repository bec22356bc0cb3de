package reporttest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Weeks returns an audit of 100 sessions of five agents over eight weeks. In the last week, more commands fail.
func Weeks() *report.Report {
	random := rand.New(rand.NewPCG(1, 2))
	r := &report.Report{Version: 1, Command: report.Audit, RulesFrom: "worktree", Repository: "shop", Branch: "main", Summary: report.Summary{Rules: 1}}
	loop := rule.Info{ID: "build-loop", Name: "Build loop", Mode: "repeated_command", Level: finding.Warning, File: ".rulecheck/rules/build-loop.md", Body: "Read the first error."}
	r.Rules = []report.Rule{{Info: loop, Title: "Commands that are repeated"}}
	agents := []string{"claude", "codex", "copilot", "gemini", "opencode"}
	models := []string{"claude-opus-4-5", "gpt-5.2-codex", "gpt-5.2", "gemini-3-pro", "claude-sonnet-4-5"}
	for i := range 100 {
		which := min(random.IntN(7), 4)
		week := i * 8 / 100
		start := time.Date(2026, 4, 6, 8, 0, 0, 0, time.UTC).AddDate(0, 0, 7*week+random.IntN(5)).Add(time.Duration(random.IntN(9*3600)) * time.Second)
		commands := 5 + random.IntN(60)
		failed := random.IntN(1 + commands/4)
		if week == 7 || i%23 == 0 {
			failed = commands/2 + random.IntN(1+commands/3)
		}
		s := report.Session{
			ID: fmt.Sprintf("%08x-5b6d-4e7f-8091-a2b3c4d5e6f7", random.Uint32()), Agent: agents[which], Branch: []string{"main", "feature/login", "feature/cart", "fix/prices"}[random.IntN(4)],
			Cwd:   "/home/" + []string{"ada", "grace", "linus"}[random.IntN(3)] + "/" + []string{"shop", "api"}[random.IntN(2)],
			Start: start, End: start.Add(time.Duration(5+random.IntN(90)) * time.Minute), Commands: commands, Failed: failed, Edits: random.IntN(30), Prompts: 1 + random.IntN(9),
			Logs: []string{fmt.Sprintf("logs/%d.jsonl", i)}, Tokens: tokens(int64(20_000+random.IntN(900_000)), int64(2_000+random.IntN(40_000)), 500_000, 30_000),
			Activity: &fact.Activity{Models: []fact.ModelUse{{Name: models[which]}}},
		}
		if which != 2 {
			s.Cost = &money.Cost{USD: money.USD(random.IntN(900)) * money.Dollar / 100}
		}
		r.Sessions = append(r.Sessions, s)
		if failed*2 >= commands {
			r.Findings = append(r.Findings, finding.Finding{
				Rule: loop.ID, Name: loop.Name, Mode: loop.Mode, Level: loop.Level, Path: s.Logs[0], Line: 7, Message: "make test executed 6 times in 2 minutes", Body: loop.Body, Fingerprint: fmt.Sprintf("%016x", i),
				Session: &finding.SessionDetails{Title: "Repeated command", Occurrence: finding.Occurrence{ID: s.ID, Agent: s.Agent, FirstAt: start.Add(time.Minute)}},
			})
		}
	}
	r.CountFindings()
	return r
}
