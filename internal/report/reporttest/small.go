package reporttest

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Small returns a check with one of everything, short enough to read in every format.
func Small() *report.Report {
	const log = "logs/claude/s1.jsonl"
	at := func(minute int) time.Time { return morning.Add(time.Duration(minute) * time.Minute) }
	input, output := int64(1_200), int64(340)
	used := fact.TokenCount{Input: &input, Output: &output}
	builds := []fact.Event{{At: at(1), Text: "make"}, {At: at(2), Text: "make"}}
	r := &report.Report{
		Version: 1, Command: "check", RulesFrom: "worktree", ToolVersion: "1.2.3", Repository: "shop", Branch: "topic", Committed: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC),
		Baselines: []report.Baseline{{
			Base: diff.Base{ID: "base", Ref: "origin/main", Commit: MergeBase, FoundBy: "merge base with origin/main (origin/HEAD)"},
			Head: "worktree",
		}},
		Changes: map[string][]diff.Change{"base": {{Path: "src/a.py", OldPath: "src/b.py", Status: diff.Renamed, Mode: "100644", Kind: diff.File, Similarity: 93}}},
		Summary: report.Summary{Changes: 1, Rules: 2, Findings: 2, Waived: 1},
		Rules: []report.Rule{
			{
				Info: rule.Info{
					ID: "build-loop", Name: "Build loop", Mode: "repeated_command", Level: finding.Warning,
					File: ".rulecheck/rules/build-loop.md", Body: "Read the first error.",
				},
				Title: "Commands that are repeated",
			},
			{
				Info: rule.Info{
					ID: "source-test", Name: "Source and test", Mode: "set", Level: finding.Error, Tags: []string{"tests"},
					URL: "https://example.com/source-test", File: ".rulecheck/rules/source-test.md", Body: "Change the test, too.",
				},
				Title: "Files that change together", ListByFiles: true,
			},
		},
		Findings: []finding.Finding{
			{
				Rule: "source-test", Path: "src/a.py", Line: 3, TriggerFiles: []string{"src/a.py"}, Expected: []string{"tests/a_test.py"},
				Related: []finding.Location{{Path: "tests/a_test.py", Line: 1}}, Message: "src/a.py changed without tests/a_test.py",
				LineHash: "271789c17abda88f:1",
			},
			{
				Rule: "source-test", Path: "src/c.py", Line: 1, TriggerFiles: []string{"src/c.py"}, Expected: []string{"tests/c_test.py"},
				Message: "src/c.py changed without tests/c_test.py",
				Waiver:  &finding.Waiver{Source: finding.Trailer, Commit: MergeBase, Reason: "generated"},
			},
			{
				Rule: "build-loop", Path: log, Line: 3, Message: "make executed 2 times in 2 minutes",
				Session: &finding.SessionDetails{
					Occurrence: finding.Occurrence{ID: "s1", Agent: "claude", Phase: "code", FirstAt: at(2), Peak: 2, PeakAt: at(2), Count: 2},
					Evidence: finding.Evidence{
						Pattern: "^make", Recent: builds,
						Snapshot: finding.Snapshot{Count: 2, Threshold: 2, Window: 120, Start: at(0), Now: at(2), Tokens: &used},
					},
				},
			},
		},
		Commands: []report.Command{{
			Rule: "fmt", Argv: []string{"ruff", "format", "src/a.py"}, Files: []string{"src/a.py"}, Changed: []string{"src/a.py"}, Idempotent: true,
		}},
		Sessions: []report.Session{{
			ID: "s1", Agent: "claude", Branch: "topic", Start: at(0), End: at(3), Logs: []string{log}, Tokens: used,
			Commands: 2, Failed: 1, Edits: 1, Prompts: 1, Cwd: "/home/dev/shop", Activity: made(),
			Visits:      []report.Visit{{Phase: "code", Workflow: "feature", Start: at(0), End: at(3), Open: true, Tokens: used, Commands: 2, Edits: 1, Findings: 1}},
			Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: log, Line: 4}, Code: "damaged", Count: 2, Message: "lines that are not JSON objects", Loss: true}},
			Timeline: report.NewTimeline(
				report.Moment{At: at(0), Kind: "prompt", Log: log, Line: 1},
				report.Moment{At: at(1), Kind: "command", Text: "make", Failed: true, Log: log, Line: 2},
				report.Moment{At: at(2), Kind: "command", Text: "make", Log: log, Line: 3},
				report.Moment{At: at(3), Kind: "tokens", Used: used.Used(), Log: log, Line: 6},
			),
		}},
		Diagnostics: []fact.Diagnostic{{Place: fact.Place{File: "logs/notes.jsonl", Line: 1}, Code: "blank", Count: 1, Message: "empty lines"}},
		Notices:     []string{"rename detection stopped at 1000 files"},
		Errors: []finding.Problem{
			{File: ".rulecheck/rules/api.md", Line: 3, Column: 1, Code: "unknown_field", Message: `unknown key "trigegr"; did you mean "trigger"?`},
		},
	}
	fillIn(r)
	return r
}

// made returns the activity of the small report.
func made() *fact.Activity {
	commits := 0
	return &fact.Activity{
		Prompts:   1,
		Commands:  []fact.CommandCount{{Name: "make", Outcomes: fact.Outcomes{Succeeded: 1, Failed: 1}}},
		Edits:     []fact.FileCount{{Path: "src/a.py", Tools: map[string]int{"Edit": 1}, Outcomes: fact.Outcomes{Succeeded: 1}}},
		Tools:     []fact.ToolCount{{Name: "Bash", Kind: fact.Command, Outcomes: fact.Outcomes{Succeeded: 1, Failed: 1}}},
		Total:     fact.CallTotals{Commands: fact.Outcomes{Succeeded: 1, Failed: 1}, Edits: fact.Outcomes{Succeeded: 1}},
		ExitCodes: map[int]int{2: 1},
		Models:    []fact.ModelUse{},
		Commits:   &commits,
	}
}
