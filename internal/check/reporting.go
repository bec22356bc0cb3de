package check

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/policies"
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
		FailOn:      j.failOn(),
	}
	for _, c := range j.used() {
		rep.Baselines = append(rep.Baselines, report.Baseline{Base: c.Base, Head: nameOf(j.head)})
		rep.Changes[c.Base.ID] = c.Changes
		rep.Notices = append(rep.Notices, c.Notices...)
	}
	rep.Notices = append(append(rep.Notices, j.setting.notices...), j.notices...)
	if len(j.setting.skipped) > 0 {
		rep.Notices = append(rep.Notices, "skipped: "+j.skippedWords())
	}
	for _, r := range j.setting.chosen {
		mode := j.setting.modes[r.Mode]
		rep.Rules = append(rep.Rules, report.Rule{
			Info: r.Info, Title: mode.Title, ListByFiles: mode.Listing == policies.ListByFiles, Command: r.Action != nil,
		})
	}
	rep.Summary = report.Summary{
		Changes: changedPaths(j.used()), Rules: len(j.setting.chosen) - j.leftOut,
		Waived: waived(j.findings), Skipped: len(j.setting.skipped), NotEvaluable: j.leftOut,
	}
	for _, o := range j.outcomes {
		rep.Commands = append(rep.Commands, report.Command{
			Rule: o.Rule, Argv: o.Argv, Files: o.Files, Exit: o.Exit, Failed: o.Failed, Changed: o.Changed,
			Idempotent: o.Idempotent, Stdout: string(o.Stdout), Stderr: string(o.Stderr),
		})
	}
	rep.Sessions, rep.Diagnostics = j.sessions, j.diagnostics
	rep.Summary.Findings = len(j.findings) - rep.Summary.Waived
	return rep
}

// changedPaths counts the paths that any of the changesets names.
func changedPaths(sets []diff.Changeset) int {
	if len(sets) == 1 {
		return len(sets[0].Changes) // each has a path of its own
	}
	paths := map[string]bool{}
	for _, c := range sets {
		for i := range c.Changes {
			paths[c.Changes[i].Path] = true
		}
	}
	return len(paths)
}

// used are the changesets that were judged; an audit has none.
func (j *judge) used() []diff.Changeset {
	if j.bases == nil {
		return nil
	}
	return j.bases.used
}

// failOn is the least grave level that fails the run.
func (j *judge) failOn() finding.Level { return cmp.Or(j.options.FailOn, j.setting.config.FailOn) }

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

// skippedWords lists the rules that are not judged by who chose so.
func (j *judge) skippedWords() string {
	var reasons []string
	ids := map[string][]string{}
	for _, s := range j.setting.skipped {
		if ids[s.why] == nil {
			reasons = append(reasons, s.why)
		}
		ids[s.why] = append(ids[s.why], s.id)
	}
	words := make([]string, 0, len(reasons))
	for _, why := range reasons {
		words = append(words, fmt.Sprintf("%s (%s)", strings.Join(ids[why], ", "), why))
	}
	return strings.Join(words, ", ")
}
