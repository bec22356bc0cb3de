// Package reporttest has the reports that the tests of formats share.
package reporttest

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// The commits of the bases in the reports.
const (
	MergeBase = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	Tip       = "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"
)

// OddNames lists legal file names that need escaping in some format.
var OddNames = []string{
	"-rf.py", "src/a b.py", `src/"quoted".py`, "src/new\nline.py", "src/é.py", "src/\xff.py", "src/<b>.py", "src/a|b.py",
	"src/`tick`.py", "src/[x](y).py", "src/__init__.py", "src/100%:,#.py", "::stop-commands::x",
}

// Rich returns a check with everything that a report can contain.
func Rich() *report.Report {
	rules := []report.Rule{
		{
			Info: rule.Info{
				ID:    "api-docs",
				Name:  "API Documentation",
				Mode:  "pair",
				Level: finding.Warning,
				File:  ".rulecheck/rules/api-docs.md",
				URL:   "https://example.com/rules/api-docs",
				Tags:  []string{"docs", "api"},
				Body:  "Every endpoint is documented twice:\n\n- its page under `docs/api/`\n- its entry in `openapi.yaml`",
			},
			Title:       "Changes that demand others",
			ListByFiles: true,
		},
		{
			Info: rule.Info{
				ID:    "new-module",
				Name:  "New Module Documentation",
				Mode:  "created",
				Level: finding.Error,
				File:  ".rulecheck/rules/new-module.md",
				Body:  "Every new module says in its first line what it is for.",
			},
			Title:       "New files",
			ListByFiles: true,
		},
		{
			Info: rule.Info{
				ID:    "no-todo",
				Name:  "no-todo",
				Mode:  "added_text",
				Level: finding.Warning,
				File:  ".rulecheck/rules/no-todo.md",
				Body:  "Open an issue and name it in the comment:\n\n```python\n# TODO(#123): …\n",
			},
			Title: "Text that may not be added",
		},
		{
			Info: rule.Info{
				ID:    "readme",
				Name:  "README Accuracy",
				Mode:  "trigger",
				Level: finding.Note,
				File:  ".rulecheck/rules/readme.md",
				Body:  "Source files changed. Verify that README.md is still accurate.",
			},
			Title:       "Changes that call for a look",
			ListByFiles: true,
		},
		{
			Info: rule.Info{
				ID:    "source-test",
				Name:  "Source/Test Pairing",
				Mode:  "set",
				Level: finding.Error,
				File:  ".rulecheck/rules/source-test.md",
				Body:  "A source file and its test change together.\nAdd a test for what is new; remove the test of what is gone.",
			},
			Title:       "Files that change together",
			ListByFiles: true,
		},
		{
			Info: rule.Info{
				ID:    "unbroken",
				Name:  "Unbroken",
				Mode:  "set",
				Level: finding.Error,
				File:  ".rulecheck/rules/unbroken.md",
				Body:  "Nothing breaks this rule.",
			},
			Title:       "Files that change together",
			ListByFiles: true,
		},
	}
	findings := []finding.Finding{
		{
			Rule: "api-docs", Path: "api/users.py", Line: 40, TriggerFiles: []string{"api/users.py"},
			Expected: []string{"docs/api/users.md", "docs/openapi.yaml"},
			Related:  []finding.Location{{Path: "docs/openapi.yaml", Line: 1}},
			Message:  "api/users.py changed; docs/api/users.md and docs/openapi.yaml did not",
			LineHash: "54703d4cd895b18:1",
			Waiver: &finding.Waiver{
				Source: "pull request", Reason: "docs | follow", NotHonoured: "the rules are those of the base, and waivers.trust is not set",
			},
		},
		{
			Rule: "no-todo", Path: "src/auth/login.py", Line: 17, TriggerFiles: []string{"src/auth/login.py"},
			Message: "adds a TODO[1] without an issue",
		},
		{
			Rule: "readme", Path: "src/auth/login.py", Line: 12,
			TriggerFiles: []string{"src/auth/login.py", "src/gone.py", "src/util.py"},
			Related:      []finding.Location{{Path: "src/auth/login.py", Line: 12}, {Path: "src/util.py", Line: 1}},
			Message:      "3 files that README.md describes changed",
		},
		{
			Rule: "source-test", Path: "src/auth/login.py", Line: 12, TriggerFiles: []string{"src/auth/login.py"},
			Expected: []string{"tests/auth/login_test.py"},
			Related:  []finding.Location{{Path: "tests/auth/login_test.py", Line: 1}},
			Message:  "src/auth/login.py changed without tests/auth/login_test.py",
			LineHash: "271789c17abda88f:1",
		},
		{
			Rule: "source-test", Path: ".rulecheck/rules/source-test.md", Line: 3, TriggerFiles: []string{"src/gone.py"},
			Expected: []string{"tests/gone_test.py"},
			Related:  []finding.Location{{Path: "tests/gone_test.py", Line: 1}},
			Message:  "src/gone.py changed without tests/gone_test.py",
		},
		{
			Rule: "source-test", Path: "src/util.py", Line: 1, TriggerFiles: []string{"src/util.py"},
			Expected: []string{"tests/util_test.py"},
			Message:  "src/util.py changed without tests/util_test.py",
			Waiver:   &finding.Waiver{Source: "trailer", Commit: MergeBase, Reason: "covered by the *integration* suite"},
		},
		{
			Rule: "new-module", Path: "src/generated.py", Line: 1, TriggerFiles: []string{"src/generated.py"},
			Message: "src/generated.py is new", Waiver: &finding.Waiver{Source: "promise", Reason: "promised"},
		},
	}
	for _, name := range OddNames {
		findings = append(findings, finding.Finding{
			Rule: "new-module", Path: name, Line: 1, TriggerFiles: []string{name}, Message: name + " is new",
		})
	}
	r := &report.Report{
		Version: 1, Command: "check", RulesFrom: "worktree", ToolVersion: "1.2.3",
		Baselines: []report.Baseline{
			{Base: diff.Base{ID: "base", Ref: "origin/main", Commit: MergeBase, FoundBy: "merge base with origin/main (origin/HEAD)"}, Head: "worktree"},
			{Base: diff.Base{ID: "default_tip", Ref: "origin/main", Commit: Tip, FoundBy: "tip of origin/main (origin/HEAD)"}, Head: "worktree"},
		},
		Changes: map[string][]diff.Change{
			"base": {
				{Path: "api/users.py", Status: diff.Modified, Mode: "100644", Kind: diff.File},
				{Path: "src/auth/login.py", OldPath: "src/login.py", Status: diff.Renamed, Mode: "100644", Kind: diff.File, Similarity: 93},
				{Path: "src/gone.py", Status: diff.Deleted, Mode: "100644", Kind: diff.File},
				{Path: "src/\xff.py", Status: diff.Added, Untracked: true, Mode: "100644", Kind: diff.File},
			},
			"default_tip": {},
		},
		Summary:  report.Summary{Changes: 18, Rules: 6, Findings: 18, Waived: 2, Skipped: 1, NotEvaluable: 1},
		Findings: findings,
		Notices:  []string{"rename detection stopped at 1000 files; a moved file may count as deleted and added", "log said \x1b[31mred\x07"},
		Errors: []finding.Problem{
			{File: ".rulecheck/rules/api.md", Line: 3, Column: 1, Code: "unknown_field", Message: `unknown key "trigegr"; did you mean "trigger"?`},
			{File: ".rulecheck/rules/slow.md", Line: 2, Code: report.NotEvaluated, Message: "policy took longer than 5s"},
			{Code: report.NotEvaluated, Message: "no prompt captured [yet]; run rulecheck snapshot take"},
		},
		Rules: rules,
	}
	fillIn(r)
	return r
}

