package rule

import (
	"regexp"
	"slices"
)

// kind is what a YAML node is.
type kind int

const (
	null kind = iota
	boolean
	integer
	float
	text
	list
	mapping
	broken // refused already; whatever it should be, nothing more is said of it
)

// coreSchema tells what an unquoted scalar is, by YAML 1.2.2 §10.3.2. The
// library's own answer is YAML 1.1's in part: 1_000, 012 and 0b1 would be
// numbers.
var coreSchema = []struct {
	kind  kind
	match *regexp.Regexp
}{
	{null, regexp.MustCompile(`^(null|Null|NULL|~|)$`)},
	{boolean, regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)},
	{integer, regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)},
	{float, regexp.MustCompile(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)},
}

// resolve is the kind of an unquoted scalar.
func resolve(scalar string) kind {
	for _, row := range coreSchema {
		if row.match.MatchString(scalar) {
			return row.kind
		}
	}
	return text
}

// kindNames are the kinds as messages name them.
var kindNames = map[kind]string{
	null: "empty", boolean: "the boolean", integer: "the integer", float: "the number",
	text: "the text", list: "a list", mapping: "a mapping",
}

// describe says what a node is, for "… is <this>; want …".
func (n *node) describe() string {
	if slices.Contains([]kind{null, list, mapping}, n.kind) {
		return kindNames[n.kind]
	}
	if n.kind == text {
		return kindNames[text] + " " + quote(n.text)
	}
	return kindNames[n.kind] + " " + n.text
}
