package condition

import (
	"context"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Value is an expression and the variable that gets its value.
type Value struct {
	*rule.Condition

	Var string
}

// CompileValues compiles the values of variables by their ids, like [Compile]. A value
// whose type is known and not that of its variable is a problem.
func CompileValues(ctx context.Context, b *policies.Bundle, v Vocabulary, values map[string]Value) (*Set, []finding.Problem, error) {
	texts := make(map[string][]Value, len(values))
	for id, value := range values {
		texts[id] = []Value{value}
	}
	return compileSet(ctx, b, v, texts, valuesOf)
}

// valuesOf asks for the values of the expressions in input.conditions.
const valuesOf = `{id: value | some id in input.conditions; value := data.conditions.when[id].when.value}`

// value checks an expression whose value a variable gets, and its type.
func (l *linter) value() {
	variable, _ := l.words.facts[FactVars].element(ast.String(l.variable))
	e, is := l.body[0], shape{kind: aBoolean}
	for _, with := range e.With {
		l.say(l.at(with), `"with" replaces facts; want the expression without it`)
	}
	switch terms := e.Terms.(type) {
	case *ast.Term:
		l.term(terms, l.words.facts)
		is = l.words.facts.of(terms)
	case []*ast.Term:
		if operator := terms[0].String(); operator == "assign" || operator == "eq" || l.logical() {
			l.look(l.body, l.braced, l.words.facts)
			break
		}
		l.operands(terms, l.words.facts)
		is = l.words.facts.call(terms)
	default:
		l.look(l.body, l.braced, l.words.facts)
	}
	l.mentioned()
	if len(l.problems) == 0 && variable.kind != anything && is.kind != anything && is.kind != variable.kind {
		l.say(offsetOf(e), "%s is %s, and vars.%s is %s; want a value of that type",
			l.exprText(e), withArticle(is.kind), l.variable, withArticle(variable.kind))
	}
}

// logical reports whether an expression is only true or false: and, or, not, and what is
// in braces have no value in Rego.
func (c *condition) logical() bool {
	if c.braced || len(c.body) != 1 {
		return true
	}
	switch c.body[0].Terms.(type) {
	case *ast.Term, []*ast.Term:
		return false
	default:
		return true
	}
}

// valueRules returns the rules that define the value of an expression.
func (c *condition) valueRules(module *ast.Module, at *ast.Location) []*ast.Rule {
	define := func(value *ast.Term, body ast.Body) *ast.Rule {
		head := ast.RefHead(ast.Ref{ast.VarTerm("value")})
		head.Value, head.Location = value, at
		if value.Location == nil {
			value.SetLocation(at)
		}
		return &ast.Rule{Head: head, Body: body, Module: module, Location: at}
	}
	always := func() ast.Body {
		return ast.NewBody(ast.NewExpr(ast.BooleanTerm(true).SetLocation(at)).SetLocation(at))
	}
	if c.logical() {
		otherwise := define(ast.BooleanTerm(false), always())
		otherwise.Default = true
		return []*ast.Rule{otherwise, define(ast.BooleanTerm(true), c.body)}
	}
	if terms, ok := c.body[0].Terms.([]*ast.Term); ok {
		return []*ast.Rule{define(ast.NewTerm(ast.Call(terms)).SetLocation(c.body[0].Location), always())}
	}
	term, _ := c.body[0].Terms.(*ast.Term)
	return []*ast.Rule{define(term, always())}
}

// Value evaluates one expression over facts, as [Set.Holds] does. Numbers in the result
// are json.Number. Every error is a *[Error], also for an expression without a value.
func (c *Set) Value(ctx context.Context, id string, facts map[string]any) (any, error) {
	fields, err := fieldsOf(facts)
	if err != nil {
		return nil, c.failure(id, nil, err).Err
	}
	if c.conditions[id] == nil {
		return nil, c.uncompiled(id).Err
	}
	a, err := c.ask(ctx, []string{id}, fields)
	switch {
	case err != nil:
		return nil, c.failure(id, nil, err).Err
	case len(a.failed) > 0:
		return nil, c.failure(id, a.failed[0].Location, errors.New(messageOf(a.failed[0]))).Err
	}
	value, known := a.values[id]
	if !known {
		return nil, c.failure(id, nil, errors.New("it has no value: something that it reads is absent")).Err
	}
	return value, nil
}

// readValues reads the answer to [valuesOf].
func readValues(answer ast.Value) (map[string]any, error) {
	object, ok := answer.(ast.Object)
	if !ok {
		return nil, fmt.Errorf("the answer is %v; want an object", answer)
	}
	values := make(map[string]any, object.Len())
	err := object.Iter(func(key, value *ast.Term) error {
		id, _ := key.Value.(ast.String)
		plain, err := ast.JSON(value.Value)
		values[string(id)] = plain
		return err
	})
	return values, err
}
