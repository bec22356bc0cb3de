package report_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/reporttest"
)

func TestStatus(t *testing.T) {
	found := func(level finding.Level) []finding.Finding { return []finding.Finding{{Level: level}} }
	waived := []finding.Finding{{Level: finding.Error, Waiver: &finding.Waiver{Reason: "generated"}}}
	refused := []finding.Finding{{Level: finding.Error, Waiver: &finding.Waiver{Reason: "generated", NotHonoured: "--no-waivers"}}}
	deferred := []finding.Finding{{Level: finding.Error, Deferred: true}}
	malformed := finding.Problem{Code: "unknown_field"}
	notEvaluated := finding.Problem{Code: report.NotEvaluated}
	tests := []struct {
		name     string
		findings []finding.Finding
		errors   []finding.Problem
		failOn   finding.Level
		want     int
	}{
		{"clean", nil, nil, finding.Error, 0},
		{"finding", found(finding.Error), nil, finding.Error, 1},
		{"finding above the level", found(finding.Error), nil, finding.Note, 1},
		{"finding below the level", found(finding.Warning), nil, finding.Error, 0},
		{"finding where no level was asked", found(finding.Error), nil, "", 1},
		{"waived finding", waived, nil, finding.Error, 0},
		{"waiver that is not honoured", refused, nil, finding.Error, 1},
		{"finding that waits for the message", deferred, nil, finding.Note, 0},
		{"malformed rule", nil, []finding.Problem{malformed}, finding.Error, 2},
		{"malformed rule and a finding", found(finding.Error), []finding.Problem{malformed}, finding.Error, 2},
		{"not evaluated", nil, []finding.Problem{notEvaluated}, finding.Error, 3},
		{"all of it", found(finding.Error), []finding.Problem{malformed, notEvaluated, malformed}, finding.Error, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &report.Report{Findings: tt.findings, Errors: tt.errors}
			if got := r.Status(tt.failOn); got != tt.want {
				t.Errorf("Status(%s) = %d, want %d", tt.failOn, got, tt.want)
			}
		})
	}
}

func TestBaselineString(t *testing.T) {
	b := reporttest.Rich().Baselines[0]
	const want = "worktree against 1a2b3c4, merge base with origin/main (origin/HEAD)"
	if got := b.String(); got != want {
		t.Errorf("String() = %q\nwant %q", got, want)
	}
	b.Ref, b.Head, b.FoundBy = "", reporttest.Tip, "snapshot of the last prompt"
	if got, want := b.String(), "9f8e7d6 against 1a2b3c4, snapshot of the last prompt"; got != want {
		t.Errorf("String() = %q\nwant %q", got, want)
	}
}
