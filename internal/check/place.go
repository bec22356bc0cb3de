package check

import (
	"cmp"
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// goneNames are the changed names that no longer exist at head: that one change
// takes away and no other gives.
func goneNames(changes []diff.Change) map[string]bool {
	gone := map[string]bool{}
	for i := range changes {
		if c := &changes[i]; c.Status == diff.Deleted {
			gone[c.Path] = true
		} else if c.Status == diff.Renamed {
			gone[c.OldPath] = true
		}
	}
	if len(gone) == 0 {
		return gone
	}
	for i := range changes {
		if c := &changes[i]; c.Status != diff.Deleted {
			delete(gone, c.Path)
		}
	}
	return gone
}

// anyLine marks a finding that still wants a line of its file.
const anyLine = 0

func findingsOf(v verdict, gone map[string]bool) []finding.Finding {
	r := v.rule
	body := instructions(r, v)
	findings := make([]finding.Finding, 0, len(v.violations))
	for _, violation := range v.violations {
		f := finding.Finding{
			Rule: r.ID, Name: r.Name, Mode: r.Mode, Level: r.Level,
			TriggerFiles: violation.TriggerFiles,
			Expected:     violation.Expected,
			Related:      violation.Related,
			Message:      cmp.Or(violation.Message, r.Name),
			Body:         body,
		}
		f.Path, f.Line = whereOf(r, violation, gone)
		for _, name := range violation.TriggerFiles {
			if name != f.Path && !gone[name] {
				f.Related = append(f.Related, finding.Location{Path: name, Line: 1})
			}
		}
		findings = append(findings, f)
	}
	return findings
}

// whereOf finds the place of a violation: where its policy puts it, else the
// first trigger that is still there, else the rule itself.
func whereOf(r *rule.Rule, v policy.Violation, gone map[string]bool) (path string, line int) {
	if v.Path != "" && !gone[v.Path] {
		return v.Path, v.Line
	}
	for _, name := range v.TriggerFiles {
		if !gone[name] {
			return name, anyLine
		}
	}
	if r.Tier != rule.ProjectTier || gone[r.File] {
		return setup.ConfigFile, 1 // the rule is not part of what is judged
	}
	return r.File, r.Line
}

// placeable is in how many files of one changeset lines are looked up: as many as
// results GitHub keeps of one SARIF run. A change in which more is wrong is not
// read finding by finding, and git takes seconds to tell the lines.
const placeable = 5000

// putOnChangedLines gives every finding without a line the first changed line
// of its file, or line 1 where git knows of none.
func (j *judge) putOnChangedLines(ctx context.Context, c diff.Changeset, findings []finding.Finding) error {
	wanted := map[string]bool{}
	for _, f := range findings {
		if f.Line == anyLine {
			wanted[f.Path] = true
		}
	}
	changes := linedIn(c, wanted)
	if len(changes) > placeable {
		j.notices = append(j.notices, fmt.Sprintf("findings in %d further files stand on line 1: the changed lines of %d were looked up",
			len(changes)-placeable, placeable))
		changes = changes[:placeable]
	}
	lines, err := j.linesOf(ctx, c, changes)
	if err != nil {
		return err
	}
	for i := range findings {
		if f := &findings[i]; f.Line == anyLine {
			f.Line = 1
			if changed := lines[f.Path]; len(changed) > 0 {
				f.Line = changed[0].First
			}
		}
	}
	return nil
}
