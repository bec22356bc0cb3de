// Package suggest ends error messages about unknown words: with the word that
// was probably meant, and the words that are accepted.
package suggest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxDistance is the largest number of edits between a word and the word that
// is suggested for it.
const maxDistance = 2

// Synonyms are words of other programs, each with the word that is accepted here.
type Synonyms map[string]string

// maxListed is the number of accepted words up to which a message lists them all below its
// guess: the guess of a long list would not be seen.
const maxListed = 13

// OneOf returns the end of a message about word, which is not among wanted: the
// nearest of them, if any is near, and all of them unless they are many.
func OneOf(word string, wanted []string) string { return Synonyms(nil).OneOf(word, wanted) }

// OneOf does what [OneOf] does, with synonyms.
func (s Synonyms) OneOf(word string, wanted []string) string {
	if len(wanted) == 0 {
		return "; there is none"
	}
	advice := " want one of " + Quoted(wanted)
	near := s.Nearest(word, wanted)
	switch {
	case near == "":
		return ";" + advice
	case len(wanted) > maxListed:
		return "; did you mean " + strconv.Quote(near) + "?"
	default:
		return "; did you mean " + strconv.Quote(near) + "?" + advice
	}
}

// DidYouMean returns the end of a message about word where the accepted words
// are too many to list: the nearest of them, or nothing if none is near.
func DidYouMean(word string, wanted []string) string {
	if near := Nearest(word, wanted); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// Quoted joins words, each in quotes, by commas.
func Quoted[S ~string](words []S) string {
	quotes := make([]string, len(words))
	for i, w := range words {
		quotes[i] = strconv.Quote(string(w))
	}
	return strings.Join(quotes, ", ")
}

// Nearest returns the word that differs from word in at most maxDistance edits
// and in fewer than half of its letters; empty if there is none.
func Nearest(word string, wanted []string) string {
	best, least := "", maxDistance+1
	for _, w := range wanted {
		if len(word) > len(w)+maxDistance || len(w) > len(word)+maxDistance {
			continue // the distance is larger, and word may be very long
		}
		if d := distance(strings.ToLower(word), strings.ToLower(w)); d < least && 2*d < len(w) {
			best, least = w, d
		}
	}
	return best
}

// Nearest returns what the word is a synonym of, if that is wanted, else as [Nearest]. The
// accepted word may be followed by others, such as a flag.
func (s Synonyms) Nearest(word string, wanted []string) string {
	meant := s[strings.ToLower(word)]
	if first, _, _ := strings.Cut(meant, " "); meant != "" && slices.Contains(wanted, first) {
		return meant
	}
	return Nearest(word, wanted)
}

// distance returns the edit distance of two words. Two letters that changed
// places count as one edit.
func distance(a, b string) int {
	d := levenshtein.ComputeDistance(a, b)
	if d == 2 && slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b)))) {
		return 1
	}
	return d
}
