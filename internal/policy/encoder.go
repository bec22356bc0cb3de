package policy

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Encoder writes facts as Rego terms. It is not safe for concurrent use.
type Encoder struct {
	names names
	words map[string]*ast.Term
}

// NewEncoder returns an encoder for the facts of one query.
func NewEncoder() *Encoder { return &Encoder{words: map[string]*ast.Term{}} }

// Term returns a fact as a term. Errors are kept for Err.
func (e *Encoder) Term(fact any) *ast.Term {
	b := builder{names: &e.names, words: e.words}
	switch fact := fact.(type) {
	case diff.Base:
		return b.base(fact)
	case HeadFacts:
		return b.head(fact)
	case []diff.Change:
		return list(fact, b.change)
	case string:
		return b.string(fact)
	case rule.Info:
		params, err := ast.InterfaceToValue(fact.Params)
		if err != nil {
			e.names.err = fmt.Errorf("parameters: %w", err)
			return ast.InternedNullTerm
		}
		return ast.ObjectTerm(
			b.text(keyID, fact.ID), b.text(keyName, fact.Name), b.text(keyMode, fact.Mode),
			b.text(keyLevel, string(fact.Level)), ast.Item(keyParams, ast.NewTerm(params)),
		)
	default:
		panic(fmt.Sprintf("no term for %T", fact))
	}
}

// Err returns the first error of Term.
func (e *Encoder) Err() error { return e.names.err }
