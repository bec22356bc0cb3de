package gate

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// CheckWord is the word of a check.
type CheckWord string

// The checks of evidence.
const (
	Present            CheckWord = "present" // is there, and not null
	Any                CheckWord = "any"     // may be null
	Nonempty           CheckWord = "nonempty"
	Positive           CheckWord = "positive"
	PositiveOrNonempty CheckWord = "positive_or_nonempty" // numbers are positive, the rest is not empty
	Min                CheckWord = "min"                  // a number is at least the argument, the rest at least that long
	IsTrue             CheckWord = "is_true"
	FileExists         CheckWord = "file_exists" // is the path of a regular file or directory in the repository
	Matches            CheckWord = "matches"     // the argument, a regular expression, is found in the text
	// Condition is the word of a check that is a condition; it is not written.
	Condition CheckWord = "condition"
)

// Check is how the value of a piece of evidence is checked. It is written as its
// word, followed by its argument where it takes one ("nonempty", "min 5",
// "matches ^v[0-9]+$"), or as a condition on evidence.
type Check struct {
	Word     CheckWord
	Argument string // of min a number, of matches a regular expression, of a condition its text

	atLeast *big.Rat       // of min
	found   *regexp.Regexp // of matches
}

// checks is every check that has a word: the types it suits, and what its
// argument is, where it takes one.
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

// aboutEvidence finds in a condition that it reads the evidence.
var aboutEvidence = regexp.MustCompile(`(^|[^A-Za-z0-9_.])evidence([^A-Za-z0-9_]|$)`)

// ParseCheck reads a check as it is written. Whether a condition is one is for
// its compiler to say; a text that does not read the evidence is none.
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
			return Check{}, fmt.Errorf("the check %q takes nothing; found %q behind it", word, argument)
		}
		if row.argument != "" && argument == "" {
			return Check{}, fmt.Errorf("the check %q takes %s", word, row.argument)
		}
		return newCheck(row.word, argument)
	}
	if aboutEvidence.MatchString(text) {
		return Check{Word: Condition, Argument: text}, nil
	}
	return Check{}, fmt.Errorf("unknown check %q%s, or a condition on evidence, such as \"evidence.n > 3\"", text, suggest.OneOf(word, words))
}

func newCheck(word CheckWord, argument string) (Check, error) {
	c := Check{Word: word, Argument: argument}
	switch word {
	case Min:
		number, ok := exactly(argument)
		if !ok {
			return Check{}, fmt.Errorf("%q is no number; want one, such as \"min 5\"", argument)
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

// Suits says why a check says nothing of a type, if it does not.
func (c Check) Suits(t Type) error {
	for _, row := range checks {
		if row.word == c.Word && !slices.Contains(row.suits, t) {
			return fmt.Errorf("the check %q says nothing of the type %q%s", c.Word, t, suggest.OneOf(string(t), names(row.suits)))
		}
	}
	return nil
}

// String is the check as it is written.
func (c Check) String() string {
	if c.Word == Condition {
		return c.Argument
	}
	return strings.TrimSpace(string(c.Word) + " " + c.Argument)
}

// MarshalText is the check as it is written.
func (c Check) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// decimal is how a number is written, in JSON and in a check.
var decimal = regexp.MustCompile(`^-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][-+]?[0-9]{1,3})?$`)

// exactly reads a number as it is written, without rounding it: a float64 has no
// 9007199254740993, and 0.99999999999999999999 is no integer.
func exactly(text string) (*big.Rat, bool) {
	if !decimal.MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// ceiling is the least integer that is not below a number.
func ceiling(n *big.Rat) *big.Int {
	whole, rest := new(big.Int).DivMod(n.Num(), n.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}
