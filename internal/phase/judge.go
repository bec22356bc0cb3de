package phase

import (
	"context"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/audit"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/workflow"
)

// judge judges the visit that goes on by the rules of its phase. The first that
// fires interrupts.
func (n *Runner) judge(ctx context.Context, r *Reply, t *step) error {
	set, err := n.project()
	if err != nil {
		return err
	}
	rules, notices := n.rulesOf(set, t.phase)
	r.tell(notices...)
	if len(rules) == 0 {
		return nil
	}
	if t.log == nil {
		if t.log, err = n.logOf(ctx, t.session, t.facts.now); err != nil {
			return err
		}
	}
	r.tell(t.log.notices...)
	if !t.log.found {
		r.tell("no log tells of this visit; its rules see nothing but the time")
	}
	engine, err := n.policies.of(ctx, set.Bundle, rules)()
	if err != nil {
		return err
	}
	a := audit.New(n.engine.Root(), rules)
	found, err := a.Live(ctx, engine, &t.log.all, t.log.visit, t.facts.now)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // of rules that do not interrupt, then
		r.tell(strings.Split(err.Error(), "\n")...)
	}
	if t.log.found {
		r.tell(a.NotEvaluable()...)
	}
	if found == nil {
		return nil
	}
	found.Session.ID = t.session.ID
	if found.Session.Visit, err = n.visitsBefore(ctx, t.session.ID); err != nil {
		return err
	}
	r.Interrupt = &Interrupt{Text: report.Interrupt(*found, t.phase.Name), Rule: found.Rule, SessionProperties: *found.SessionProperties()}
	return nil
}

// visitsBefore counts the stays in phases before the current one.
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

// rulesOf are the rules of a phase that judge sessions.
func (n *Runner) rulesOf(set *setup.Project, p *workflow.Phase) (rules []audit.Rule, notices []string) {
	if p.Name == workflow.Done {
		return nil, nil
	}
	for _, of := range audit.PhaseRules(p, set.Modes) {
		switch {
		case !n.config.Enabled:
			notices = append(notices, "nothing was judged: rules.enabled is false in "+setup.ConfigFile)
		case !of.Enabled:
			notices = append(notices, fmt.Sprintf("rule %s: not judged: enabled: false", of.ID))
		case of.When != nil:
			notices = append(notices, fmt.Sprintf("rule %s: not evaluable: its condition asks about a change, and a visit has none", of.ID))
		default:
			rules = append(rules, of)
		}
	}
	return rules, notices
}
