package format

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// gitLabIssue is one problem in GitLab's form of Code Climate's:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type gitLabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// gitLabBlocker is the severity of what kept rulecheck from checking.
const gitLabBlocker = "blocker"

// gitLabSeverity maps levels as other linters do; a missing test is no critical fault.
var gitLabSeverity = map[finding.Level]string{finding.Error: "major", finding.Warning: "minor", finding.Note: "info"}

// writeGitLab writes the findings that have no waiver, and the problems, as a Code Quality
// report. GitLab compares the fingerprints with those of the target branch.
func writeGitLab(w io.Writer, r *report.Report, _ Options) error {
	issues := []gitLabIssue{}
	add := func(path string, line int, i gitLabIssue) {
		i.Location.Path, i.Location.Lines.Begin = plain.Valid(path), max(line, 1)
		issues = append(issues, i)
	}
	for _, p := range r.Errors {
		id := sha256.Sum256(fmt.Appendf(nil, "%q %d %q %q", p.File, p.Line, p.Code, p.Message))
		add(p.File, p.Line, gitLabIssue{
			Description: p.Message, CheckName: p.Code, Fingerprint: hex.EncodeToString(id[:]), Severity: gitLabBlocker,
		})
	}
	for f := range r.EachFinding() {
		if !f.Waived() {
			add(f.Path, f.Line, gitLabIssue{
				Description: report.Message(f), CheckName: f.Rule, Fingerprint: f.Fingerprint, Severity: gitLabSeverity[f.Level],
			})
		}
	}
	return plain.WriteJSON(w, issues)
}
