package treesitter

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// nameOf returns the text of a name, whatever its layout: a list of names may have comments in it, and a
// comma at its end.
func (f *file) nameOf(s span) string {
	text := f.requoted(s)
	if strings.Contains(text, "{") {
		text = listLayout.Replace(strings.Join(strings.Fields(f.withoutComments(s)), " "))
		return strings.ReplaceAll(text, ",}", "}")
	}
	return strings.TrimPrefix(strings.Join(strings.Fields(text), " "), ":")
}

// requoted returns the text of a name with the quotes and without the optional ones, as in signatures.
func (f *file) requoted(s span) string {
	var b strings.Builder
	at := s.start
	first, _ := slices.BinarySearchFunc(f.quoted, s, byPlace)
	for _, q := range f.quoted[first:] {
		if q.end > s.end {
			break
		}
		b.WriteString(f.text[at:q.start] + f.quote(q))
		at = q.end
	}
	return b.String() + f.text[at:s.end]
}

var identifier = lazyregexp.New(`^"[A-Za-z_$][A-Za-z_$0-9]*"$`)

// quote returns a string in double quotes, or a key without quotes that need not have them.
func (f *file) quote(s span) string {
	text := strings.TrimSpace(f.slice(s))
	if !strings.ContainsAny(text, "\"\\") && len(text) > 1 && text[0] == '\'' {
		text = `"` + text[1:len(text)-1] + `"`
	}
	if f.keys[s] && identifier().MatchString(text) {
		return text[1 : len(text)-1]
	}
	return text
}

var listLayout = strings.NewReplacer("{ ", "{", " }", "}", " ,", ",", ", ", ",")

func (f *file) withoutComments(s span) string {
	var b strings.Builder
	at := s.start
	if f.commentEnds == nil {
		f.commentEnds = slices.Sorted(maps.Keys(f.comments))
	}
	first, _ := slices.BinarySearch(f.commentEnds, s.start)
	for _, end := range f.commentEnds[first:] {
		if end > s.end {
			break
		}
		if start := f.comments[end]; start >= at {
			b.WriteString(f.text[at:start] + " ")
			at = end
		}
	}
	b.WriteString(f.text[at:s.end])
	return b.String()
}
