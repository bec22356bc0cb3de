package workflows

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// ToolRules returns the rules about tool calls in the order in which they decide: rule
// files first, then a workflow in a phase. d may be nil. Their conditions are
// compiled when they are asked for, which most calls do not need; a rule whose condition
// does not compile cannot be evaluated.
func (p Set) ToolRules(ctx context.Context, d *workflow.Definition, phase string) ([]*rule.Rule, func() (*condition.Set, error)) {
	var rules []*rule.Rule
	for _, r := range p.Rules {
		if p.Modes.Of(r.Mode).Tool() {
			rules = append(rules, r)
		}
	}
	if d == nil {
		return rules, func() (*condition.Set, error) { return p.ToolConditions, nil }
	}
	names, _ := p.In(d, rules)
	known := map[*rule.Rule]bool{}
	for _, r := range rules {
		known[r] = true
	}
	for _, r := range d.ToolRulesIn(phase) {
		if !known[r] { // check_rules may name a rule file
			rules = append(rules, r)
		}
	}
	return rules, sync.OnceValues(func() (*condition.Set, error) {
		conditions, _, err := condition.CompileRules(ctx, p.Bundle, condition.ToolVocabulary(names), rules)
		return conditions.WithGit(p.Git()), err
	})
}
