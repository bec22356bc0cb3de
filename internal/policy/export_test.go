package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Value is what policies that ask for facts see of in.
func (in Input) Value(facts []string) (ast.Value, error) {
	e := NewEncoder(append([]string{"matches"}, facts...))
	return e.Term(in).Value, e.Err()
}

// SetTimeout shortens how long a rule may take.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }
