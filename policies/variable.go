package policies

import "encoding/json"

// TypeOf names the type of a value of a variable, with its article.
func TypeOf(value any) string {
	switch value.(type) {
	case bool:
		return "a boolean"
	case json.Number, float64, int, int64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	default:
		return "null"
	}
}

// SameType reports whether a variable may have both values.
func SameType(a, b any) bool { return TypeOf(a) == TypeOf(b) }
