package yaml

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The library's time grows with the square of a document's length and, much
// worse, of its depth. No file written by hand comes near these.
const (
	maxYAML  = 64 << 10 // bytes
	maxDepth = 32       // brackets in brackets, or dashes on one line
)

// errParser stands for a panic of the YAML library.
var errParser = errors.New("the YAML cannot be read")

// parseYAML calls the library. It panics on some tags, which are forbidden and
// do not get that far; that there is no such input left, nobody can promise.
func parseYAML(source string) (tokens token.Tokens, file *ast.File, err error) {
	defer func() {
		if recover() != nil {
			err = errParser
		}
	}()
	tokens = lexer.Tokenize(source + "\n") // a tag at the very end is dropped
	if slices.ContainsFunc(tokens, isForbidden) {
		return tokens, nil, nil
	}
	if deep := tooDeep(tokens); deep != nil {
		return tokens, nil, &yaml.SyntaxError{Message: fmt.Sprintf("nested more than %d deep", maxDepth), Token: deep}
	}
	file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	return tokens, file, err
}

// tooDeep is the token that goes beyond maxDepth, if there is one.
func tooDeep(tokens token.Tokens) *token.Token {
	brackets, dashes, line := 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType:
			if t.Position.Line != line {
				dashes, line = 0, t.Position.Line
			}
			dashes++
		default:
		}
		if max(brackets, dashes) > maxDepth {
			return t
		}
	}
	return nil
}
