package treesitter

import (
	"maps"
	"slices"
	"strings"
)

// nameOf returns the text of a name, whatever its layout: a list of names may have comments in it, and a
// comma at its end.
func (f *file) nameOf(s span) string {
	text := f.slice(s)
	if strings.Contains(text, "{") {
		text = listLayout.Replace(strings.Join(strings.Fields(f.withoutComments(s)), " "))
		return strings.ReplaceAll(text, ",}", "}")
	}
	return strings.TrimPrefix(strings.Join(strings.Fields(text), " "), ":")
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
