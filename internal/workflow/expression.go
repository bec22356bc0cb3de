package workflow

import (
	"regexp"
	"sync"
)

// expression is compiled when it is first asked for: most runs read no document
// and no gate.
type expression func() *regexp.Regexp

func lazily(text string) expression {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
