package condition

import (
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// exprText is an expression as written, without the not before it.
func (l *linter) exprText(e *ast.Expr) string {
	switch terms := e.Terms.(type) {
	case *ast.Term:
		return l.textOf(terms)
	case []*ast.Term:
		return l.callText(terms)
	default:
		return e.String()
	}
}

// callText is an operator or function with its operands as they are written.
func (l *linter) callText(terms []*ast.Term) string {
	operands := make([]string, 0, len(terms))
	for _, t := range terms[1:] {
		operands = append(operands, l.textOf(t))
	}
	name := terms[0].String()
	if builtin := ast.BuiltinMap[name]; builtin != nil && builtin.Infix != "" {
		return strings.Join(operands, " "+builtin.Infix+" ")
	}
	return name + "(" + strings.Join(operands, ", ") + ")"
}

func withArticle(kind string) string {
	switch kind {
	case anArray, anObject:
		return "an " + kind
	case aNullKind:
		return kind
	default:
		return "a " + kind
	}
}

func quotedList(names []string) string {
	quotes := make([]string, 0, len(names))
	for _, name := range names {
		quotes = append(quotes, strconv.Quote(name))
	}
	return "one of " + strings.Join(quotes, ", ")
}
