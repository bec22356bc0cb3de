package check

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// report is everything the judgement has to say.
func (j *judge) report() *report.Report {
	rep := &report.Report{
		Version:     1,
		Command:     "check",
		RulesFrom:   nameOf(j.setting.from),
		Baselines:   []report.Baseline{},
		Changes:     map[string][]diff.Change{},
		Findings:    j.findings,
		Errors:      append(j.setting.problems, j.unjudged...),
		ToolVersion: j.options.Version,
		FailOn:      cmp.Or(j.options.FailOn, j.setting.config.FailOn),
	}
	paths := map[string]bool{}
	for _, c := range j.bases.used {
		rep.Baselines = append(rep.Baselines, report.Baseline{Base: c.Base, Head: nameOf(j.head)})
		rep.Changes[c.Base.ID] = c.Changes
		for _, change := range c.Changes {
			paths[change.Path] = true
		}
		rep.Notices = append(rep.Notices, c.Notices...)
	}
	rep.Notices = append(append(rep.Notices, j.setting.notices...), j.notices...)
	if len(j.setting.skipped) > 0 {
		rep.Notices = append(rep.Notices, "skipped: "+j.skippedWords())
	}
	for _, r := range j.setting.chosen {
		rep.Rules = append(rep.Rules, report.RuleInfo{
			ID: r.ID, Name: r.Name, Mode: r.Mode, Title: j.setting.modes[r.Mode].Title,
			Level: r.Level, Body: r.Body, URL: r.URL, File: r.File, Tags: r.Tags,
		})
	}
	rep.Summary = report.Summary{
		Changes: len(paths), Rules: len(j.setting.chosen) - j.leftOut,
		Waived: waived(j.findings), Skipped: len(j.setting.skipped), NotEvaluable: j.leftOut,
	}
	rep.Summary.Findings = len(j.findings) - rep.Summary.Waived
	return rep
}

func waived(findings []finding.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Waived() {
			n++
		}
	}
	return n
}

// nameOf is a head in a word, or as a commit.
func nameOf(head diff.Head) string {
	if head.Kind == diff.Commit {
		return head.Commit
	}
	return string(head.Kind)
}

func (j *judge) skippedWords() string {
	words := make([]string, 0, len(j.setting.skipped))
	for _, s := range j.setting.skipped {
		words = append(words, fmt.Sprintf("%s (%s)", s.id, s.why))
	}
	return strings.Join(words, ", ")
}
