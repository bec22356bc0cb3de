package report_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
)

func TestVerdict(t *testing.T) {
	of := func(level finding.Level) finding.Finding { return finding.Finding{Level: level} }
	waived, deferred := of(finding.Error), of(finding.Error)
	waived.Waiver, deferred.Deferred = &finding.Waiver{Reason: "r"}, true
	index := []report.Baseline{{Head: "index"}}
	checked := report.Report{RulesFrom: "index", Baselines: index, Summary: report.Summary{Changes: 3, Rules: 2}}
	for want, change := range map[string]func(*report.Report){
		"passed: no findings; 3 changes, 2 rules":                func(*report.Report) {},
		"passed: nothing changed; 2 rules":                       func(r *report.Report) { r.Summary.Changes = 0 },
		"not checked: no rule applies; 3 changes, 2 skipped":     func(r *report.Report) { r.Summary.Rules, r.Summary.Skipped = 0, 2 },
		"passed: no findings; 3 changes, 2 rules (from 1a2b3c4)": func(r *report.Report) { r.RulesFrom = strings.Repeat("1a2b3c4d", 5) },
		"passed: no sessions; 2 rules":                           func(r *report.Report) { r.Command, r.RulesFrom = report.Audit, "worktree" },
		"passed: 1 warning; 3 changes, 2 rules":                  func(r *report.Report) { r.Findings = []finding.Finding{of(finding.Warning)} },
		"failed: 1 error, 2 notes; 3 changes, 2 rules, 1 waived": func(r *report.Report) {
			r.Findings = []finding.Finding{of(finding.Error), of(finding.Note), of(finding.Note), waived}
			r.Summary.Waived = 1
		},
		"failed: 1 warning; 3 changes, 2 rules": func(r *report.Report) {
			r.Findings, r.FailOn = []finding.Finding{of(finding.Warning)}, finding.Warning
		},
		"passed: 1 note; 3 changes, 2 rules": func(r *report.Report) {
			r.Findings, r.FailOn = []finding.Finding{of(finding.Note)}, finding.Warning
		},
		"passed: the commit message may waive 1 finding; 1 error, 1 note; 3 changes, 2 rules": func(r *report.Report) {
			r.Findings = []finding.Finding{deferred, of(finding.Note)}
		},
		"failed: 2 errors; 3 changes, 2 rules": func(r *report.Report) { r.Findings = []finding.Finding{deferred, of(finding.Error)} },
		"failed: 1 problem in rules or configuration; 3 changes, 2 rules": func(r *report.Report) {
			r.Errors = []finding.Problem{{Code: "unknown_field"}}
		},
		"failed: not everything could be checked, 1 problem in rules or configuration; 1 warning; 3 changes, 2 rules, 1 could not be checked": func(r *report.Report) {
			r.Errors = []finding.Problem{{Code: "unknown_field"}, {Code: report.NotEvaluated}}
			r.Findings, r.Summary.NotEvaluable = []finding.Finding{of(finding.Warning)}, 1
		},
	} {
		r := checked
		change(&r)
		if got := r.Verdict(); got != want {
			t.Errorf("verdict = %q, want %q", got, want)
		}
	}
}

// The verdict agrees with the exit status, whatever is in the report.
func TestVerdictIsTheExitStatus(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom(finding.Levels())
		r := report.Report{FailOn: rapid.SampledFrom(append(finding.Levels(), "")).Draw(t, "fail on")}
		for range rapid.IntRange(0, 3).Draw(t, "findings") {
			f := finding.Finding{Level: level.Draw(t, "level"), Deferred: rapid.Bool().Draw(t, "deferred")}
			switch rapid.IntRange(0, 2).Draw(t, "waiver") {
			case 1:
				f.Waiver = &finding.Waiver{Reason: "r"}
			case 2:
				f.Waiver = &finding.Waiver{Reason: "r", NotHonoured: "n"}
			}
			r.Findings = append(r.Findings, f)
		}
		for range rapid.IntRange(0, 2).Draw(t, "errors") {
			r.Errors = append(r.Errors, finding.Problem{Code: rapid.SampledFrom([]string{"x", report.NotEvaluated}).Draw(t, "code")})
		}
		r.Summary.Rules = rapid.IntRange(0, 2).Draw(t, "rules")
		want := map[bool]string{true: "passed: ", false: "failed: "}[r.Status(r.FailOn) == 0]
		line := want
		if r.Summary.Rules == 0 && want == "passed: " {
			line = "not checked: "
		}
		if got := r.Verdict(); !strings.HasPrefix(got, line) {
			t.Errorf("verdict = %q, want it to begin with %q", got, line)
		}
		s, counted := r.FullSummary(), 0
		for _, f := range r.Findings {
			if !f.Waived() {
				counted++
			}
		}
		if s.Verdict+": " != want || s.Exit != r.Status(r.FailOn) || s.Errors+s.Warnings+s.Notes != counted {
			t.Errorf("summary = %+v, want %q, exit status %d and %d findings", s, want, r.Status(r.FailOn), counted)
		}
	})
}
