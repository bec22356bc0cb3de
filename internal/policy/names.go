package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// names converts paths to UTF-8 for Rego, and back. The zero value is ready to use.
type names struct {
	raw map[string]string // by their UTF-8 form
	err error             // two paths with the same UTF-8 form
}

// text returns the UTF-8 form of a path. Paths that contain the form of an invalid byte
// are recorded too, so that a collision is noticed.
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

// bytes returns the path with the UTF-8 form text.
func (n *names) bytes(text string) string {
	if name, ok := n.raw[text]; ok {
		return name
	}
	return text
}
