package rule

import (
	"errors"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// valueType describes the values of one type.
type valueType struct {
	one     string    // "a path pattern"
	many    string    // "path patterns"; empty: lists are not accepted
	kind    yaml.Kind // of a single value
	pattern bool
	check   func(text string) *yaml.Issue // nil: accepts any text
}

var types = map[policies.ParamType]valueType{
	policies.Pattern:  {one: "a path pattern", kind: yaml.Text, pattern: true},
	policies.Patterns: {one: "a path pattern", many: "path patterns", kind: yaml.Text, pattern: true},
	policies.Files:    {one: "a path pattern", many: "path patterns", kind: yaml.Text, pattern: true},
	policies.String:   {one: "a text", kind: yaml.Text},
	policies.Strings:  {one: "a text", many: "texts", kind: yaml.Text},
	policies.Integer:  {one: "a whole number", kind: yaml.Integer},
	policies.Fraction: {one: "a number above 0, at most 1", kind: yaml.Float},
	policies.Amount:   {one: "a number above 0", kind: yaml.Float},
	policies.Boolean:  {one: "true or false", kind: yaml.Boolean},
	policies.Regex:    {one: "a regular expression", kind: yaml.Text, check: checkRegex},
	policies.Regexes:  {one: "a regular expression", many: "regular expressions", kind: yaml.Text, check: checkRegex},
	policies.Duration: {one: "a duration such as 90s", kind: yaml.Text, check: checkDuration},
	policies.Rules:    {one: "a rule's id", many: "rule ids", kind: yaml.Text},
}

// want describes the accepted values of a key.
func (k Key) want() string {
	t := types[k.Type]
	switch {
	case k.Unread != "":
		return k.Unread
	case k.Form != "":
		return "a list of " + k.Form + ", or one or several of " + suggest.Quoted(k.OneOf)
	case len(k.OneOf) > 0 && t.many != "":
		return "one or several of " + suggest.Quoted(k.OneOf)
	case len(k.OneOf) > 0:
		return "one of " + suggest.Quoted(k.OneOf)
	case t.many == "":
		return t.one
	case k.AtLeast > 1:
		return "a list of " + t.many
	case k.Any:
		return t.one + ", a list of " + t.many + " or {any: […]}"
	default:
		return t.one + " or a list of " + t.many
	}
}

// patternIssue converts an error of a path pattern.
func patternIssue(err error) *yaml.Issue {
	offset := -1
	if e, ok := errors.AsType[*pattern.Error](err); ok {
		offset = e.Offset
	}
	return &yaml.Issue{Code: codeInvalidPattern, Offset: offset, Message: err.Error()}
}
