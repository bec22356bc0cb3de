package treesitter

import (
	"regexp"
	"strings"
)

// Unknown is a construct that a grammar does not know.
type Unknown struct {
	// Words begin it. A word of letters is not found inside of another one.
	Words []string
	// Follows reports whether it may follow a text; nil: any.
	Follows func(before string) bool
	// Expression matches the text from the word on. The grammar reads Written in the place of its groups.
	Expression func() *regexp.Regexp
	Written    byte
}

// known returns the text as the grammar knows it; all places are the same.
func (l *Language) known(text string) string {
	var begins [256]bool
	for _, u := range l.Unknown {
		for _, word := range u.Words {
			begins[word[0]] = true
		}
	}
	var known []byte
	for at := range len(text) { // expressions alone would take as much time as half of the parser
		if !begins[text[at]] || isWord(text[at]) && at > 0 && isWord(text[at-1]) {
			continue
		}
		for _, u := range l.Unknown {
			groups := u.match(text, at)
			for group := 2; group < len(groups); group += 2 {
				if known == nil {
					known = []byte(text)
				}
				for i := at + max(groups[group], 0); i < at+groups[group+1]; i++ {
					if known[i] != '\n' {
						known[i] = u.Written
					}
				}
			}
		}
	}
	if known == nil {
		return text
	}
	return string(known)
}

// match returns the places of the groups of what begins at an offset, from there; none if nothing does.
func (u Unknown) match(text string, at int) []int {
	for _, word := range u.Words {
		if strings.HasPrefix(text[at:], word) && (u.Follows == nil || u.Follows(text[:at])) {
			return u.Expression().FindStringSubmatchIndex(text[at:])
		}
	}
	return nil
}

// AfterAny returns a function that reports whether a text ends with one of some characters, white space and comments.
func AfterAny(characters string) func(before string) bool {
	const comment = 1024 // a longer one is not looked for
	return func(before string) bool {
		before = strings.TrimRight(before, " \t\r\n\f")
		for strings.HasSuffix(before, "*/") {
			start := strings.LastIndex(before[max(0, len(before)-comment):], "/*")
			if start < 0 {
				return false
			}
			before = strings.TrimRight(before[:max(0, len(before)-comment)+start], " \t\r\n\f")
		}
		return before != "" && strings.IndexByte(characters, before[len(before)-1]) >= 0
	}
}

// AtLineStart reports whether a text ends with a line of blanks.
func AtLineStart(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// AfterWord reports whether a text ends with a word.
func AfterWord(before string) bool { return before != "" && isWord(before[len(before)-1]) }

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}
