package check

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/waiver"
	"github.com/rulecheck/rulecheck/policies"
)

// decideAll asks the policies about every chosen rule.
func (j *judge) decideAll(ctx context.Context) error {
	byBase := map[string][]*rule.Rule{}
	told := j.options.overridesBase() // what changed, even where no rule asks
	for _, r := range j.selected.Rules {
		if j.aboutSessions(r) {
			told = true // for what waives their findings
			continue
		}
		id := j.options.baseID(r.CompareTo)
		byBase[id] = append(byBase[id], r)
	}
	if told {
		id := j.options.baseID(diff.MergeBase)
		byBase[id] = slices.Clip(byBase[id])
	}
	ids := slices.Sorted(maps.Keys(byBase))
	for _, id := range ids {
		j.bases.begin(ctx, id)
	}
	for _, id := range ids {
		changes, err := j.bases.wait(ctx, id)
		if unjudgeable(err) {
			j.leave(byBase[id], err)
			continue
		}
		if err != nil {
			return err
		}
		if err := j.decide(ctx, byBase[id], changes); err != nil {
			return err
		}
	}
	return nil
}

// leave records rules that have no verdict.
func (j *judge) leave(rules []*rule.Rule, why error) {
	j.leftOut += len(rules)
	j.unjudged = append(j.unjudged, setup.NotEvaluated(why))
}

// decide establishes the facts of rules over one changeset and lets their
// policies decide, several at a time.
func (j *judge) decide(ctx context.Context, rules []*rule.Rule, c diff.Changeset) error {
	var files []string
	if j.files != nil {
		var err error
		if files, err = j.files(); err != nil {
			return err
		}
	}
	said := j.askConditions(ctx, rules, c)
	verdicts := make([]verdict, len(rules))
	var awake []*rule.Rule // of the others nothing need be known
	for i, r := range rules {
		condition, ok := said[r.ID]
		verdicts[i] = verdict{rule: r, changeset: c, idle: ok && !condition.Holds}
		if !verdicts[i].idle {
			awake = append(awake, r)
		}
	}
	facts := correspondence.Establish(awake, j.project.Modes, c.Changes, files)
	untold := correspondence.Detail(ctx, j.git, c, awake, j.project.Modes, facts)
	var concerned []*rule.Rule
	for i := range verdicts {
		v := &verdicts[i]
		if v.idle {
			continue
		}
		v.facts, facts = facts[0], facts[1:]
		if v.unmatched = silent(j.project.Modes[v.rule.Mode], v.facts); !v.unmatched {
			concerned = append(concerned, v.rule)
		}
	}
	var engine *policy.Engine
	if len(concerned) > 0 {
		j.guessLines(ctx, c, verdicts)
		var err error
		if engine, err = j.engine(); err != nil {
			return err
		}
	}
	deciders := iter.Mapper[verdict, error]{MaxGoroutines: min(1+len(concerned)/fewDecisions, runtime.GOMAXPROCS(0))}
	errs := deciders.Map(verdicts, func(v *verdict) (err error) {
		if v.idle {
			return said[v.rule.ID].Err
		}
		if err := untold[v.rule.Mode]; err != nil {
			return fmt.Errorf("rule %s: %w", v.rule.ID, err)
		}
		if v.unmatched {
			return nil
		}
		v.violations, err = engine.Decide(ctx, policy.Input{
			Rule:            v.rule.Info,
			Base:            c.Base,
			Head:            policy.HeadFacts{Head: c.Head, Event: j.options.Event},
			Changes:         v.facts.Changes,
			Matches:         v.facts.Matches,
			Correspondences: v.facts.Correspondences,
			Now:             j.options.now(),
		})
		return err
	})
	for i, err := range errs {
		v := verdicts[i]
		if err == nil {
			j.verdicts = append(j.verdicts, v)
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.leave([]*rule.Rule{v.rule}, err)
	}
	return nil
}

// fewDecisions is how many rules are decided before another processor, that may have
// git to work for, would be awake.
const fewDecisions = 16

// silent reports whether the policy of a mode has nothing to say of facts. Only of
// the program's own, which look at what matches, is that known without asking.
func silent(mode policies.Mode, facts correspondence.Facts) bool {
	return facts.None() && !mode.Project && !slices.Contains(mode.Facts, policies.FactChanges)
}

// findAll turns the violations into findings, changeset by changeset: those
// that concern the commit, waived or not, each in its place.
// Those of rules with a command are what came of it. Those of sessions are
// placed already, and waived by what the change to the usual base says.
func (j *judge) findAll(ctx context.Context, ran map[string][]finding.Finding, ofSessions []finding.Finding) error {
	waivers := &waiver.Collector{
		Options: j.options.Waivers, Project: j.project, Engine: j.git, Head: j.head, Staged: j.options.Staged, FailOn: j.failOn(),
	}
	for _, c := range j.bases.used {
		gone := goneNames(c.Changes)
		staged, err := j.stagedIn(c)
		if err != nil {
			return err
		}
		findings := ran[c.Base.ID]
		for _, v := range j.verdicts {
			if v.changeset.Base.ID != c.Base.ID || v.rule.Action != nil {
				continue
			}
			for _, f := range findingsOf(v, gone) {
				if !j.options.Staged || concerns(v.rule, f, staged) {
					findings = append(findings, f)
				}
			}
		}
		if c.Base.ID == j.options.baseID(diff.MergeBase) {
			findings, ofSessions = append(findings, ofSessions...), nil
		}
		collected := async.Go(j.under, func() (waiver.Set, error) { return waivers.Collect(ctx, c, staged, findings) })
		if err := j.putOnChangedLines(ctx, c, findings); err != nil {
			return err
		}
		set, err := collected()
		if err != nil {
			return err
		}
		notices, err := waivers.Apply(ctx, findings, set, staged)
		if err != nil {
			return err
		}
		j.notices = append(j.notices, notices...)
		j.findings = append(j.findings, findings...)
	}
	j.findings = append(j.findings, ofSessions...) // there is no such base
	finding.Sort(j.findings)
	finding.Identify(j.findings)
	j.notices = append(j.notices, waivers.Advise(j.findings)...)
	if !j.options.LineHashes {
		return nil
	}
	return finding.HashLines(j.findings, func(paths []string, limit int64) (map[string][]byte, error) {
		return j.git.Contents(ctx, j.head, paths, limit)
	})
}

// stagedIn gives the names that the commit in the making changes; nil where
// none is judged.
func (j *judge) stagedIn(c diff.Changeset) (map[string]bool, error) {
	if !j.options.Staged {
		return nil, nil
	}
	staged, err := j.bases.stagedBeside(c)
	const nothing = "nothing is staged"
	if err == nil && len(staged) == 0 && !slices.Contains(j.notices, nothing) {
		j.notices = append(j.notices, nothing)
	}
	return staged, err
}
