// Package lazyregexp compiles the regular expressions of package variables when they are
// first used: a run needs few of them, and all of them would take a tenth of its start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression, always the same one. It
// panics if the expression is malformed, and may be called concurrently.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
