package language

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// How many lines from the beginning of a file a sign that it is generated may be.
const (
	signLines  = 40 // behind a licence
	adviceLine = 10
)

var (
	generatedSign   = lazyregexp.New(`\bCode generated\b.*\bDO NOT EDIT\b|(^|[^\w@])@generated\b`)
	generatedAdvice = lazyregexp.New(`(?i)\bdo not (edit|modify)\b`)
	commentSign     = lazyregexp.New(`^\s*(//|#|/\*|\*|--|;|%|<!--|\(\*|\{-|"""|'''|rem\b)`)
)

// IsGenerated reports whether the first lines of a text say in a comment that a program wrote it:
// "Code generated … DO NOT EDIT", "@generated", or near the top "do not edit".
func IsGenerated(text string) bool {
	number := 0
	for line := range strings.Lines(text[:min(len(text), 1<<14)]) {
		if number++; number > signLines {
			return false
		}
		if !commentSign().MatchString(line) {
			continue
		}
		if generatedSign().MatchString(line) || number <= adviceLine && generatedAdvice().MatchString(line) {
			return true
		}
	}
	return false
}
