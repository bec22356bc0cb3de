package gate

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// CheckWord names a kind of check.
type CheckWord string

// The checks of evidence.
const (
	Present            CheckWord = "present" // given, and not null
	Any                CheckWord = "any"     // may be null
	Nonempty           CheckWord = "nonempty"
	Positive           CheckWord = "positive"
	PositiveOrNonempty CheckWord = "positive_or_nonempty" // numbers are positive, other values are not empty
	Min                CheckWord = "min"                  // numbers are at least the argument, other values at least that long
	IsTrue             CheckWord = "is_true"
	FileExists         CheckWord = "file_exists" // is the path of a file or directory in the repository
	Matches            CheckWord = "matches"     // the text matches the argument, a regular expression
	// Condition marks a check that is a condition; it has no word in the source.
	Condition CheckWord = "condition"
)

// Check tests the value of a piece of evidence. Its source is a word, with an
// argument if the word takes one ("nonempty", "min 5", "matches ^v[0-9]+$"), or a
// condition on evidence.
type Check struct {
	Word     CheckWord
	Argument string // a number for min, a regular expression for matches, the source of a condition

	atLeast *big.Rat       // of min
	found   *regexp.Regexp // of matches
}

// checks lists every check that has a word, with the types it applies to and a
// description of its argument, if it takes one.
var checks = []struct {
	word     CheckWord
	suits    []Type
	argument string
}{
	{Present, types, ""},
	{Any, types, ""},
	{Nonempty, []Type{String, List, Object}, ""},
	{Positive, []Type{Integer, Number}, ""},
	{PositiveOrNonempty, []Type{Integer, Number, String, List, Object}, ""},
	{Min, []Type{Integer, Number, String, List, Object}, `a number, such as "min 5"`},
	{IsTrue, []Type{Boolean}, ""},
	{FileExists, []Type{String}, ""},
	{Matches, []Type{String}, `a regular expression, such as "matches ^v[0-9]"`},
}

// readsEvidence matches a condition that reads evidence.
var readsEvidence = lazyregexp.New(`(^|[^A-Za-z0-9_.])evidence([^A-Za-z0-9_]|$)`)

// ParseCheck parses the source of a check. Conditions are compiled elsewhere; text
// that is neither a check nor reads evidence is an error.
func ParseCheck(text string) (Check, error) {
	word, argument, _ := strings.Cut(strings.TrimSpace(text), " ")
	argument = strings.TrimSpace(argument)
	var words []string
	for _, row := range checks {
		words = append(words, string(row.word))
		if string(row.word) != word {
			continue
		}
		if row.argument == "" && argument != "" {
			return Check{}, fmt.Errorf("the check %q takes no argument; got %q", word, argument)
		}
		if row.argument != "" && argument == "" {
			return Check{}, fmt.Errorf("the check %q takes %s", word, row.argument)
		}
		return newCheck(row.word, argument)
	}
	if readsEvidence().MatchString(text) {
		return Check{Word: Condition, Argument: text}, nil
	}
	return Check{}, fmt.Errorf("unknown check %q%s, or a condition on evidence, such as \"evidence.n > 3\"", text, suggest.OneOf(word, words))
}

func newCheck(word CheckWord, argument string) (Check, error) {
	c := Check{Word: word, Argument: argument}
	switch word {
	case Min:
		number, ok := parseNumber(argument)
		if !ok {
			return Check{}, fmt.Errorf("%q is not a number; want one, such as \"min 5\"", argument)
		}
		c.atLeast = number
	case Matches:
		found, err := regexp.Compile(argument)
		if err != nil {
			return Check{}, fmt.Errorf("the check \"matches\": %w", err)
		}
		c.found = found
	default:
	}
	return c, nil
}

// Suits returns an error if the check does not apply to a type.
func (c Check) Suits(t Type) error {
	for _, row := range checks {
		if row.word == c.Word && !slices.Contains(row.suits, t) {
			return fmt.Errorf("the check %q does not apply to the type %q%s", c.Word, t, suggest.OneOf(string(t), names(row.suits)))
		}
	}
	return nil
}

// String returns the source of the check.
func (c Check) String() string {
	if c.Word == Condition {
		return c.Argument
	}
	return strings.TrimSpace(string(c.Word) + " " + c.Argument)
}

// MarshalText returns the source of the check.
func (c Check) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// decimal matches a number, in JSON and in a check.
var decimal = lazyregexp.New(`^-?([0-9]+)(?:\.([0-9]+))?(?:[eE][-+]?[0-9]{1,3})?$`)

// maxDigits limits the digits before and after the point, so that the exact number
// stays small.
const maxDigits = 400

// parseNumber parses a number without rounding: float64 cannot represent
// 9007199254740993, and 0.99999999999999999999 is not an integer.
func parseNumber(text string) (*big.Rat, bool) {
	parts := decimal().FindStringSubmatch(text)
	if parts == nil || len(parts[1]) > maxDigits || len(parts[2]) > maxDigits {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// ceiling rounds a number up to an integer.
func ceiling(n *big.Rat) *big.Int {
	whole, rest := new(big.Int).DivMod(n.Num(), n.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}
