package condition

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// pythonic returns the problems of a condition. If it is written as in Python, as in the
// workflows of other programs, and its rewrite loads, the rewrite replaces them.
func pythonic(c *rule.Condition, variable string, problems []finding.Problem, w *words, loads func(Value) bool) []finding.Problem {
	if len(c.Text) > maxCondition {
		return problems
	}
	rewritten := rewrite(c.Text, w)
	if rewritten == "" {
		return problems
	}
	statements, _, err := ast.ParseStatementsWithOpts("", rewritten, w.parsing)
	if err != nil || len(statements) != 1 {
		return problems
	}
	if body, ok := statements[0].(ast.Body); !ok || len(body) != 1 {
		return problems
	}
	if !loads(Value{Condition: &rule.Condition{Text: rewritten, File: c.File}, Var: variable}) {
		return problems // one problem must not be replaced by another
	}
	at := 0
	for at < len(rewritten) && at < len(c.Text) && rewritten[at] == c.Text[at] {
		at++
	}
	return []finding.Problem{c.Problem(min(at, len(c.Text)-1), "is written as in Python; want "+rewritten)}
}

// A rewrite replaces what an expression matches. S stands for a quoted text, X for what
// has a value.
type pythonRewrite struct {
	expression *regexp.Regexp
	with       string
}

// pythonRewrites are applied in their order. They are compiled for the first condition with a
// problem.
var pythonRewrites = sync.OnceValue(func() []pythonRewrite {
	const text, value = "\x00\\d+\x00", `[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*|\[[^\]]*\])*(?:\([^()]*\))?`
	table := [][2]string{
		{`\bvariables\.get\((S)(?:, *[^()]*)?\)`, "vars[$1]"},
		{`\bevent\.data\.get\((S)(?:, *[^()]*)?\)`, "event.data[$1]"},
		{`(X)\.get\((S), *([^()]*)\)`, "object.get($1, $2, $3)"},
		{`(X)\.get\((S)\)`, `object.get($1, $2, "")`},
		{`\bvariables\b`, "vars"},
		{`\bTrue\b`, "true"},
		{`\bFalse\b`, "false"},
		{`(X) is not None\b`, "not $1 == null"},
		{`(X) is None\b`, "$1 == null"},
		{`\bNone\b`, "null"},
		{`\blen\(`, "count("},
		{`(X|S) not in\b`, "not $1 in"},
		{`(X)\.(startswith|endswith|split)\(`, "$2($1, "},
		{`(X)\.(lower|upper)\(\)`, "$2($1)"},
		{`(X)\.strip\(\)`, "trim_space($1)"},
		{`\bint\(`, "to_number("},
		{`(^|[^.\w])is_plan_file\(((?:[^(),]|\([^()]*\))*), *source\)`, "${1}is_plan_file($2)"},
		{`(^|[^.\w])(mcp_called|mcp_failed|mcp_result_is_null|mcp_result_has|task_tree_complete|task_needs_user_review|is_plan_file)\(`, "${1}lib.$2("},
		{`(^|[^.\w])has_stop_signal\b(?:\(\))?`, "${1}lib.has_stop_signal"},
	}
	list := make([]pythonRewrite, len(table))
	for i, row := range table {
		list[i] = pythonRewrite{regexp.MustCompile(strings.NewReplacer("S", text, "X", value).Replace(row[0])), row[1]}
	}
	return list
})

// rewrite returns the condition in the language of conditions; empty if it has nothing of
// Python.
func rewrite(text string, w *words) string {
	code, texts := unquote(strings.TrimSpace(text))
	before := code
	if inner, ok := strings.CutPrefix(code, "{{"); ok && strings.HasSuffix(inner, "}}") {
		code = strings.TrimSpace(strings.TrimSuffix(inner, "}}"))
	}
	for _, r := range pythonRewrites() {
		for range strings.Count(code, "(") + 2 { // what is in brackets first
			next := r.expression.ReplaceAllString(code, r.with)
			if next == code {
				break
			}
			code = next
		}
	}
	code = eventData().ReplaceAllStringFunc(code, func(match string) string {
		i, err := strconv.Atoi(strings.Trim(match[len("event.data["):], "\x00]"))
		if err != nil || !w.facts.has(ast.Var(strings.Trim(texts[i], "\"'"))) {
			return match
		}
		return strings.Trim(texts[i], "\"'")
	})
	binds := strings.Contains(code, "some ") || strings.Contains(code, ":=") || strings.Contains(code, "every ")
	if variables := w.facts[FactVars].fields(); !binds {
		code = bareword().ReplaceAllStringFunc(code, func(match string) string {
			name := strings.TrimLeft(match, " \t(,=<>+-*/[{!\n")
			if variables[name] == nil || slices.Contains(literals, name) || w.facts.has(ast.Var(name)) {
				return match
			}
			return strings.TrimSuffix(match, name) + FactVars + "." + name
		})
	}
	if code == before || strings.Contains(code, "{{") {
		return ""
	}
	return requote(code, texts)
}

// eventData matches a field of an event in the language of other programs. Here it is a fact.
var eventData = lazyregexp.New("\\bevent\\.data\\[\x00\\d+\x00\\]")

// bareword matches a name that is not a field.
var bareword = lazyregexp.New(`(?:^|[^.\w\x00])[A-Za-z_][A-Za-z0-9_]*`)

var literals = []string{"null", "true", "false"}

// unquote replaces quoted texts by their numbers.
func unquote(text string) (code string, texts []string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		quote := text[i]
		end := -1
		if quote == '"' || quote == '\'' || quote == '`' {
			end = strings.IndexByte(text[i+1:], quote)
		}
		if end < 0 {
			b.WriteByte(quote)
			continue
		}
		texts = append(texts, text[i:i+end+2])
		fmt.Fprintf(&b, "\x00%d\x00", len(texts)-1)
		i += end + 1
	}
	return b.String(), texts
}

// requote puts the quoted texts back, in quotes that Rego has. Variables are read as fields.
func requote(code string, texts []string) string {
	for i, text := range texts {
		if text[0] == '\'' {
			text = strconv.Quote(text[1 : len(text)-1])
		}
		mark := fmt.Sprintf("\x00%d\x00", i)
		if name := strings.Trim(text, `"`); topName().MatchString(name) {
			code = strings.ReplaceAll(code, "vars["+mark+"]", "vars."+name)
		}
		code = strings.ReplaceAll(code, mark, text)
	}
	return code
}

var topName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
