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
	maxRun   = 1000     // signs "<" in a row, and brackets that are open when one is closed
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

// cheap reports what the lexer takes the square of: signs "<" in a row, and brackets that are
// closed when very many are open. It knows no quotes; only tokens show which brackets count.
func (d *document) cheap(source string) bool {
	open, deep, run := 0, 0, 0
	for i := range len(source) {
		c := source[i]
		if run++; c != '<' {
			run = 0
		}
		switch {
		case run > maxRun:
			return d.refuseAt(source, i, "more than %d times \"<\" in a row; want fewer", maxRun)
		case c == '[' || c == '{':
			if open++; open == maxRun {
				deep = i
			}
		case c != ']' && c != '}':
		case open > maxRun:
			return d.refuseAt(source, deep, "bad YAML: nested more than %d deep", maxDepth)
		default:
			open = max(0, open-1)
		}
	}
	return true
}

// refuseAt reports a problem at an offset of the source.
func (d *document) refuseAt(source string, offset int, format string, args ...any) bool {
	at := PlaceOf(source, offset)
	at.Line += d.first - 1
	d.Add(at, CodeSyntax, format, args...)
	return false
}
