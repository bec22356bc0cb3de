package policies

import (
	"fmt"
	"strings"
)

// valueNames describes the values of each type.
var valueNames = map[ParamType]string{
	Pattern:  "a path pattern",
	Patterns: "one or several path patterns",
	Files:    "one or several path patterns of files that are read",
	String:   "a text",
	Strings:  "one or several texts",
	Integer:  "a whole number",
	Fraction: "a number above 0, at most 1",
	Boolean:  "true or false",
	Regex:    "a regular expression (RE2)",
	Regexes:  "one or several regular expressions (RE2)",
	Duration: "a duration such as 90s or 5m",
	Rules:    "one or several ids of rules",
}

// Describe returns the accepted values of a parameter as text.
func (p Param) Describe() string {
	text := valueNames[p.Type]
	if len(p.OneOf) > 0 {
		text = "one of " + strings.Join(p.OneOf, ", ")
		if p.Type == Strings {
			text = strings.Replace(text, "one of", "one or several of", 1)
		}
	}
	if p.Type == Integer && p.AtLeast > 0 {
		text += fmt.Sprintf(" from %d", p.AtLeast)
	} else if p.AtLeast > 1 {
		text = strings.TrimPrefix(text, "one or several ") + fmt.Sprintf(", at least %d", p.AtLeast)
	}
	if p.Several {
		text += ", at least 2 without wildcards"
	}
	switch {
	case p.Parts && p.Type == Files:
		text += ", also of keys"
	case p.Parts:
		text += ", also of keys, symbols and headings"
	}
	if p.Any {
		text += ", or {any: […]}"
	}
	if p.Distinct {
		text += ", all different"
	}
	switch p.Captures {
	case "":
	case CapturesSame:
		text += ", all with the same captures"
	default:
		text += ", with no captures but those of " + p.Captures
	}
	switch {
	case p.Default != nil:
		text += fmt.Sprintf("; default %v", p.Default)
	case p.Optional:
		text += "; may be absent"
	}
	if p.With != "" {
		text += ", only with " + p.With
	}
	if len(p.WithAny) > 0 {
		text += ", only with " + strings.Join(p.WithAny, " or ")
	}
	return text
}
