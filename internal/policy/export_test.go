package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Value is what policies see of in, if they may see facts.
func (in Input) Value(facts []string) (ast.Value, error) { return valueOf(in, facts, new(names)) }

// SetTimeout shortens how long a rule may take.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }
