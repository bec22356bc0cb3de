package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// lineUnset is the line of a finding that still has to be placed in its file.
const lineUnset = 0

// findings returns the findings of a changeset's violations. If a rule has a command, the
// outcome of the command is the finding of violations with files that it can run on. absentRules are the files of rules that head
// does not have.
func (c *change) findings(absentRules map[string]bool) []finding.Finding {
	gone := diff.GoneNames(c.Changes)
	maps.Copy(gone, absentRules)
	var findings []finding.Finding
	for _, v := range c.verdicts {
		body := instructions(v)
		for _, violation := range v.Violations {
			if v.Rule.Action != nil && len(violation.TriggerFiles) > 0 {
				continue
			}
			f := newFinding(v.Rule, violation, gone)
			f.Body = body
			if f.Line == lineUnset {
				if f.Line = v.lines[f.Path]; f.Line == lineUnset {
					f.Line, f.Column = v.Facts.Parts[f.Path].Line, v.Facts.Parts[f.Path].Column
				}
			}
			for i := range f.Related {
				if at, ok := v.Facts.Parts[f.Related[i].Path]; ok && f.Related[i].Line == 1 {
					f.Related[i].Line = at.Line
				}
			}
			if c.staged == nil || isRelevant(v.Rule, f, c.staged) {
				findings = append(findings, f)
			}
		}
	}
	return findings
}

func newFinding(r *rule.Rule, v policy.Violation, gone map[string]bool) finding.Finding {
	f := finding.Finding{
		Rule: r.ID, Name: r.Name, Mode: r.Mode, Level: r.Level,
		TriggerFiles: v.TriggerFiles,
		Expected:     v.Expected,
		ExpectedAny:  len(v.Expected) > 1 && r.ExpectsAny(),
		Related:      v.Related,
		Message:      cmp.Or(v.Message, r.Name),
	}
	if f.Path, f.Line = placeOf(r, v, gone); f.Path == v.Path {
		f.Column = v.Column
	}
	for _, name := range v.TriggerFiles {
		if name != f.Path && !gone[name] {
			f.Related = append(f.Related, finding.Location{Path: name, Line: 1})
		}
	}
	return f
}

// placeOf returns the place of a violation: the one that its policy gives, else the first
// trigger that still exists, else the rule itself.
func placeOf(r *rule.Rule, v policy.Violation, gone map[string]bool) (path string, line int) {
	if v.Path != "" && !gone[v.Path] {
		return v.Path, v.Line
	}
	for _, name := range v.TriggerFiles {
		if !gone[name] {
			return name, lineUnset
		}
	}
	if r.Tier != rule.ProjectTier || gone[r.File] {
		return setup.ConfigFile, 1 // the rule is not part of the repository
	}
	return r.File, r.Line
}

// absentRules returns the files of rules that head does not have, because the rules were
// read elsewhere.
func (r *run) absentRules(ctx context.Context, changes []*change) (map[string]bool, error) {
	violated := func(c *change) bool {
		return slices.ContainsFunc(c.verdicts, func(v Verdict) bool { return len(v.Violations) > 0 })
	}
	if r.RulesFrom == "" || !slices.ContainsFunc(changes, violated) {
		return nil, nil
	}
	absent := map[string]bool{}
	for _, of := range r.selected.Rules {
		if of.Tier == rule.ProjectTier {
			absent[of.File] = true
		}
	}
	contents, err := r.engine.Contents(ctx, r.head, slices.Sorted(maps.Keys(absent)), 0)
	if err != nil {
		return nil, err
	}
	for name := range contents {
		delete(absent, name)
	}
	return absent, nil
}

// collector returns the collector of waivers at a head.
func (r *run) collector(engine diff.Engine, head diff.Head) *waiver.Collector {
	c := &waiver.Collector{
		Options: r.Waivers, Project: r.project, Engine: engine, Head: head, Staged: r.Staged, FailOn: r.failOn(),
	}
	if r.distrustsChange() && !r.project.Config.TrustWaivers {
		c.Distrust = "the change may not waive: waivers.trust is not set where the rules come from"
	}
	return c
}

