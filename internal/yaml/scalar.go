package yaml

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

// Kind is what a YAML node is.
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
	Broken // refused already; whatever it should be, nothing more is said of it
)

var (
	integer = lazy.Regexp(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	float   = lazy.Regexp(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// resolve is the kind of an unquoted scalar by the core schema of YAML 1.2.2
// §10.3.2. The library's own answer is YAML 1.1's in part: 1_000, 012 and 0b1
// would be numbers.
func resolve(scalar string) Kind {
	switch scalar {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Boolean
	}
	switch {
	case !strings.ContainsRune("-+.0123456789", rune(scalar[0])): // most are words
		return Text
	case integer().MatchString(scalar):
		return Integer
	case float().MatchString(scalar):
		return Float
	default:
		return Text
	}
}

// kindNames are the kinds as messages name them.
var kindNames = map[Kind]string{
	Null: "empty", Boolean: "the boolean", Integer: "the integer", Float: "the number",
	Text: "the text", List: "a list", Mapping: "a mapping",
}

// Describe says what a node is, for "… is <this>; want …".
func (n *Node) Describe() string {
	if slices.Contains([]Kind{Null, List, Mapping}, n.Kind) {
		return kindNames[n.Kind]
	}
	if n.Kind == Text {
		return kindNames[Text] + " " + Quote(n.Text)
	}
	return kindNames[n.Kind] + " " + n.Text
}
