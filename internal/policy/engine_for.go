package policy

import (
	"context"
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/policies"
)

// NewFor is [New] for rules of a few modes, by their names: it compiles no other
// policies, which takes as much less time. A bundle to which a project added is
// compiled whole, as its policies may lean on any.
func NewFor(ctx context.Context, b *policies.Bundle, modes []string) (*Engine, error) {
	if !b.Built() {
		return New(ctx, b)
	}
	modules, err := b.Modules(modes...)
	if err != nil {
		return nil, err
	}
	known := maps.Clone(b.Modes)
	maps.DeleteFunc(known, func(name string, _ policies.Mode) bool { return !slices.Contains(modes, name) })
	compiler, err := compileBuilt(modules)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, compiler, &compilation{mentions: mentionsOf(b, modules)}, known)
}
