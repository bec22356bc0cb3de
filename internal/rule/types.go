package rule

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/policies"
)

// valueType is how values of one type are read and written about.
type valueType struct {
	one     string // "a path pattern"
	many    string // "path patterns"; empty where a list is not accepted
	kind    kind   // what a single value is
	pattern bool
	check   func(text string) *flaw // nil: any text will do
}

var types = map[policies.ParamType]valueType{
	policies.Pattern:  {one: "a path pattern", kind: text, pattern: true},
	policies.Patterns: {one: "a path pattern", many: "path patterns", kind: text, pattern: true},
	policies.String:   {one: "a text", kind: text},
	policies.Strings:  {one: "a text", many: "texts", kind: text},
	policies.Integer:  {one: "a whole number", kind: integer},
	policies.Boolean:  {one: "true or false", kind: boolean},
	policies.Regex:    {one: "a regular expression", kind: text, check: checkRegex},
	policies.Duration: {one: "a duration such as 90s", kind: text, check: checkDuration},
	policies.Rules:    {one: "a rule's id", many: "rule ids", kind: text},
}

// want says what a key's value may be.
func (k key) want() string {
	t := types[k.Type]
	switch {
	case len(k.OneOf) > 0 && t.many != "":
		return "one or several of " + quoted(k.OneOf)
	case len(k.OneOf) > 0:
		return "one of " + quoted(k.OneOf)
	case t.many == "":
		return t.one
	case k.AtLeast > 1:
		return "a list of " + t.many
	default:
		return t.one + " or a list of " + t.many
	}
}

// value is what a key was given.
type value struct {
	at       place // of the key
	data     any   // string, bool, int or []string
	scalars  []*node
	patterns []*pattern.Pattern // of scalars, where the type is one of patterns
}

// texts are a value's texts, of one or of a list.
func (v value) texts() []string {
	switch data := v.data.(type) {
	case string:
		return []string{data}
	case []string:
		return data
	default:
		return nil
	}
}

// number reads an integer of YAML 1.2's core schema, in which 012 is twelve.
func number(text string) (int, error) {
	base := 10
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		text, base = digits, 16
	} else if digits, ok := strings.CutPrefix(text, "0o"); ok {
		text, base = digits, 8
	}
	n, err := strconv.ParseInt(text, base, strconv.IntSize)
	return int(n), err
}

// flawOf is what is wrong with a path pattern.
func flawOf(err error) *flaw {
	offset := -1
	if e, ok := errors.AsType[*pattern.Error](err); ok {
		offset = e.Offset
	}
	return &flaw{codeInvalidPattern, offset, err.Error()}
}
