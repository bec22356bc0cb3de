package condition

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// readCondition parses one condition and checks it for mistakes that compile.
func readCondition(id string, text Value, w *words) (*condition, []finding.Problem) {
	c := &condition{Condition: text.Condition, id: id, variable: text.Var, names: map[string]bool{}}
	if len(text.Text) > maxCondition {
		return c, []finding.Problem{text.Problem(-1, fmt.Sprintf(
			"the condition is %d bytes long; want at most %d, or a function in the project's %s", len(text.Text), maxCondition, libraryName))}
	}
	if at := policies.Nested(text.Text); at >= 0 {
		return c, []finding.Problem{text.Problem(at, fmt.Sprintf("nested more than %d deep; want fewer brackets in each other", policies.MaxNesting))}
	}
	if problems := c.parse(w); len(problems) > 0 {
		return c, problems
	}
	l := &linter{condition: c, words: w}
	if c.variable == "" {
		l.whole()
	} else {
		l.value()
	}
	if len(l.problems) == 0 {
		l.guards.apply()
		c.link()
	}
	return c, l.problems
}

// maxCondition is the most bytes of a condition. What compiling costs grows with
// the square of the operands.
const maxCondition = 4096

// file is the name of the condition's module in OPA's errors.
func (c *condition) file() string { return conditionFile + c.part() + " " + c.id }

const conditionFile = "condition "

// parse reads the one expression that a condition is.
func (c *condition) parse(w *words) []finding.Problem {
	statements, _, err := ast.ParseStatementsWithOpts(c.file(), c.Text, w.parsing)
	if err != nil && strings.HasPrefix(strings.TrimSpace(c.Text), "{") {
		err = c.parseBraces(err, w)
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return c.syntax(err)
	}
	for _, s := range statements {
		body, ok := s.(ast.Body)
		if !ok {
			at := s.Loc().Offset
			return []finding.Problem{c.Problem(at, fmt.Sprintf("%q is not an expression; want one, such as a == b", c.line(at)))}
		}
		c.body = append(c.body, body...)
	}
	switch len(c.body) {
	case 0:
		return []finding.Problem{c.Problem(0, "nothing but comments; want one expression, such as a == b")}
	case 1:
		return nil
	default:
		return []finding.Problem{c.Problem(offsetOf(c.body[1]), fmt.Sprintf(
			"a second expression starts here; want one expression: %s and %s", c.textOf(c.body[0]), c.textOf(c.body[1])))}
	}
}

// parseBraces reads a condition that is one pair of braces. The language knows
// braces only as operands, so they are read as that of "not". The error is err
// where the condition is not what it was taken for.
func (c *condition) parseBraces(err error, w *words) error {
	const operator = "not "
	statements, _, refused := ast.ParseStatementsWithOpts(c.file(), operator+c.Text, w.parsing)
	if list, ok := errors.AsType[ast.Errors](refused); ok {
		for _, e := range list {
			e.Location.Offset -= len(operator)
		}
		return list
	}
	if len(statements) != 1 {
		return err
	}
	body, ok := statements[0].(ast.Body)
	if !ok || len(body) != 1 {
		return err
	}
	not, ok := body[0].Terms.(*ast.Not)
	if !ok || !not.ExplicitBody {
		return err
	}
	shift(body, -len(operator))
	if len(body[0].With) > 0 {
		c.body = body // to be refused for that
		return nil
	}
	c.body, c.braced = not.Body, true
	return nil
}

// shift moves everything in a body along the text.
func shift(body ast.Body, by int) {
	moved := map[*ast.Location]bool{}
	ast.NewGenericVisitor(func(x any) bool {
		node, ok := x.(ast.Node)
		if !ok {
			return false
		}
		if at := node.Loc(); at != nil && !moved[at] {
			moved[at] = true
			at.Offset += by
		}
		return false
	}).Walk(body)
}

// syntax turns a parser's errors into problems, of those at one place the first.
func (c *condition) syntax(err error) []finding.Problem {
	list, ok := errors.AsType[ast.Errors](err)
	if !ok {
		return []finding.Problem{c.Problem(0, err.Error())}
	}
	var problems []finding.Problem
	for _, e := range list {
		p := c.Problem(e.Location.Offset, c.explain(e))
		if !slices.ContainsFunc(problems, func(q finding.Problem) bool { return q.Line == p.Line && q.Column == p.Column }) {
			problems = append(problems, p)
		}
	}
	return problems
}

// idioms are operators of other languages, with the form that conditions have.
var idioms = []struct{ begins, want string }{
	{"&&", `"&&" is not an operator; want "and"`},
	{"||", `"||" is not an operator; want "or"`},
	{"!", `"!" is not an operator; want "not"`},
	{"in ", `"not in" is not an operator; want "not" before the whole: not a in b`},
	{"if ", `"if" does not belong here; want the condition alone`},
	{"some ", `"some" outside braces; want { some …; … }, with what must be true of it`},
	{"?", `"?" is not an operator; want "and" and "or"`},
}

// explain describes a syntax error, with a suggestion where there is one.
func (c *condition) explain(e *ast.Error) string {
	rest := c.Text[min(max(e.Location.Offset, 0), len(c.Text)):]
	if after, ok := strings.CutPrefix(rest, "'"); ok {
		quoted, _, _ := strings.Cut(after, "'")
		return fmt.Sprintf("' does not quote a text; want %q", quoted)
	}
	for _, at := range fieldName().FindAllStringSubmatchIndex(c.Text, -1) {
		if name := c.Text[at[4]:at[5]]; at[4] <= e.Location.Offset && e.Location.Offset <= at[5] && !ascii(name) {
			of := c.Text[at[2]:at[3]]
			return fmt.Sprintf("%s.%s has letters that need quotes; want %s[%q]", of, name, of, name)
		}
	}
	// Of an operator in two parts, OPA may point at the second.
	before := c.Text[max(0, len(c.Text)-len(rest)-1):]
	for _, idiom := range idioms {
		if strings.HasPrefix(rest, idiom.begins) || len(idiom.begins) == 2 && strings.HasPrefix(before, idiom.begins) {
			return idiom.want
		}
	}
	if strings.HasPrefix(e.Message, "unexpected eof") {
		return "the condition ends too early; want another operand or a closing bracket"
	}
	return strings.ReplaceAll(e.Message, "\n", " ")
}

// fieldName matches a field after what has it.
var fieldName = sync.OnceValue(func() *regexp.Regexp { // the classes take time, in every start
	return regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.]*)\.([\p{L}_][\p{L}\p{M}\p{N}_]*)`)
})

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// line is as much of the text at an offset as one line has.
func (c *condition) line(offset int) string {
	line, _, _ := strings.Cut(c.Text[offset:], "\n")
	return line
}

// textOf is a piece of the condition as it is written.
func (c *condition) textOf(x ast.Node) string {
	if at := x.Loc(); at != nil && len(at.Text) > 0 {
		return strings.Join(strings.Fields(string(at.Text)), " ")
	}
	return fmt.Sprint(x)
}

// offsetOf returns the offset of an expression. OPA gives an operand of "not" no location
// or that of the whole expression.
func offsetOf(e *ast.Expr) int {
	terms, ok := e.Terms.([]*ast.Term)
	if t, single := e.Terms.(*ast.Term); single {
		terms, ok = []*ast.Term{t}, true
	}
	if !ok {
		if e.Location == nil {
			return -1
		}
		return e.Location.Offset
	}
	first := -1
	for _, t := range terms {
		if t.Location != nil && (first < 0 || t.Location.Offset < first) {
			first = t.Location.Offset
		}
	}
	return first
}
