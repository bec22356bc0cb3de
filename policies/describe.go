package policies

import (
	"fmt"
	"strings"
)

// valueNames says what the value of each type is.
var valueNames = map[ParamType]string{
	Pattern:  "a path pattern",
	Patterns: "one or several path patterns",
	String:   "a text",
	Strings:  "one or several texts",
	Integer:  "a whole number",
	Boolean:  "true or false",
	Regex:    "a regular expression (RE2)",
	Duration: "a duration such as 90s or 5m",
	Rules:    "one or several ids of rules",
}

// Says is what the value of a parameter must be, in words.
func (p Param) Says() string {
	said := valueNames[p.Type]
	if len(p.OneOf) > 0 {
		said = "one of " + strings.Join(p.OneOf, ", ")
	}
	if p.Type == Integer && p.AtLeast > 0 {
		said += fmt.Sprintf(" from %d", p.AtLeast)
	} else if p.AtLeast > 1 {
		said = strings.TrimPrefix(said, "one or several ") + fmt.Sprintf(", at least %d", p.AtLeast)
	}
	if p.Distinct {
		said += ", all different"
	}
	switch p.Captures {
	case "":
	case CapturesSame:
		said += ", all with the same captures"
	default:
		said += ", with no captures but those of " + p.Captures
	}
	switch {
	case p.Default != nil:
		said += fmt.Sprintf("; default %v", p.Default)
	case p.Optional:
		said += "; may be absent"
	}
	return said
}
