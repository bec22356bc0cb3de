package condition

import (
	"context"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/rulecheck/rulecheck/internal/policy/limit"
)

// ask evaluates conditions in one query. A failing builtin makes its expression
// undefined and its negation true, so the caller must check the failures first.
func (c *Set) ask(ctx context.Context, ids []string, fields [][2]*ast.Term) (answer, error) {
	if ctx.Err() != nil {
		return answer{}, context.Cause(ctx)
	}
	state, err := c.gitTerm(ctx, ids)
	if err != nil {
		return answer{}, err
	}
	if state != nil {
		fields = append(slices.Clip(fields), ast.Item(ast.StringTerm(FactGit), state))
	}
	asked := make([]*ast.Term, 0, len(ids))
	for _, id := range ids {
		asked = append(asked, ast.StringTerm(id))
	}
	input := ast.NewObject(append(slices.Clip(fields), ast.Item(ast.StringTerm(nameAsked), ast.ArrayTerm(asked...)))...)
	return limit.Run(ctx, c.timeout, func(ctx context.Context) (answer, error) { return c.answer(ctx, input) })
}

// answer has the parts of conditions that do not hold or the values of expressions, and the
// builtins that failed.
type answer struct {
	against map[string]map[string]bool // by id: the parts that keep it from applying
	values  map[string]any
	failed  []topdown.Error
}

func (c *Set) answer(ctx context.Context, facts ast.Value) (a answer, err error) {
	results, err := c.query.Eval(ctx, rego.EvalParsedInput(facts), rego.EvalBuiltinErrorList(&a.failed))
	switch {
	case err != nil:
		return a, err
	case len(results) != 1 || len(results[0].Expressions) != 1:
		return a, fmt.Errorf("%d answers; want one", len(results))
	}
	if c.asks == valuesOf {
		object, _ := results[0].Expressions[0].Value.(ast.Value)
		a.values, err = readValues(object)
		return a, err
	}
	object, ok := results[0].Expressions[0].Value.(ast.Object)
	if !ok {
		return a, fmt.Errorf("the answer is %v; want an object", results[0].Expressions[0].Value)
	}
	a.against = make(map[string]map[string]bool, object.Len())
	object.Foreach(func(key, value *ast.Term) {
		parts := map[string]bool{}
		if set, ok := value.Value.(ast.Set); ok {
			set.Foreach(func(t *ast.Term) {
				name, _ := t.Value.(ast.String)
				parts[string(name)] = true
			})
		}
		id, _ := key.Value.(ast.String)
		a.against[string(id)] = parts
	})
	return a, nil
}
