package condition

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// comparisons are the comparison operators by the names of their builtins.
var comparisons = map[string]string{
	"equal": "==", "neq": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "eq": "=",
}

// regexArgument is the index of the argument that is a regular expression, by builtin.
var regexArgument = map[string]int{
	"regex.match": 1, "regex.split": 1, "regex.find_n": 1, "regex.find_all_string_submatch_n": 1, "regex.replace": 2,
}

// call checks an operator or function with its operands whose truth is used.
func (l *linter) call(e *ast.Expr, terms []*ast.Term, inside bool, s scope) {
	operator := terms[0].String()
	switch {
	case operator == "assign":
		l.assign(terms, inside, s)
		return
	case operator == "eq" && !inside:
		l.say(l.at(terms[0]), `"=" binds variables; want %s == %s`, l.textOf(terms[1]), l.textOf(terms[2]))
		return
	case operator == "eq":
		for _, t := range terms[1:] {
			if v, ok := t.Value.(ast.Var); ok && !s.has(v) {
				l.bind(t, shape{}, s)
			}
		}
	}
	l.operands(terms, s)
	if is := s.call(terms); is.kind != anything && is.kind != aBoolean {
		text := l.callText(terms)
		want := "count(" + text + ") > 0"
		if is.kind == aNumber {
			want = text + " > 0"
		}
		l.say(offsetOf(e), "%s is %s, not boolean; want a comparison, such as %s", text, withArticle(is.kind), want)
	}
}

// assign checks an assignment to a variable.
func (l *linter) assign(terms []*ast.Term, inside bool, s scope) {
	if !inside {
		l.say(l.at(terms[0]), `":=" outside braces; want { %s := %s; … }, with what must be true of it`, l.textOf(terms[1]), l.textOf(terms[2]))
		return
	}
	l.term(terms[2], s)
	l.bind(terms[1], s.of(terms[2]), s)
}

// operands checks an operator or function in any position, with its operands.
func (l *linter) operands(terms []*ast.Term, s scope) {
	operator := terms[0].String()
	for _, t := range terms[1:] {
		l.term(t, s)
	}
	if len(terms) == 3 && comparisons[operator] != "" {
		l.comparison(operator, terms, s)
		l.guardComparison(operator, terms, s)
	}
	l.guardOrder(operator, terms)
	if i, ok := regexArgument[operator]; ok && i < len(terms) {
		l.regex(terms[i])
	}
	if operator == "print" {
		l.say(l.at(terms[0]), "print is not a condition; remove it")
	}
	if operator == "internal.member_2" {
		l.member(terms, s)
		l.guardMember(terms, s)
	}
	if operator == "object.get" && len(terms) == 4 {
		l.get(terms, s)
	}
	if f, ok := functionNamed(operator); ok {
		if l.shadowed(terms[0], s) {
			name, _, _ := strings.Cut(operator, ".")
			l.say(l.at(terms[0]), "%q is a variable here, so that %s cannot be called; want another name for the variable", name, operator)
			return
		}
		l.called(f, terms)
		return
	}
	l.reads(terms[0], s)
}

// comparison checks two operands of a comparison.
func (l *linter) comparison(operator string, terms []*ast.Term, s scope) {
	sign, left, right := comparisons[operator], terms[1], terms[2]
	if call, ok := left.Value.(ast.Call); ok && comparisons[call[0].String()] != "" && operator != "eq" {
		l.say(l.at(terms[0]), "chained comparison: %s %s %s compares with true or false; want %s and %s %s %s",
			l.textOf(left), sign, l.textOf(right), l.textOf(left), l.textOf(call[2]), sign, l.textOf(right))
		return
	}
	a, b := s.of(left), s.of(right)
	differ := a.kind != anything && b.kind != anything && a.kind != b.kind
	// OPA orders values of all types: every number is less than any text.
	if differ && a.kind != aNullKind && b.kind != aNullKind {
		l.say(l.at(terms[0]), "%s is %s and %s is %s; want values of one type on both sides of %q",
			l.textOf(left), withArticle(a.kind), l.textOf(right), withArticle(b.kind), sign)
		return
	}
	if orders(operator) && (a.kind == aNullKind || b.kind == aNullKind) {
		l.say(l.at(terms[0]), "null is neither less nor more than a value; want == null or not … == null")
		return
	}
	if operator != "eq" && !orders(operator) {
		l.comparesFailed(operator, left, right, s)
		l.comparesFailed(operator, right, left, s)
	}
	l.oneOf(left, right, s)
	l.oneOf(right, left, s)
	if operator == "neq" {
		l.unequal(left, right, s)
		l.unequal(right, left, s)
	}
}

// oneOf reports a constant that a value can never be.
func (l *linter) oneOf(t, value *ast.Term, s scope) {
	text, constant := value.Value.(ast.String)
	names, _ := s.of(t).schema["enum"].([]string)
	if constant && len(names) > 0 && !slices.Contains(names, string(text)) {
		l.say(l.at(value), "%s is never %q%s", l.textOf(t), string(text), suggest.OneOf(string(text), names))
	}
}

// unequal checks an operand of !=, which is never true of an absent field. Comparing with
// "" or null is allowed, because an absent field should not match it.
func (l *linter) unequal(t, value *ast.Term, s scope) {
	switch t.Value.(type) {
	case ast.Var, ast.Ref:
	default:
		return
	}
	if value.Value.Compare(ast.String("")) == 0 || value.Value.Compare(ast.NullTerm().Value) == 0 {
		return
	}
	if s.of(t).optional && s.known(t) {
		l.say(l.at(t), "%s may be absent, and then != is never true; want not %s == %s", l.textOf(t), l.textOf(t), l.textOf(value))
	}
}

// member checks the right operand of in.
func (l *linter) member(terms []*ast.Term, s scope) {
	value, of := terms[1], terms[2]
	each(of, func(e *ast.Term) { l.oneOf(value, e, s) })
	switch is := s.of(of); is.kind {
	case aString:
		l.say(l.at(terms[0]), "%s is a string and has no elements; want contains(%s, %s)", l.textOf(of), l.textOf(of), l.textOf(value))
	case aNumber, aBoolean, aNullKind:
		l.say(l.at(of), "%s is %s and has no elements; want a set or an array", l.textOf(of), withArticle(is.kind))
	}
}

// regex checks a constant regular expression.
func (l *linter) regex(t *ast.Term) {
	text, ok := t.Value.(ast.String)
	if !ok {
		return
	}
	if _, err := regexp.Compile(string(text)); err != nil {
		l.say(l.at(t), "%q is not an RE2 expression: %s", string(text), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
}

// get checks the keys of object.get, which the compiler does not.
func (l *linter) get(terms []*ast.Term, s scope) {
	is := s.of(terms[1])
	keys := []*ast.Term{terms[2]}
	if path, ok := terms[2].Value.(*ast.Array); ok {
		keys = slices.Collect(func(yield func(*ast.Term) bool) { path.Until(func(t *ast.Term) bool { return !yield(t) }) })
	}
	for _, key := range keys {
		name, ok := key.Value.(ast.String)
		next, known := is.element(key.Value)
		if ok && !known && is.kind == anObject {
			l.say(l.at(key), "unknown key %q of %s%s", string(name), l.textOf(terms[1]),
				suggest.OneOf(string(name), slices.Sorted(maps.Keys(is.fields()))))
			return
		}
		is = next
	}
}
