package setup

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/workflow"
)

// ToolRules returns the rules about tool calls in the order in which they decide, with
// their conditions: those of rule files first, then those of a workflow in a phase. d may
// be nil. Rules whose condition does not compile are left out; they are among the
// workflow's problems.
func (p *Project) ToolRules(ctx context.Context, d *workflow.Definition, phase string) ([]*rule.Rule, *condition.Set, error) {
	var rules []*rule.Rule
	for _, r := range p.Rules {
		if p.Modes[r.Mode].Tool() {
			rules = append(rules, r)
		}
	}
	if d == nil {
		return rules, p.ToolConditions, nil
	}
	known := map[*rule.Rule]bool{}
	for _, r := range rules {
		known[r] = true
	}
	for _, r := range d.ToolRulesIn(phase) {
		if !known[r] { // check_rules may name a rule file
			rules = append(rules, r)
		}
	}
	texts := map[string]*rule.Condition{}
	for _, r := range rules {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	if len(texts) == 0 {
		return rules, nil, nil
	}
	conditions, _, err := condition.Compile(ctx, p.Bundle, condition.ToolVocabulary(condition.Names{Vars: d.Vars, Outputs: d.Outputs()}), texts)
	if err != nil {
		return nil, nil, err
	}
	kept := rules[:0:0]
	for _, r := range rules {
		if r.When == nil || conditions.Has(r.ID) {
			kept = append(kept, r)
		}
	}
	return kept, conditions, nil
}
