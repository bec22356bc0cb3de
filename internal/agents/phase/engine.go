package phase

import (
	"context"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// engines has the policies compiled for the rules of phases, by the names of their modes.
type engines struct {
	async.Memo[string, *policy.Engine]
}

// of returns the engine for rules, compiled once. It has their modes alone: compiling the
// others would take most of the time.
func (e *engines) of(ctx context.Context, b *policies.Bundle, rules []audit.Rule) func() (*policy.Engine, error) {
	modes := audit.Modes(rules)
	return func() (*policy.Engine, error) {
		return e.Get(strings.Join(modes, " "), func() (*policy.Engine, error) { return policy.NewFor(ctx, b, modes) })
	}
}
