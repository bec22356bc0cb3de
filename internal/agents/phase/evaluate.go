package phase

import (
	"context"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// evaluate evaluates the rules of the phase on the current visit. The first that fires
// interrupts.
func (n *Runner) evaluate(ctx context.Context, r *Reply, a *attempt) error {
	project, err := n.project()
	if err != nil {
		return err
	}
	conditions, err := project.SessionConditionsOf(ctx, a.phase.Rules)
	if err != nil {
		return err
	}
	rules, notices := n.rulesOf(project, a.phase, conditions)
	r.addNotices(notices...)
	if len(rules) == 0 {
		return nil
	}
	if a.log == nil {
		if a.log, err = n.logOf(ctx, a.session, a.facts.now); err != nil {
			return err
		}
	}
	r.addNotices(a.log.notices...)
	if !a.log.found {
		r.addNotices("no agent log covers this phase; only time-based rules were evaluated")
	}
	engine, err := n.policies.of(ctx, project.Bundle, rules)()
	if err != nil {
		return err
	}
	auditor := audit.New(n.engine.Root(), rules)
	found, err := auditor.Live(ctx, engine, &a.log.all, a.log.visit, a.facts.now)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // rules that failed do not interrupt
		r.addNotices(strings.Split(err.Error(), "\n")...)
	}
	if a.log.found {
		r.addNotices(auditor.NotEvaluable()...)
	}
	if found == nil {
		return nil
	}
	found.Session.ID = a.session.ID
	if found.Session.Visit, err = n.visitsBefore(ctx, a.session.ID); err != nil {
		return err
	}
	r.Interrupt = &Interrupt{Text: report.Interrupt(*found, a.phase.Name), Rule: found.Rule, SessionProperties: *found.SessionProperties()}
	return nil
}

// visitsBefore counts the visits of phases before the current one.
func (n *Runner) visitsBefore(ctx context.Context, id string) (int, error) {
	records, err := n.store.History(ctx, id)
	if err != nil {
		return 0, err
	}
	entered := 0
	for _, r := range records {
		for _, e := range r.Events {
			if e.To != "" {
				entered++
			}
		}
	}
	return entered - 1, nil
}

// rulesOf returns the rules of a phase that are about sessions, and notices on the others.
func (n *Runner) rulesOf(project *setup.Project, p *workflow.Phase, conditions *condition.Set) (rules []audit.Rule, notices []string) {
	if p.Name == workflow.Done {
		return nil, nil
	}
	for _, r := range p.Rules {
		mode := project.Modes.Of(r.Mode)
		if !mode.Session() {
			continue
		}
		of := audit.NewRule(r, mode).In(p.Name).When(conditions, nil)
		switch {
		case !n.config.Enabled:
			notices = append(notices, "nothing was checked: rules.enabled is false in "+setup.ConfigFile)
		case !of.Enabled:
			notices = append(notices, fmt.Sprintf("rule %s: skipped: enabled: false", of.ID))
		case of.Afterwards():
			notices = append(notices, fmt.Sprintf("rule %s: could not be checked: hooks are compared with the log after a session", of.ID))
		case of.Conditional() && !conditions.OfSessionAlone(of.ID):
			notices = append(notices, fmt.Sprintf("rule %s: could not be checked: its condition needs a change, but a visit has none", of.ID))
		default:
			rules = append(rules, of)
		}
	}
	return rules, notices
}
