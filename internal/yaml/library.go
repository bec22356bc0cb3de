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

// Limits of a document. The library's time grows with the square of its length
// and, faster still, with its depth; files written by hand stay far below.
const (
	maxYAML  = 64 << 10 // bytes
	maxLines = 5000     // the library reads a block of lines again for each of them
	maxDepth = 32       // nested brackets, or dashes on one line
)

// errParser replaces a panic of the YAML library.
var errParser = errors.New("the YAML cannot be read")

// parseYAML parses source with the library. The library panics on some tags;
// forbidden tokens are therefore left unparsed, and other panics become errParser.
func parseYAML(source string) (tokens token.Tokens, file *ast.File, err error) {
	defer func() {
		if recover() != nil {
			err = errParser
		}
	}()
	tokens = lexer.Tokenize(source + "\n") // the library drops a tag at the very end
	if slices.ContainsFunc(tokens, isForbidden) {
		return tokens, nil, nil
	}
	if deep := tooDeep(tokens); deep != nil {
		return tokens, nil, &yaml.SyntaxError{Message: fmt.Sprintf("nested more than %d deep", maxDepth), Token: deep}
	}
	file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	return tokens, file, err
}

// tooDeep returns the token that exceeds maxDepth, or nil.
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
