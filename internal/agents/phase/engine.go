package phase

import (
	"context"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// engines caches the policies compiled for the rules of phases.
type engines struct {
	mutex sync.Mutex
	made  map[string]func() (*policy.Engine, error) // by the names of the modes
}

// of returns the engine for rules, compiled once. It has their modes alone: compiling the
// others would take most of the time.
func (e *engines) of(ctx context.Context, b *policies.Bundle, rules []audit.Rule) func() (*policy.Engine, error) {
	modes := audit.Modes(rules)
	key := strings.Join(modes, " ")
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.made == nil {
		e.made = map[string]func() (*policy.Engine, error){}
	}
	if e.made[key] == nil {
		e.made[key] = sync.OnceValues(func() (*policy.Engine, error) { return policy.NewFor(ctx, b, modes) })
	}
	return e.made[key]
}
