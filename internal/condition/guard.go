package condition

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// guards collects the terms to replace once a condition is read: later checks
// need it as it is written. A term is replaced in its place, because OPA shares
// terms between conditions.
type guards struct {
	places  map[any]bool // **ast.Term, or *ast.Term of a reference, which OPA does not share
	replace []func()
}

func (g *guards) add(place any, replace func()) {
	if g.places[place] {
		return
	}
	if g.places == nil {
		g.places = map[any]bool{}
	}
	g.places[place] = true
	g.replace = append(g.replace, replace)
}

// apply replaces the terms, the inner ones first.
func (g *guards) apply() {
	for _, replace := range g.replace {
		replace()
	}
}

// typedOperator returns the operator of a call.
func typedOperator(name string, at *ast.Location) *ast.Term {
	head, field, _ := strings.Cut(typedPrefix+name, ".")
	return ast.NewTerm(ast.Ref{ast.VarTerm(head), ast.StringTerm(field)}).SetLocation(at)
}

// wrap replaces a term by a call that returns it as its last operand.
func (g *guards) wrap(place **ast.Term, function string, before ...*ast.Term) {
	g.add(place, func() {
		inner := *place
		call := append(ast.Call{typedOperator(function, inner.Location)}, before...)
		*place = ast.NewTerm(append(call, inner)).SetLocation(inner.Location)
	})
}

// guardComparison makes a comparison fail for values of different types. The
// literal null asks whether there is a value, and the facts of changes have the
// types of their schema.
func (l *linter) guardComparison(operator string, terms []*ast.Term, s scope) {
	a, b := s.of(terms[1]), s.of(terms[2])
	if _, ok := terms[1].Value.(ast.Null); ok {
		return
	}
	if _, ok := terms[2].Value.(ast.Null); ok {
		return
	}
	if operator == "eq" {
		if binds(terms[1]) || binds(terms[2]) {
			return
		}
		operator = "equal"
	}
	if l.words.change && a.kind == b.kind && (a.kind == aNumber || a.kind == aString || a.kind == aBoolean) {
		return
	}
	l.guards.add(&terms[0], func() { terms[0] = typedOperator(operator, terms[0].Location) })
}

// binds reports whether "=" gives the term's variables a value.
func binds(t *ast.Term) bool {
	switch t.Value.(type) {
	case ast.Var, *ast.Array, ast.Object:
		return true
	default:
		return false
	}
}

// guardMember makes "in" fail if the value has not the type of any element.
func (l *linter) guardMember(terms []*ast.Term, s scope) {
	value := terms[1]
	if is := s.of(value); l.words.change && is.kind != anything && is.kind == s.of(terms[2]).any().kind {
		return
	}
	l.guards.wrap(&terms[2], typedMembers, value)
}

// guardDomain makes an iteration fail over anything that has no elements.
func (l *linter) guardDomain(place **ast.Term) {
	if !l.words.change {
		l.guards.wrap(place, typedAll)
	}
}

// guardRef makes a reference with a variable key, such as evidence.xs[_], fail if
// there is something in front of the key that has no elements.
func (l *linter) guardRef(t *ast.Term, ref ast.Ref) {
	if head, ok := ref[0].Value.(ast.Var); !ok || !l.isFact(head) || l.words.change {
		return
	}
	l.guards.add(t, func() {
		guarded := ref[:1:1]
		for _, key := range ref[1:] {
			if _, variable := key.Value.(ast.Var); variable && len(guarded) > 1 {
				base := ast.NewTerm(guarded).SetLocation(t.Location)
				call := ast.Call{typedOperator(typedAll, t.Location), base}
				guarded = ast.Ref{ast.NewTerm(call).SetLocation(t.Location)}
			}
			guarded = append(guarded, key)
		}
		t.Value = guarded
	})
}

// sorting lists the builtins that order the elements of their operand.
var sorting = map[string]bool{"max": true, "min": true, "sort": true}

// guardOrder makes ordering fail for elements of different types.
func (l *linter) guardOrder(operator string, terms []*ast.Term) {
	if sorting[operator] && len(terms) == 2 {
		l.guards.wrap(&terms[1], typedSame)
	}
}
