package gate

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// number converts a value to an exact number. Evidence is decoded from JSON, with
// json.Number or without.
func number(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case json.Number:
		return parseNumber(v.String())
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case int:
		return new(big.Rat).SetInt64(int64(v)), true
	case int64:
		return new(big.Rat).SetInt64(v), true
	case uint64:
		return new(big.Rat).SetUint64(v), true
	default:
		return nil, false
	}
}

// has reports whether a value has the type.
func (t Type) has(value any) bool {
	n, numeric := number(value)
	switch t {
	case Boolean:
		_, ok := value.(bool)
		return ok
	case Integer:
		return numeric && n.IsInt()
	case Number:
		return numeric
	case String:
		_, ok := value.(string)
		return ok
	case List:
		_, ok := value.([]any)
		return ok
	case Object:
		_, ok := value.(map[string]any)
		return ok
	default:
		return false
	}
}

// size returns the value of a number, else a length: of a string in characters
// without surrounding space, of a list in items, of an object in fields.
func size(value any) *big.Rat {
	if n, ok := number(value); ok {
		return n
	}
	length := 0
	switch v := value.(type) {
	case string:
		length = utf8.RuneCountInString(strings.TrimSpace(v))
	case []any:
		length = len(v)
	case map[string]any:
		length = len(v)
	}
	return big.NewRat(int64(length), 1)
}

// passes reports whether a value of the right type passes the check. An unknown
// check never passes.
func (c Check) passes(value any) bool {
	switch c.Word {
	case Present, Any:
		return true
	case Nonempty, Positive, PositiveOrNonempty:
		return size(value).Sign() > 0
	case Min:
		return c.atLeast != nil && size(value).Cmp(c.atLeast) >= 0
	case IsTrue:
		return value == true
	case Matches:
		text, ok := value.(string)
		return ok && c.found != nil && c.found.MatchString(text)
	default:
		return false
	}
}

// wanted describes the values that pass.
func (c Check) wanted() string {
	switch c.Word {
	case Present:
		return "a value"
	case Any:
		return "anything"
	case Nonempty:
		return "a non-empty value"
	case Positive:
		return "more than 0"
	case PositiveOrNonempty:
		return "more than 0, or a non-empty value"
	case Min:
		return "at least " + c.Argument
	case IsTrue:
		return "true"
	case FileExists:
		return "the path of a file or directory in the repository"
	case Matches:
		return "text that matches " + c.Argument
	default:
		return c.Argument
	}
}

// evidenceRead matches strings and comments, in which nothing is read, and each piece
// of evidence that a condition reads.
var evidenceRead = lazyregexp.New(`"(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `|#[^\n]*|(?:^|[^A-Za-z0-9_.])evidence(?:\.([A-Za-z_][A-Za-z0-9_]*)|\["([^"]+)"\])`)

// Read is a place in a condition that reads a piece of evidence.
type Read struct {
	Name   string
	Offset int // of the name in the condition, in bytes
}

// Reads returns the evidence that a condition reads, in its order.
func (c Check) Reads() []Read {
	var reads []Read
	for _, at := range evidenceRead().FindAllStringSubmatchIndex(c.Argument, -1) {
		if begin, end := max(at[2], at[4]), max(at[3], at[5]); begin >= 0 {
			reads = append(reads, Read{c.Argument[begin:end], begin})
		}
	}
	return reads
}

// maxShown limits how much of a value a message shows, in bytes.
const maxShown = 80

// describeValue describes a value in a few words.
func describeValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean " + strconv.FormatBool(v)
	case string:
		if len(v) > maxShown {
			v = strings.ToValidUTF8(v[:maxShown], "") + "…"
		}
		return "string " + strconv.Quote(v)
	case []any:
		return fmt.Sprintf("list of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("object of %d", len(v))
	default:
		text := fmt.Sprint(v)
		return "number " + text[:min(len(text), maxShown)]
	}
}
