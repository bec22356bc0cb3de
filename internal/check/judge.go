package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// decideAll asks the policies about every chosen rule.
func (j *judge) decideAll(ctx context.Context) error {
	byBase := map[string][]*rule.Rule{}
	for _, r := range j.setting.chosen {
		id := j.options.baseID(r.CompareTo)
		byBase[id] = append(byBase[id], r)
	}
	if j.options.overridesBase() {
		id := j.options.baseID("")
		byBase[id] = slices.Clip(byBase[id]) // what changed is told even where no rule asks
	}
	ids := slices.Sorted(maps.Keys(byBase))
	for _, id := range ids {
		j.bases.begin(ctx, id)
	}
	for _, id := range ids {
		changes, err := j.bases.wait(id)
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
	j.unjudged = append(j.unjudged, rule.Problem{Code: report.NotEvaluated, Message: why.Error()})
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
	facts := correspondence.Establish(rules, j.setting.modes, c.Changes, files)
	verdicts := make([]verdict, len(rules))
	for i, r := range rules {
		verdicts[i] = verdict{rule: r, changeset: c, facts: facts[i]}
	}
	errs := iter.Map(verdicts, func(v *verdict) (err error) {
		v.violations, err = j.engine.Decide(ctx, policy.Input{
			Rule: policy.RuleFacts{
				ID: v.rule.ID, Name: v.rule.Name, Mode: v.rule.Mode, Level: v.rule.Level, Params: v.rule.Params,
			},
			Base:            c.Base,
			Head:            c.Head,
			Changes:         c.Changes,
			Matches:         v.facts.Matches,
			Correspondences: v.facts.Correspondences,
		})
		return err
	})
	for i, err := range errs {
		if err == nil && len(verdicts[i].violations) > 0 && rules[i].Action != nil {
			err = fmt.Errorf("rule %s: it asks for the command %q, and this version runs none", rules[i].ID, rules[i].Action.Argv)
		}
		if err == nil {
			j.verdicts = append(j.verdicts, verdicts[i])
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.leave(rules[i:i+1], err)
	}
	return nil
}

// findAll turns the violations into findings, changeset by changeset: those
// that concern the commit, waived or not, each in its place.
func (j *judge) findAll(ctx context.Context) error {
	for _, c := range j.bases.used {
		gone := goneNames(c.Changes)
		staged, err := j.stagedIn(c)
		if err != nil {
			return err
		}
		var findings []finding.Finding
		for _, v := range j.verdicts {
			if v.changeset.Base.ID != c.Base.ID {
				continue
			}
			for _, f := range findingsOf(v, gone) {
				if !j.options.Staged || concerns(v.rule, f, staged) {
					findings = append(findings, f)
				}
			}
		}
		promises := begin(func() ([]promise, error) { return j.promises(ctx, c, findings) })
		if err := j.putOnChangedLines(ctx, c, findings); err != nil {
			return err
		}
		made, err := promises()
		if err != nil {
			return err
		}
		waive(findings, made)
		j.findings = append(j.findings, findings...)
	}
	for i := range j.findings {
		j.findings[i].Fingerprint = finding.Fingerprint(j.findings[i])
	}
	finding.Sort(j.findings)
	if j.options.LineHashes {
		return j.hashLines(ctx, j.findings)
	}
	return nil
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
