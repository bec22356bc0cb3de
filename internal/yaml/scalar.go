package yaml

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Kind is the type of a YAML node.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Boolean
	Integer
	Float
	Text
	List
	Mapping
	Broken // already reported; further checks skip it
)

var (
	integer = lazyregexp.New(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	float   = lazyregexp.New(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// resolve returns the kind of an unquoted scalar by the core schema of YAML 1.2.2
// §10.3.2. The library follows YAML 1.1 in part, where 1_000, 012 and 0b1 are
// numbers.
func resolve(scalar string) Kind {
	switch scalar {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Boolean
	}
	switch {
	case !strings.ContainsRune("-+.0123456789", rune(scalar[0])): // most scalars are words
		return Text
	case integer().MatchString(scalar):
		return Integer
	case float().MatchString(scalar):
		return Float
	default:
		return Text
	}
}

// kindNames maps kinds to their names in messages.
var kindNames = map[Kind]string{
	Null: "empty", Boolean: "the boolean", Integer: "the integer", Float: "the number",
	Text: "the text", List: "a list", Mapping: "a mapping",
}

// Describe returns a node's kind and text for messages, as in "the integer 3".
func (n *Node) Describe() string {
	if slices.Contains([]Kind{Null, List, Mapping}, n.Kind) {
		return kindNames[n.Kind]
	}
	if n.Kind == Text {
		return kindNames[Text] + " " + Quote(n.Text)
	}
	return kindNames[n.Kind] + " " + n.Text
}
