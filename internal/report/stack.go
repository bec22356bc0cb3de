package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// StackCommit is one commit of a stack, checked against its parent.
type StackCommit struct {
	Commit   string `json:"commit"`
	Parent   string `json:"parent,omitempty"` // the first; empty: none
	ChangeID string `json:"change_id,omitempty"`
	Subject  string `json:"subject"`
	Merge    bool   `json:"merge,omitempty"`
	Verdict  string `json:"verdict"` // one of the constants below
	// Findings are those of a check of the commit alone, waived or not.
	Findings []finding.Finding `json:"findings"`
	NotRun   []string          `json:"not_run,omitempty"` // ids of rules that fired and whose command ran on the whole stack only
}

// Verdicts of a commit of a stack.
const (
	StackPassed   = "passed"
	StackFailed   = "failed"   // has findings that fail it, and that the stack still has
	StackRepaired = "repaired" // has findings that fail it, all of which the rest of the stack repairs
	StackUnknown  = "unknown"  // could not be checked
)

// Line describes the commit and its verdict in one line.
func (c StackCommit) Line() string {
	open, waived, repaired := 0, 0, 0
	var by []string
	for _, f := range c.Findings {
		switch {
		case f.Waiver != nil && f.Waiver.Source == finding.Repaired:
			repaired++
			if id := cmp.Or(ShortCommit(f.Waiver.Commit), "earlier commits"); !slices.Contains(by, id) {
				by = append(by, id)
			}
		case f.Waived():
			waived++
		default:
			open++
		}
	}
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	add(open, Count(open, "finding"))
	add(repaired, Count(repaired, "finding")+" repaired by "+strings.Join(by, ", "))
	add(waived, Count(waived, "finding")+" waived")
	add(len(c.NotRun), Count(len(c.NotRun), "command")+" run on the whole stack only")
	line := ShortCommit(c.Commit) + " " + c.Verdict + ": " + Truncate(c.Subject, maxSubject)
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, ", ") + ")"
	}
	return line
}

// maxSubject is the length in characters to which the subject of a commit is cut.
const maxSubject = 72

// inCommits names the commits of a stack whose own changes have a finding.
func inCommits(f finding.Finding) string {
	ids := make([]string, 0, len(f.Commits))
	for _, id := range f.Commits {
		ids = append(ids, ShortCommit(id))
	}
	if len(ids) == 0 {
		return ""
	}
	return "in " + finding.ShortPathList(ids)
}
