package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Value returns in as policies that declare these facts see it.
func (in Input) Value(facts []string) (ast.Value, error) {
	e := NewEncoder(append([]string{"base", "head", "matches"}, facts...))
	return e.Term(in).Value, e.Err()
}

// SetTimeout sets how long a rule may take.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }

// InPortionsOf returns an engine that decides n correspondences at a time.
func (e *Engine) InPortionsOf(n int) *Engine {
	with := *e
	with.portion = n
	return &with
}
