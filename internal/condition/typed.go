package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/rulecheck/rulecheck/policies"
)

// OPA orders values of all types, so that "12" >= 80 and null < 3, and takes a
// text for a list without elements. The linter therefore replaces comparisons and
// iterations by the functions below, which fail for values that do not compare.

// typedPrefix begins the names of these functions.
const typedPrefix = "rulecheck."

// typedFunction checks the types of its operands. Wraps functions return their
// last operand, the others the answer.
type typedFunction struct {
	name     string
	operands int
	answers  bool
	apply    func(operands []*ast.Term) (*ast.Term, error)
}

// The functions that return an operand.
const (
	typedMembers = "members" // the collection in which a value is searched
	typedAll     = "all"     // the collection whose elements are enumerated
	typedSame    = "same"    // the collection whose elements are ordered
)

func typedFunctions() []typedFunction {
	list := []typedFunction{
		{typedMembers, 2, false, func(o []*ast.Term) (*ast.Term, error) { return o[1], members(o[0], o[1]) }},
		{typedAll, 1, false, func(o []*ast.Term) (*ast.Term, error) { return o[0], enumerable(o[0]) }},
		{typedSame, 1, false, func(o []*ast.Term) (*ast.Term, error) { return o[0], ordered(o[0]) }},
	}
	for name, answer := range comparisonAnswers {
		list = append(list, typedFunction{name, 2, true, func(o []*ast.Term) (*ast.Term, error) {
			if err := checkComparable(o[0].Value, o[1].Value, orders(name)); err != nil {
				return nil, fmt.Errorf("%w on both sides of %q", err, comparisons[name])
			}
			return ast.InternedTerm(answer(o[0].Value.Compare(o[1].Value))), nil
		}})
	}
	return list
}

// comparisonAnswers maps the builtins that compare to their answer, by the order
// of the operands. The unification "=" of two values is an equality.
var comparisonAnswers = map[string]func(order int) bool{
	"equal": func(o int) bool { return o == 0 },
	"neq":   func(o int) bool { return o != 0 },
	"lt":    func(o int) bool { return o < 0 },
	"lte":   func(o int) bool { return o <= 0 },
	"gt":    func(o int) bool { return o > 0 },
	"gte":   func(o int) bool { return o >= 0 },
}

// typedCapabilities adds the declarations of the functions to what conditions may
// call.
func typedCapabilities() *ast.Capabilities {
	c := *policies.Capabilities()
	c.Builtins = slices.Clone(c.Builtins)
	for _, f := range typedFunctions() {
		c.Builtins = append(c.Builtins, &ast.Builtin{Name: typedPrefix + f.name, Decl: f.declaration()})
	}
	return &c
}

func (f typedFunction) declaration() *types.Function {
	operands := make([]types.Type, f.operands)
	for i := range operands {
		operands[i] = types.A
	}
	if f.answers {
		return types.NewFunction(operands, types.B)
	}
	return types.NewFunction(operands, types.A)
}

// typedImplementations returns the functions as options of an evaluation.
func typedImplementations() []func(*rego.Rego) {
	var options []func(*rego.Rego)
	for _, f := range typedFunctions() {
		options = append(options, rego.FunctionDyn(&rego.Function{Name: typedPrefix + f.name, Decl: f.declaration()},
			func(_ rego.BuiltinContext, operands []*ast.Term) (*ast.Term, error) { return f.apply(operands) }))
	}
	return options
}

// orders reports whether a comparison asks which value is less.
func orders(operator string) bool {
	return operator == "lt" || operator == "lte" || operator == "gt" || operator == "gte"
}

// checkComparable returns an error unless two values have one type, which is not null.
// Only numbers, strings and arrays of them are ordered.
func checkComparable(a, b ast.Value, ordered bool) error {
	x, y := kindOf(a), kindOf(b)
	switch {
	case x != y || x == aNullKind:
		return fmt.Errorf("%s and %s; want values of one type", described(a), described(b))
	case !ordered || x == aNumber || x == aString:
		return nil
	case x != anArray:
		return fmt.Errorf("%s and %s, which have no order; want numbers or strings", described(a), described(b))
	}
	left, right := a.(*ast.Array), b.(*ast.Array)
	for i := range min(left.Len(), right.Len()) {
		if err := checkComparable(left.Elem(i).Value, right.Elem(i).Value, true); err != nil {
			return err
		}
	}
	return nil
}

// enumerable returns an error unless a value has elements.
func enumerable(t *ast.Term) error {
	switch kindOf(t.Value) {
	case anArray, aSet, anObject:
		return nil
	default:
		return fmt.Errorf("%s, which has no elements; want an array, a set or an object", described(t.Value))
	}
}

// members returns an error if no element of a collection has the type of the
// value. A collection with null is about whether there is a value.
func members(value, collection *ast.Term) error {
	if err := enumerable(collection); err != nil {
		return err
	}
	found, some := false, false
	kind := kindOf(value.Value)
	each(collection, func(e *ast.Term) {
		some = true
		found = found || kindOf(e.Value) == kind || kindOf(e.Value) == aNullKind
	})
	if some && !found || kind == aNullKind && !found {
		return fmt.Errorf("%s, and no element of %s has that type; want values of one type on both sides of %q",
			described(value.Value), cut(collection.String()), "in")
	}
	return nil
}

// ordered returns an error unless all elements have one type that has an order.
func ordered(collection *ast.Term) error {
	var first ast.Value
	var err error
	each(collection, func(e *ast.Term) {
		if first == nil {
			first = e.Value
		}
		if err == nil {
			err = checkComparable(first, e.Value, true)
		}
	})
	return err
}

// each calls a function with the values of a collection; anything else
// has none.
func each(collection *ast.Term, do func(*ast.Term)) {
	switch v := collection.Value.(type) {
	case *ast.Array:
		v.Foreach(do)
	case ast.Set:
		v.Foreach(do)
	case ast.Object:
		v.Foreach(func(_, value *ast.Term) { do(value) })
	}
}

func kindOf(v ast.Value) string { return scope(nil).of(ast.NewTerm(v)).kind }

// described names a value and its type.
func described(v ast.Value) string {
	if kind := kindOf(v); kind != aNullKind {
		return cut(v.String()) + " is " + withArticle(kind)
	}
	return "null has no type"
}

// maxShown limits how much of a value a message shows, in bytes.
const maxShown = 80

func cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
