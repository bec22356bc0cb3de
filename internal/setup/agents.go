package setup

import (
	"context"
	"io/fs"
	"slices"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Agents gives a project the names, tools and workflows of agents.
type Agents interface {
	rule.Agents

	// Variables returns the variables that conditions of rules may read, with a value of
	// their type, and their initial values.
	Variables(p *Project) (declared, initial map[string]any)
	// PhaseRules returns the rules about sessions in the phases of the project's workflows.
	PhaseRules(p *Project) []*rule.Rule
	// Inspect returns the problems of the project's workflow files, and of rules that are
	// limited to phases that no workflow has.
	Inspect(ctx context.Context, p *Project) ([]finding.Problem, error)
}

// noAgents has no agents and no workflows.
type noAgents struct{}

func (noAgents) Names() []string                                              { return nil }
func (noAgents) KindOf(string) (kind fact.Kind, known bool)                   { return "", false }
func (noAgents) Variables(*Project) (declared, initial map[string]any)        { return nil, nil }
func (noAgents) PhaseRules(*Project) []*rule.Rule                             { return nil }
func (noAgents) Inspect(context.Context, *Project) ([]finding.Problem, error) { return nil, nil }

// checkAgents treats rules that name an unknown agent like rules that do not load.
func (p *Project) checkAgents() {
	p.loaded.Rules = slices.DeleteFunc(p.loaded.Rules, func(r *rule.Rule) bool {
		problem := rule.CheckAgents(r, p.agents)
		if problem != nil {
			p.loaded.Problems, p.loaded.Broken = append(p.loaded.Problems, *problem), append(p.loaded.Broken, r.ID)
		}
		return problem != nil
	})
}

// ReadPhaseRules adds the session rules in the phases of the project's workflows. They
// apply to the sessions whose logs name the workflow. Problems of workflow files are not
// added.
func (p *Project) ReadPhaseRules() {
	if p.Config.Enabled {
		p.Rules = append(p.Rules, p.agents.PhaseRules(p)...)
	}
}

// Inspect returns the problems of the project's workflows.
func (p *Project) Inspect(ctx context.Context) ([]finding.Problem, error) {
	if !p.Config.Enabled {
		return nil, nil
	}
	return p.agents.Inspect(ctx, p)
}

// Resolver finds the rules that workflow files refer to.
func (p *Project) Resolver() rule.Resolver {
	return rule.Resolver{Tiers: p.loaded, Imports: rule.Imports(p.Tree, p.user), Modes: p.Modes, Bundle: p.Bundle, Agents: p.agents}
}

// Loaded returns the rules of rule files, which workflows may name.
func (p *Project) Loaded() []*rule.Rule { return p.loaded.Rules }

// Files has the files of head: those of [Dir], and any other one when it is opened.
func (p *Project) Files() fs.FS { return p.whole }
