// Package lazy makes what most runs do without when it is first asked for, so
// that no run pays for it at its start.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is the regular expression that a text is, compiled by the first call,
// which panics as [regexp.MustCompile] does.
//
//go:noinline // each use would get functions of its own, 100 KB in all
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
