package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// names brings the bytes of paths to text for Rego, which knows nothing else,
// and back. Its zero value is ready; it costs nothing while all paths are text.
type names struct {
	raw map[string]string // by what Rego sees
	err error             // two names that Rego could not tell apart
}

// text writes a name for Rego. A name that holds what an invalid byte would
// become is remembered too, so that the two are never mistaken for each other.
func (n *names) text(name string) string {
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	text := finding.Printable(name)
	if other, ok := n.raw[text]; ok && other != name {
		n.err = fmt.Errorf("paths %q and %q are both written %s; want names that differ", other, name, text)
	}
	if n.raw == nil {
		n.raw = map[string]string{}
	}
	n.raw[text] = name
	return text
}

// bytes undoes text.
func (n *names) bytes(text string) string {
	if name, ok := n.raw[text]; ok {
		return name
	}
	return text
}
