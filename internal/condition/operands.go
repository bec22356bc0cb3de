package condition

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/policies"
)

// Operands returns the operands of a condition that joins several with "and", in their order; of
// any other the condition itself.
func Operands(text string) []string {
	parse := func(text string) (ast.Body, bool) {
		parsing := ast.ParserOptions{RegoVersion: ast.RegoV2, SkipRules: true, Capabilities: policies.Capabilities()}
		statements, _, err := ast.ParseStatementsWithOpts("", text, parsing)
		if err != nil || len(statements) != 1 {
			return nil, false
		}
		body, ok := statements[0].(ast.Body)
		return body, ok && len(body) == 1
	}
	body, ok := parse(text)
	if !ok {
		return []string{text}
	}
	if _, ok := body[0].Terms.(*ast.LogicalAnd); !ok {
		return []string{text}
	}
	operands := split(text)
	for _, operand := range operands {
		if _, ok := parse(operand); !ok {
			return []string{text}
		}
	}
	return operands
}

// split splits a condition at each "and" outside of brackets and quotes.
func split(text string) (operands []string) {
	const operator = "and"
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if c == '"' && text[i] == '\\' {
					i++
				}
			}
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], operator) && !inWord(text, i-1) && !inWord(text, i+len(operator)):
			operands = append(operands, strings.TrimSpace(text[from:i]))
			i += len(operator) - 1
			from = i + 1
		}
	}
	return append(operands, strings.TrimSpace(text[from:]))
}

// inWord reports whether the byte at an index is part of a name.
func inWord(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
