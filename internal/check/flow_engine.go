package check

import (
	"context"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// flowEngines are policies that are compiled for the rules of a phase.
type flowEngines struct {
	mutex sync.Mutex
	made  map[string]func() (*policy.Engine, error) // by the names of the modes
}

// of is the engine for rules, compiled once. It decides by their modes alone: the
// others would take most of the time.
func (e *flowEngines) of(ctx context.Context, b *policies.Bundle, rules []sessionRule) func() (*policy.Engine, error) {
	modes := modesOf(rules)
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
