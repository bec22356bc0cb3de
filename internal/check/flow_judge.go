package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/interrupt"
	"github.com/rulecheck/rulecheck/internal/workflow"
)

// judge judges the visit that goes on by the rules of its phase. The first that
// fires interrupts.
func (f *Flow) judge(ctx context.Context, r *FlowReply, t *step) error {
	set, err := f.settled()
	if err != nil {
		return err
	}
	rules, notices := f.rulesOf(set, t.phase)
	r.tell(notices...)
	if len(rules) == 0 {
		return nil
	}
	if t.log == nil {
		if t.log, err = f.logOf(ctx, t.session, t.facts.now); err != nil {
			return err
		}
	}
	r.tell(t.log.notices...)
	if !t.log.found {
		r.tell("no log tells of this visit; its rules see nothing but the time")
	}
	engine, err := f.engines.of(ctx, set.bundle, rules)()
	if err != nil {
		return err
	}
	a := newAuditor(f.git.Root())
	a.engine, a.rules = engine, rules
	found, err := a.live(ctx, &t.log.all, t.log.visit, t.facts.now)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // of rules that do not interrupt, then
		r.tell(strings.Split(err.Error(), "\n")...)
	}
	if t.log.found {
		r.tell(a.leftLive()...)
	}
	if found == nil {
		return nil
	}
	found.Session.ID = t.session.ID
	if found.Session.Visit, err = f.visitsBefore(ctx, t.session.ID); err != nil {
		return err
	}
	r.Interrupt = &FlowInterrupt{Text: interrupt.Text(*found, t.phase.Name), Rule: found.Rule, SessionProperties: *found.SessionProperties()}
	return nil
}

// leftLive says which rules could not be judged by the visit, and why.
func (a *auditor) leftLive() []string {
	var told []string
	for key := range a.unknown {
		told = append(told, fmt.Sprintf("rule %s: not evaluable: %s", key.rule, key.why))
	}
	slices.Sort(told)
	return told
}

// visitsBefore counts the stays in phases before the current one.
func (f *Flow) visitsBefore(ctx context.Context, id string) (int, error) {
	records, err := f.store.History(ctx, id)
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
func (f *Flow) rulesOf(set *setting, p *workflow.Phase) (rules []sessionRule, notices []string) {
	if p.Name == workflow.Done {
		return nil, nil
	}
	j := &judge{setting: *set}
	for _, of := range j.phaseRules(p) {
		switch {
		case !f.config.Enabled:
			notices = append(notices, "nothing was judged: rules.enabled is false in "+ConfigFile)
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
