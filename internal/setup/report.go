package setup

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Report returns a report with the selected rules and what is known before any of
// them is evaluated.
func (p *Project) Report(selected Selected) *report.Report {
	rep := &report.Report{
		Version:   report.Version,
		Command:   "check",
		RulesFrom: HeadName(p.Head),
		Baselines: []report.Baseline{},
		Changes:   map[string][]diff.Change{},
		Errors:    p.Problems,
		Notices:   p.Notices,
	}
	for _, r := range selected.Rules {
		mode := p.Modes.Of(r.Mode)
		rep.Rules = append(rep.Rules, report.Rule{
			Info: r.Info, Title: mode.Title, Description: strings.Join(strings.Fields(mode.Description), " "), Examples: mode.Examples,
			ListByFiles: mode.Listing == policies.ListByFiles, Command: r.Action != nil, Parts: aboutParts(r),
		})
	}
	rep.Summary = report.Summary{Rules: len(selected.Rules), Skipped: len(selected.Skipped)}
	return rep
}

// aboutParts reports whether parts of files trigger a rule.
func aboutParts(r *rule.Rule) bool {
	for param, patterns := range r.Patterns {
		if param != rule.Safety && param != rule.Exclude && slices.ContainsFunc(patterns, (*pattern.Pattern).HasPart) {
			return true
		}
	}
	return false
}

// HeadName returns the kind of a head, or the id of a commit.
func HeadName(head diff.Head) string {
	if head.Kind == diff.Commit {
		return head.Commit
	}
	return string(head.Kind)
}
