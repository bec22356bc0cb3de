package treesitter

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// nameOf returns the text of a name, whatever its layout, its comments, and the commas at the end of a list.
func (f *file) nameOf(s span) string {
	var b strings.Builder
	at := s.start
	first, _ := slices.BinarySearchFunc(f.rewritten, s, byPlace)
	for _, part := range f.rewritten[first:] {
		if part.end > s.end {
			break
		}
		b.WriteString(f.text[at:part.start])
		if start, comment := f.comments[part.end]; comment && start == part.start {
			b.WriteByte(' ')
		} else {
			b.WriteString(f.quote(part))
		}
		at = part.end
	}
	text := strings.Join(strings.Fields(b.String()+f.text[at:s.end]), " ")
	if strings.Contains(text, "{") {
		return strings.ReplaceAll(listLayout.Replace(text), ",}", "}")
	}
	return strings.TrimPrefix(text, ":")
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
