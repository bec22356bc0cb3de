package setup

import (
	"context"
	"errors"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/trust"
	"github.com/rulecheck/rulecheck/policies"
)

// Comparison is the settings of a project and those of the target of the change.
type Comparison struct {
	Head, Base trust.Settings
	Why        string // the base does not have a setting, as a clause
}

// CompareSettings reads the settings for commands at the tip of the branch that a change is
// for, to compare those of rules with them. If there is none, they have their defaults.
func (p *Project) CompareSettings(ctx context.Context, rules []*rule.Rule, request diff.BaseRequest) (Comparison, error) {
	c := Comparison{Head: trust.Of(p.Config, rules)}
	if request.CI != nil && request.CI.Event == "push" {
		ci := *request.CI
		ci.Before = "" // what was pushed to the default branch is its tip
		request.CI = &ci
	}
	target, base, err := OpenTarget(ctx, p.engine, request, p.agents)
	switch {
	case errors.As(err, new(*diff.NoVerdictError)):
		c.Base, c.Why = trust.Of(rule.DefaultConfig(), nil), "there is no branch to compare them with ("+err.Error()+")"
		return c, nil
	case err != nil:
		return c, err
	case p.Head.Kind == diff.Commit && p.Head.Commit == base.Commit:
		c.Base = c.Head
		return c, nil
	}
	c.Base, c.Why = trust.Of(target.Config, nil), "the "+base.FoundBy+" does not have them"
	if base.Commit == diff.EmptyTreeFor(base.Commit) {
		c.Why = "there is no commit to compare them with"
	}
	nothing := func(trust.Setting) bool { return false }
	if !c.Head.AsksInRules() && len(trust.Decide(c.Head, c.Base, nothing).Refused) == 0 {
		return c, nil
	}
	builtin, err := policies.Load()
	if err != nil {
		return c, err
	}
	target.ReadPolicies(builtin)
	if err := target.ReadRules(ctx, nil); err != nil {
		return c, err
	}
	c.Base = trust.Of(target.Config, target.Rules)
	return c, nil
}