// fillIn copies name, mode, level and body from the rule to its findings.
func fillIn(r *report.Report) {
	for i, f := range r.Findings {
		for _, info := range r.Rules {
			if info.ID == f.Rule {
				f.Name, f.Mode, f.Level, f.Body = info.Name, info.Mode, info.Level, cmp.Or(f.Body, info.Body)
			}
		}
		f.Fingerprint = finding.Fingerprint(f)
		r.Findings[i] = f
	}
	finding.Sort(r.Findings)
}

// Clean returns a check without findings, as sparse as a report can be.
func Clean() *report.Report {
	return &report.Report{
		Version: 1, Command: "check", RulesFrom: "index",
		Baselines: []report.Baseline{
			{Base: diff.Base{ID: "base", Ref: "main", Commit: MergeBase, FoundBy: "merge base with main"}, Head: "index"},
		},
		Changes: map[string][]diff.Change{"base": nil},
		Summary: report.Summary{Changes: 1, Rules: 1},
	}
}

// Broken returns a check with one rule of each level, each with n findings.
func Broken(n int) *report.Report {
	r := Clean()
	for _, level := range finding.Levels() {
		id := "rule-" + string(level)
		r.Rules = append(r.Rules, report.Rule{Info: rule.Info{ID: id, Name: id, Mode: "created", Level: level, Body: "Look at it."}, ListByFiles: true})
		for i := range n {
			path := fmt.Sprintf("%s/%05d.go", level, i)
			r.Findings = append(r.Findings, finding.Finding{Rule: id, Path: path, Line: 1, TriggerFiles: []string{path}, Message: path + " is new"})
		}
	}
	fillIn(r)
	return r
}

// Shuffled returns the report with its findings shuffled and sorted again.
func Shuffled(r *report.Report, seed uint64) *report.Report {
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(r.Findings), func(i, j int) { r.Findings[i], r.Findings[j] = r.Findings[j], r.Findings[i] })
	finding.Sort(r.Findings)
	return r
}
