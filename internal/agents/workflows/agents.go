package workflows

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Agents implements [setup.Agents]: what projects need of agents and workflows.
type Agents struct{}

// Names lists the agents whose logs can be read.
func (Agents) Names() []string { return profile.Names() }

// KindOf returns the kind of an agent's tool; known is false if no agent documents it.
func (Agents) KindOf(tool string) (kind fact.Kind, known bool) { return profile.KindOf(tool) }

// Variables returns the variables that the project's workflows declare, and their initial
// values.
func (Agents) Variables(p *setup.Project) (declared, initial map[string]any) {
	return Of(p).variables()
}

// PhaseRules returns the rules about sessions in the phases of the project's own workflows.
func (Agents) PhaseRules(p *setup.Project) (rules []*rule.Rule) {
	set := Of(p)
	for _, name := range set.Names() {
		if !set.ownsWorkflow(name) {
			continue
		}
		if d, _, _, err := set.Workflow(name); err == nil && d != nil {
			rules = append(rules, set.PhaseRules(d)...)
		}
	}
	return rules
}

// Inspect returns the problems of the project's workflow files, and of rules that are
// limited to phases that no workflow has.
func (Agents) Inspect(ctx context.Context, p *setup.Project) ([]finding.Problem, error) {
	return Of(p).inspect(ctx)
}
