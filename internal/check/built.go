package check

import (
	"context"
	"sync"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// Begin reads and compiles what every judgement of a change begins with, beside
// whatever the caller has to do first, such as to find the repository.
func Begin() { go changeEngine() } //nolint:errcheck // whoever waits gets the error

// changeEngine is the engine of the program's own modes that judge changes, made
// once a process. Few judge sessions as well, and what is not compiled costs
// nothing.
var changeEngine = sync.OnceValues(func() (*policy.Engine, error) {
	own, err := policies.Load()
	if err != nil {
		return nil, err
	}
	return policy.NewFor(context.Background(), own, changeModes(own))
})

// changeModes are the names of the modes that judge changes.
func changeModes(b *policies.Bundle) []string {
	var names []string
	for name, mode := range b.Modes {
		if !mode.Session() {
			names = append(names, name)
		}
	}
	return names
}
