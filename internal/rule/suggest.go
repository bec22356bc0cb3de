package rule

import (
	"strconv"
	"strings"
)

// OneOf ends a message about a word that is none of those wanted: with the one
// that was probably meant, and all of them.
func OneOf(word string, wanted []string) string {
	if len(wanted) == 0 {
		return "; there is none"
	}
	advice := " want one of " + quoted(wanted)
	if near, ok := nearest(word, wanted); ok {
		return "; did you mean " + strconv.Quote(near) + "?" + advice
	}
	return ";" + advice
}

// quoted lists words as messages do.
func quoted(words []string) string {
	quotes := make([]string, 0, len(words))
	for _, w := range words {
		quotes = append(quotes, strconv.Quote(w))
	}
	return strings.Join(quotes, ", ")
}

// nearest is the word of those wanted that was probably meant: at most two
// slips away, and fewer than half its letters.
func nearest(word string, wanted []string) (string, bool) {
	best, least := "", 3
	for _, w := range wanted {
		if d := slips(strings.ToLower(word), strings.ToLower(w)); d < least && 2*d < len(w) {
			best, least = w, d
		}
	}
	return best, best != ""
}

// slips counts the letters that are missing, too many, wrong or swapped with
// their neighbour: the optimal string alignment distance.
func slips(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return 3
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 0
			if a[i-1] != b[j-1] {
				wrong = 1
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// DidYouMean ends a message about a word that is none of those wanted, where
// they are too many to name: with the one that was probably meant, if any.
func DidYouMean(word string, wanted []string) string {
	if near, ok := nearest(word, wanted); ok {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}
