package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/policies"
)

// NewFor is [New] for rules of a few modes, by their names: it compiles no other
// policies, which takes as much less time. A bundle to which a project added is
// compiled whole, as its policies may lean on any.
func NewFor(ctx context.Context, b *policies.Bundle, modes []string) (*Engine, error) {
	for file := range b.Modules {
		if b.OfProject(file) {
			return New(ctx, b)
		}
	}
	unwanted := func(name string) bool { return !slices.Contains(modes, name) }
	some := *b
	some.Modes, some.Modules = maps.Clone(b.Modes), maps.Clone(b.Modules)
	maps.DeleteFunc(some.Modes, func(name string, _ policies.Mode) bool { return unwanted(name) })
	maps.DeleteFunc(some.Modules, func(_ string, m *ast.Module) bool {
		mode, ok := b.Mode(m)
		return ok && unwanted(mode.Name)
	})
	return New(ctx, &some)
}
