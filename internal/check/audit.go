package check

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

// Audit judges sessions alone, by the rules of the working tree.
func Audit(ctx context.Context, git diff.Engine, o Options) (*report.Report, error) {
	set, err := ReadRules(ctx, git, o.User)
	if err != nil {
		return nil, err
	}
	var under sync.WaitGroup
	defer under.Wait()
	j := &judge{options: o, git: git, setting: set.setting, under: &under}
	if j.head, err = git.Head(ctx, diff.Worktree, ""); err != nil {
		return nil, err
	}
	if err := j.setting.choose(o.Selection); err != nil {
		return nil, err
	}
	if err := j.setting.admits(o.Version); err != nil {
		return nil, err
	}
	j.setting.chosen = slices.DeleteFunc(j.setting.chosen, func(r *rule.Rule) bool { return !j.judgesSessions(r) })
	rules := j.setting.chosen
	for _, r := range rules {
		if r.When != nil {
			j.leave([]*rule.Rule{r}, fmt.Errorf("rule %s: its condition asks about a change, and an audit has none", r.ID))
		}
	}
	rules = slices.DeleteFunc(slices.Clone(rules), func(r *rule.Rule) bool { return r.When != nil })
	found, err := j.audit(ctx, rules)
	if err != nil {
		return nil, err
	}
	j.findings = found
	finding.Sort(j.findings)
	finding.Identify(j.findings)
	if o.LineHashes {
		if err := j.hashLines(ctx, j.findings); err != nil {
			return nil, err
		}
	}
	rep := j.report()
	rep.Command = report.Audit
	return rep, nil
}

// judgesSessions reports whether a rule is about sessions.
func (j *judge) judgesSessions(r *rule.Rule) bool { return j.setting.modes[r.Mode].Session() }

// sessionRules are those of the chosen rules that judge sessions, but for those
// whose condition does not hold for what changed.
func (j *judge) sessionRules(ctx context.Context) ([]*rule.Rule, error) {
	if j.options.Logs.Off {
		return nil, nil
	}
	var rules []*rule.Rule
	for _, r := range j.setting.chosen {
		if j.judgesSessions(r) {
			rules = append(rules, r)
		}
	}
	conditional := func(r *rule.Rule) bool { return r.When != nil }
	if !slices.ContainsFunc(rules, conditional) {
		return rules, nil
	}
	c, err := j.bases.wait(ctx, j.options.baseID(diff.MergeBase))
	if err != nil && !unjudgeable(err) {
		return nil, err
	}
	said := map[string]condition.Result{}
	if err == nil {
		said = j.askConditions(ctx, rules, c)
	}
	return slices.DeleteFunc(rules, func(r *rule.Rule) bool {
		if r.When == nil {
			return false
		}
		verdict := said[r.ID]
		if err == nil && verdict.Err == nil {
			return !verdict.Holds
		}
		if err == nil {
			j.leave([]*rule.Rule{r}, verdict.Err)
		} else {
			j.leave([]*rule.Rule{r}, err)
		}
		return true
	}), nil
}

// auditBeside judges the sessions whose logs lie with what changed.
func (j *judge) auditBeside(ctx context.Context) ([]finding.Finding, error) {
	rules, err := j.sessionRules(ctx)
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	return j.audit(ctx, rules)
}

// audit judges the sessions of all logs by rules.
func (j *judge) audit(ctx context.Context, rules []*rule.Rule) ([]finding.Finding, error) {
	a := newAuditor(j.git.Root())
	for _, r := range rules {
		a.rules = append(a.rules, newSessionRule(r, j.setting.modes[r.Mode]))
	}
	if err := j.addWorkflow(a); err != nil {
		return nil, err
	}
	engine := begin(j.under, func() (*policy.Engine, error) { return policy.NewFor(ctx, j.setting.bundle, modesOf(a.rules)) })
	logs := j.options.Logs
	inputs, err := logs.inputs(ctx, j.git, j.head, j.setting.config.Sessions)
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		j.notices = append(j.notices, "no sessions were judged: there are no logs; name them with sessions in "+ConfigFile)
		return nil, nil
	}
	o := agentlog.Options{Jobs: logs.Jobs, Progress: logs.Progress}
	summary, err := agentlog.Each(ctx, inputs, o, func(s session.Session) error {
		if !logs.wants(&s, a.root) {
			return nil
		}
		var err error
		if a.engine, err = engine(); err != nil {
			return err
		}
		visits := s.Visits()
		found, err := a.visits(ctx, &s, visits)
		if err != nil {
			return err
		}
		row := rowOf(&s, visits, found)
		if logs.Timeline {
			row.Timeline = timelineOf(&s)
		}
		j.sessions = append(j.sessions, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	j.diagnostics = append(j.diagnostics, summary.Diagnostics...)
	j.tellUnknown(a)
	return a.findings, nil
}

// tellUnknown reports what could not be judged: by default in words, which change
// no status.
func (j *judge) tellUnknown(a *auditor) {
	left := map[string]bool{}
	for key := range a.unknown {
		left[key.rule] = true
	}
	for _, why := range a.untold() {
		if j.options.Logs.Strict {
			j.unjudged = append(j.unjudged, notEvaluated(why))
		} else {
			j.notices = append(j.notices, why.Error())
		}
	}
	for id := range a.failures {
		left[id] = true
	}
	for _, why := range a.failed() {
		j.unjudged = append(j.unjudged, notEvaluated(why))
	}
	j.leftOut += len(left)
}
