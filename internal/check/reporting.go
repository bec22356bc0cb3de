package check

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// report is everything the judgement has to say.
func (j *judge) report() *report.Report {
	rep := j.project.Report(j.selected)
	rep.Findings, rep.ToolVersion, rep.FailOn = j.findings, j.options.Version, j.failOn()
	rep.Errors = append(rep.Errors, j.unjudged...)
	changeNotices := []string{}
	for _, c := range j.used() {
		rep.Baselines = append(rep.Baselines, report.Baseline{Base: c.Base, Head: setup.HeadName(j.head)})
		rep.Changes[c.Base.ID] = c.Changes
		changeNotices = append(changeNotices, c.Notices...)
	}
	rep.Notices = slices.Concat(changeNotices, rep.Notices, j.notices)
	if len(j.selected.Skipped) > 0 {
		rep.Notices = append(rep.Notices, "skipped: "+j.selected.SkippedText())
	}
	rep.Summary.Changes = changedPaths(j.used())
	rep.Summary.Rules -= j.leftOut
	rep.Summary.NotEvaluable = j.leftOut
	rep.Summary.Waived = waived(j.findings)
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
func (j *judge) failOn() finding.Level { return cmp.Or(j.options.FailOn, j.project.Config.FailOn) }

func waived(findings []finding.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Waived() {
			n++
		}
	}
	return n
}
