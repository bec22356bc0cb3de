package check

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// editsOf returns the changed lines of the changeset, which are looked up once, and only for
// a rule that depends on them.
type editsOf func() (*content.Edits, error)

// limitToLines removes from the facts of a rule that fires the triggers without a line that
// counts. It reports whether there were any: the rule is then decided again.
func (v *Verdict) limitToLines(ctx context.Context, mode policies.Mode, edits editsOf) (bool, error) {
	if v.Rule.Lines == nil || len(v.Violations) == 0 {
		return false, nil
	}
	all, err := edits()
	if err != nil {
		return false, ofRule(v.Rule, err)
	}
	var names []string
	for _, violation := range v.Violations {
		names = append(names, violation.TriggerFiles...)
	}
	if v.lines, err = all.Triggers(ctx, v.Rule.Lines, names, correspondence.Covers(v.Rule, mode)); err != nil {
		return false, ofRule(v.Rule, err)
	}
	without := map[string]bool{}
	for _, name := range names {
		if _, counts := v.lines[name]; !counts {
			without[name] = true
		}
	}
	v.Facts = v.Facts.Without(without, mode)
	return len(without) > 0, nil
}

// evaluate asks the policy of the rule's mode. A rule about lines that would fire is asked
// again with the triggers that have such lines.
func (v *Verdict) evaluate(ctx context.Context, mode policies.Mode, edits editsOf, decide func(*Verdict) ([]policy.Violation, error)) (err error) {
	if v.Violations, err = decide(v); err != nil {
		return err
	}
	again, err := v.limitToLines(ctx, mode, edits)
	if !again || err != nil {
		return err
	}
	if v.noMatch = cannotFire(mode, v.Facts); v.noMatch {
		v.Violations = nil
		return nil
	}
	v.Violations, err = decide(v)
	return err
}
