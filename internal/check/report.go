package check

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// result returns the report of all steps with the verdicts.
func (r *run) result(changes []*change, decided unevaluated, ran commandResult, sessions Sessions, p placed) *Result {
	rep := r.project.Report(r.selected)
	rep.ToolVersion, rep.FailOn = r.Version, r.failOn()
	rep.Branch = r.head.Branch
	if root := r.engine.Root(); root != "" {
		rep.Repository = filepath.Base(root)
	}
	rep.Findings, rep.Sessions, rep.Diagnostics = p.findings, sessions.Rows, sessions.Diagnostics
	rep.Errors = slices.Concat(rep.Errors, decided.problems, sessions.Problems)
	for _, id := range slices.Sorted(maps.Keys(ran.failures)) {
		rep.Errors = append(rep.Errors, setup.NotEvaluated(ran.failures[id]))
	}

	var verdicts []Verdict
	var changesets []diff.Changeset
	var notices []string
	for _, c := range changes {
		if c.missing != nil {
			continue
		}
		verdicts, changesets = append(verdicts, c.verdicts...), append(changesets, c.Changeset)
		rep.Baselines = append(rep.Baselines, report.Baseline{Base: c.Base, Head: setup.HeadName(r.head)})
		rep.Changes[c.base] = c.Changes
		notices = append(notices, c.Notices...)
	}
	rep.Notices = slices.Concat(notices, rep.Notices, ran.notices, sessions.Notices, p.notices)
	if len(r.selected.Skipped) > 0 {
		rep.Notices = append(rep.Notices, "skipped: "+r.selected.SkippedText())
	}
	for _, o := range ran.outcomes {
		rep.Commands = append(rep.Commands, report.Command{
			Rule: o.Rule, Argv: o.Argv, Files: o.Files, Exit: o.Exit, Failed: o.Failed, Changed: o.Changed,
			Idempotent: o.Idempotent, Stdout: string(o.Stdout), Stderr: string(o.Stderr),
		})
	}
	rep.Sandbox = ran.sandbox
	rep.Summary.Unread = r.unread()
	rep.Summary.Changes = countPaths(changesets)
	rep.NotRun, rep.Summary.NotRun = ran.notRun, len(ran.notRun)
	rep.CountRules(decided.rules+len(ran.failures)+sessions.LeftOut, sessions.Partly, sessions.Elsewhere)
	rep.CountFindings()
	rep.MaskSecrets()
	return &Result{Report: rep, Project: r.project, Selected: r.selected, Verdicts: verdicts}
}

// unread counts the files that were not read as lines, by reason.
func (r *run) unread() map[diff.Unread]int {
	e, ok := r.engine.(*remembering)
	if !ok {
		return nil
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var counts map[diff.Unread]int
	for _, why := range e.unread {
		if counts == nil {
			counts = map[diff.Unread]int{}
		}
		counts[why]++
	}
	return counts
}

// countPaths counts the paths that any of the changesets names.
func countPaths(sets []diff.Changeset) int {
	if len(sets) == 1 {
		return len(sets[0].Changes) // their paths differ
	}
	paths := map[string]bool{}
	for _, c := range sets {
		for i := range c.Changes {
			paths[c.Changes[i].Path] = true
		}
	}
	return len(paths)
}