// placed are the findings of all changesets, each in its place, waived or not.
type placed struct {
	findings []finding.Finding
	notices  []string
}

// place turns the violations, the findings of commands by base, and those of sessions
// into one list. Findings of sessions have a place already; the change since the usual
// base waives them.
func (r *run) place(ctx context.Context, changes []*change, ofCommands map[string][]finding.Finding, ofSessions []finding.Finding) (p placed, err error) {
	waivers := r.collector(r.engine, r.head)
	if slices.ContainsFunc(changes, func(c *change) bool { return c.staged != nil && len(c.staged) == 0 }) {
		p.notices = append(p.notices, "nothing is staged")
	}
	absent, err := r.absentRules(ctx, changes)
	if err != nil {
		return p, err
	}
	for _, c := range changes {
		if c.missing != nil {
			continue
		}
		ofChange := c.findings(absent)
		ends := async.Go(r.background, func() (map[string]diff.Departure, error) { return r.ends(ctx, c.Head, ofChange) })
		gone, err := r.gone(ctx, c)
		if err != nil {
			return p, err
		}
		findings := slices.Concat(ofCommands[c.base], ofChange, gone)
		if c.base == r.baseID(diff.MergeBase) {
			findings, ofSessions = append(findings, ofSessions...), nil
		}
		collected := async.Go(r.background, func() (waiver.Set, error) { return waivers.Collect(ctx, c.Changeset, c.staged, findings) })
		if p.notices, err = r.setLines(ctx, c, findings, p.notices); err != nil {
			return p, err
		}
		ended, err := ends()
		if err != nil {
			return p, err
		}
		tellEnds(findings[len(ofCommands[c.base]):][:len(ofChange)], ended)
		set, err := collected()
		if err != nil {
			return p, err
		}
		notices, err := waivers.Apply(ctx, findings, set, c.staged)
		if err != nil {
			return p, err
		}
		p.notices = append(p.notices, notices...)
		p.findings = append(p.findings, findings...)
	}
	p.findings = append(p.findings, ofSessions...) // if there is no such base
	finding.Sort(p.findings)
	finding.Identify(p.findings) // before some are left out: the nth of equal ones stays the nth
	r.project.Known.Waive(p.findings, waivers.KnownNotHonoured())
	r.onlyPaths(&p)
	p.notices = append(p.notices, waivers.Advise(p.findings)...)
	if !r.LineHashes {
		return p, nil
	}
	return p, finding.HashLines(p.findings, func(paths []string, limit int64) (map[string][]byte, error) {
		return r.engine.Contents(ctx, r.head, paths, limit)
	})
}

// maxLineLookups is the number of files of one changeset in which changed lines are
// looked up: the number of results that GitHub keeps of one SARIF run. For longer lists
// git would take seconds to compute the lines.
const maxLineLookups = 5000

// setLines gives every finding without a line the first changed line of its file, or
// line 1 if git knows none.
func (r *run) setLines(ctx context.Context, c *change, findings []finding.Finding, notices []string) ([]string, error) {
	wanted := map[string]bool{}
	for _, f := range findings {
		if f.Line == lineUnset {
			wanted[f.Path] = true
		}
	}
	var changes []diff.Change
	if !r.ofStack {
		changes = c.modified(wanted)
	}
	if len(changes) > maxLineLookups {
		notices = append(notices, fmt.Sprintf("findings in %d more files are placed on line 1: changed lines are looked up in %d files",
			len(changes)-maxLineLookups, maxLineLookups))
		changes = changes[:maxLineLookups]
	}
	lines, err := r.linesOf(ctx, c, changes)
	if err != nil {
		return notices, err
	}
	for i := range findings {
		if f := &findings[i]; f.Line == lineUnset {
			f.Line = 1
			if changed := lines[f.Path]; len(changed) > 0 {
				f.Line = changed[0].First
			}
		}
	}
	return notices, nil
}
