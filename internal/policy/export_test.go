package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Value is what policies see of in, if they may see facts.
func (in Input) Value(facts []string) (ast.Value, error) { return valueOf(in, facts, nil, new(names)) }

// SetTimeout shortens how long a rule may take.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }

// CompileBuilt and CompileIdle compile modules of the program's without, and with,
// the stages that find nothing to change in them.
func CompileBuilt(modules map[string]*ast.Module) (*ast.Compiler, error) {
	return compileBuilt(modules)
}

func CompileIdle(modules map[string]*ast.Module) (*ast.Compiler, error) {
	return compileWithout(modules, checks)
}
