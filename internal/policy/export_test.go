package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Value is what policies see of in, if they may see facts.
func (in Input) Value(facts []string) (ast.Value, error) { return valueOf(in, facts, nil, new(names)) }

// SetPatience shortens how long a rule may take.
func (e *Engine) SetPatience(d time.Duration) { e.patience = d }

// SetPatience shortens how long the conditions may take.
func (c *Conditions) SetPatience(d time.Duration) { c.patience = d }

// CompileBuilt and CompileIdle compile modules of the program's without, and with,
// the stages that find nothing to change in them.
func CompileBuilt(modules map[string]*ast.Module) (*ast.Compiler, error) {
	return compileBuilt(modules)
}

func CompileIdle(modules map[string]*ast.Module) (*ast.Compiler, error) {
	return compileWithout(modules, checks)
}
