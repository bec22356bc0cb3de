package gate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// typeWords lists the words that indicate the type of evidence; the first match
// counts. They are whole words: "account" does not indicate a count.
var typeWords = []struct {
	words func() *regexp.Regexp
	means Type
}{
	{lazyregexp.New(`(?i)\b(count|number|quantity)s?\b`), Integer},
	{lazyregexp.New(`(?i)\b(list|array|collection)s?\b`), List},
	{lazyregexp.New(`(?i)\b(output|text|command)s?\b`), String},
	{lazyregexp.New(`(?i)\b(flag|boolean)s?\b|\btrue/false\b`), Boolean},
}

// typeFromProse returns the type that prose indicates or, failing that, the words
// of the name: "function_count" is a count.
func typeFromProse(prose, name string) (Type, bool) {
	for _, text := range []string{prose, strings.NewReplacer("_", " ", "-", " ").Replace(name)} {
		for _, row := range typeWords {
			if row.words().MatchString(text) {
				return row.means, true
			}
		}
	}
	return "", false
}

var (
	lowerBound  = lazyregexp.New(`(?i)\b(at least|greater than|more than)\b(?:\s+([0-9]{1,9}|one|two|three|four|five|six|seven|eight|nine|ten)\b)?|\bnon-zero\b`)
	notEmpty    = lazyregexp.New(`(?i)\b(non-?empty|must contain)\b`)
	mayBeEmpty  = lazyregexp.New(`(?i)\bmay be empty\b`)
	optional    = lazyregexp.New(`(?i)\boptional\b`)
	notOptional = lazyregexp.New(`(?i)\b(not|non)[- ]optional\b`)
)

// mentions reports whether prose contains any of the words, in any case. Regular
// expressions take most of the time of reading a large document.
func mentions(prose string, words ...string) bool {
	prose = strings.ToLower(prose)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(prose, word) })
}

var numberWords = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}

// minimumFromProse returns the minimum that prose requires: 1 if it requires one
// without a number.
func minimumFromProse(prose string) (int, bool) {
	if !mentions(prose, "at least", "than", "non-zero") {
		return 0, false
	}
	m := lowerBound().FindStringSubmatch(prose)
	if m == nil {
		return 0, false
	}
	least, named := numberWords[strings.ToLower(m[2])]
	if n, err := strconv.Atoi(m[2]); err == nil {
		least, named = n, true
	}
	switch {
	case !named:
		return 1, true
	case strings.EqualFold(m[1], "at least"):
		return least, true
	default:
		return least + 1, true
	}
}

// isOptional reports whether prose makes the evidence optional.
func isOptional(prose string) bool {
	return mentions(prose, "optional") && optional().MatchString(prose) && !notOptional().MatchString(prose)
}

// checkFromProse returns the check that prose describes for evidence of a type.
func checkFromProse(prose string, t Type) Check {
	var word CheckWord
	argument := ""
	least, bounded := minimumFromProse(prose)
	switch {
	case bounded && least > 1:
		word, argument = Min, strconv.Itoa(least)
	case bounded:
		word = PositiveOrNonempty
	case notEmpty().MatchString(prose):
		word = Nonempty
	case isOptional(prose), t != Boolean && mayBeEmpty().MatchString(prose):
		word = Any
	default:
		word = defaultCheck(t)
	}
	check, err := newCheck(word, argument)
	if err != nil || check.Suits(t) != nil {
		return Check{Word: defaultCheck(t)}
	}
	return check
}

// defaultCheck returns the check of evidence for which none is written: a boolean
// that passes as false would prove nothing.
func defaultCheck(t Type) CheckWord {
	if t == Boolean {
		return IsTrue
	}
	return Present
}

// slug builds a name from prose: its words in lower case, in any script, joined with "_" and cut
// after a word if the name is too long.
func slug(prose string) string {
	words := strings.FieldsFunc(strings.ToLower(prose), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	})
	name := ""
	for _, w := range words {
		if name != "" && len(name)+1+len(w) > maxSlug {
			break
		}
		name += "_" + w
	}
	name = strings.TrimPrefix(name, "_")
	if first, _ := utf8.DecodeRuneInString(name); name != "" && !unicode.IsLetter(first) {
		name = "_" + name
	}
	return strings.ToValidUTF8(name[:min(len(name), maxSlug)], "")
}

// maxSlug limits the length of a built name, in bytes.
const maxSlug = 60
