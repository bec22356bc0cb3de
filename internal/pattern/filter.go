package pattern

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

// filter changes how the text of a capture is written. The zero value changes nothing.
type filter uint8

// The filters, in the order of how much they keep: words, words but for digits and single
// letters, and no words.
const (
	noFilter filter = iota
	kebab
	snake
	camel
	pascal
	lowerCase
	upperCase
)

// filterNames are the names of filters in patterns.
var filterNames = []string{kebab: "kebab", snake: "snake", camel: "camel", pascal: "pascal", lowerCase: "lower", upperCase: "upper"}

// Filters returns the names of all filters.
func Filters() []string { return append([]string(nil), filterNames[kebab:]...) }

// filter parses the text after the "|" of a placeholder that begins at offset.
func (p parser) filter(name string, offset int) (filter, error) {
	for i := kebab; i <= upperCase; i++ {
		if filterNames[i] == name {
			return i, nil
		}
	}
	return noFilter, newError(p.source, "unknown_filter", offset, "unknown filter %s%s", quote(name), suggest.OneOf(strings.ToLower(strings.TrimSpace(name)), Filters()))
}

// of returns text as the filter writes it, each segment by itself. Text that is written so
// already, and text without letters and digits, stays as it is.
func (f filter) of(text string) string {
	if f == noFilter {
		return text
	}
	// A match of a pattern without filters would allocate, if the text itself could be kept.
	segments := strings.Split(strings.Clone(text), "/")
	for i, s := range segments {
		segments[i] = f.segment(s)
	}
	return strings.Join(segments, "/")
}

// keeps reports whether text is written as the filter writes it.
func (f filter) keeps(text string) bool { return f.of(text) == text }

func (f filter) segment(text string) string {
	switch f {
	case lowerCase:
		return mapped(text, unicode.ToLower)
	case upperCase:
		return mapped(text, unicode.ToUpper)
	case camel, pascal:
		if f.joins(text) {
			return text
		}
	case noFilter, kebab, snake:
	}
	words := wordsOf(text)
	if len(words) == 0 {
		return text
	}
	for i, w := range words {
		words[i] = mapped(w, unicode.ToLower)
		if f == pascal || f == camel && i > 0 {
			words[i] = capitalized(words[i])
		}
	}
	separator := map[filter]string{kebab: "-", snake: "_"}[f]
	return strings.Join(words, separator)
}

// joins reports whether text can be words that the filter joined: without separators, the
// first letter as it should be. Runs of capitals, as in HTTPServer, are words too.
func (f filter) joins(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	wrong := isCapital
	if f == pascal {
		wrong = isSmall
	}
	return !wrong(first) && strings.IndexFunc(text, separates) < 0
}

// separates reports whether a character is between words. A byte that is not part of a
// character is not.
func separates(r rune) bool {
	return r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}

// isCapital reports whether a letter has a small form. Letters without two forms are neither
// capital nor small, whatever Unicode calls them.
func isCapital(r rune) bool { return unicode.ToLower(r) != r }

func isSmall(r rune) bool { return unicode.ToUpper(r) != r && !isCapital(r) }

// wordsOf splits text at what separates words, before a capital after another letter or a
// digit, and before the last of several capitals if a small letter follows.
func wordsOf(text string) []string {
	var words []string
	start, last := -1, rune(0) // of the current word; the character before
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+width(text[i:]):])
		switch {
		case separates(r):
			if start >= 0 {
				words = append(words, text[start:i])
			}
			start = -1
		case start < 0:
			start = i
		case isCapital(r) && (!isCapital(last) || isSmall(next)):
			words = append(words, text[start:i])
			start = i
		}
		last = r
	}
	if start >= 0 {
		words = append(words, text[start:])
	}
	return words
}

func capitalized(word string) string {
	n := width(word)
	return mapped(word[:n], unicode.ToUpper) + word[n:]
}

// mapped maps each character; bytes that are not part of one stay.
func mapped(text string, to func(rune) rune) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := width(text[i:])
		if r, size := utf8.DecodeRuneInString(text[i:]); r != utf8.RuneError || size > 1 {
			b.WriteRune(to(r))
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Essence returns what all filters keep of a captured text: its letters and digits in one
// case, in segments. Of text without them, it returns the text.
func Essence(text string) string {
	segments := strings.Split(text, "/")
	for i, s := range segments {
		kept := strings.Join(strings.FieldsFunc(s, separates), "")
		if kept == "" {
			kept = s
		}
		segments[i] = mapped(kept, func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) })
	}
	return strings.Join(segments, "/")
}

// Filtered returns the names that the pattern captures with a filter.
func (p *Pattern) Filtered() []string {
	var names []string
	for _, t := range p.everyToken() {
		if t.kind == capture && t.name != "" && t.filter != noFilter {
			names = append(names, t.name)
		}
	}
	return names
}

// Loss returns how much of a captured text the pattern shows: 0 if the name has no filter,
// and the more, the less a text in other words or another case can be found from it.
func (p *Pattern) Loss(name string) int {
	least := upperCase
	for _, t := range p.everyToken() {
		if t.kind == capture && t.name == name {
			least = min(least, t.filter)
		}
	}
	return int(least)
}

// Wild reports whether more than one path can match the pattern with its captures filled in,
// or parts of one.
func (p *Pattern) Wild() bool {
	return p.part != nil || slices.ContainsFunc(p.tokens, func(t token) bool {
		return t.kind != literal && t.kind != slash && (t.kind != capture || t.name == "")
	})
}

// Several reports whether more than one file or part can match the pattern with its captures
// filled in.
func (p *Pattern) Several() bool { return !only(p.everyToken(), literal, slash, capture) }
