package setup

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Read reads configuration, policies and rules of the working tree and compiles the
// project's policies and the rules' conditions. A user of nil has no rules.
func Read(ctx context.Context, engine diff.Engine, user *rule.UserDir, agents Agents) (*Project, error) {
	builtin, err := policies.Load()
	if err != nil {
		return nil, err
	}
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	p, err := Open(ctx, engine, head, agents)
	if err != nil {
		return nil, err
	}
	p.ReadPolicies(builtin)
	if err := p.ReadRules(ctx, user); err != nil {
		return nil, err
	}
	p.ReadPhaseRules()
	p.ReadKnown()
	if err := p.CompileConditions(ctx); err != nil {
		return nil, err
	}
	problems, err := p.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	p.Problems = append(p.Problems, problems...)
	if p.OwnPolicies {
		compiled, err := policy.New(ctx, p.Bundle)
		if err != nil {
			return nil, err
		}
		p.Problems = append(p.Problems, compiled.Problems()...)
	}
	return p, nil
}
