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
		b.WriteString(f.text[at:part.start] + f.rewrite(part))
		at = part.end
	}
	text := strings.Join(strings.Fields(b.String()+f.text[at:s.end]), " ")
	if strings.Contains(text, "{") {
		return strings.ReplaceAll(listLayout.Replace(text), ",}", "}")
	}
	return strings.TrimPrefix(text, ":")
}

var identifier = lazyregexp.New(`^"[A-Za-z_$][A-Za-z_$0-9]*"$`)

// rewrite returns what stands for a string or a comment: a string has double quotes, and a key none that it need not have.
func (f *file) rewrite(s span) string {
	if start, comment := f.comments[s.end]; comment && start == s.start {
		return " "
	}
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

// maxLists bounds how deep lists are in others that are sorted: each level copies what is in it.
const maxLists = 100

// sortLists sorts the elements of lists in braces.
func sortLists(text string) string {
	type list struct {
		elements []string
		last     []byte
	}
	open := []list{{}}
	for _, c := range []byte(text) {
		in := &open[len(open)-1]
		switch {
		case c == '{':
			if len(open) == maxLists {
				return text
			}
			open = append(open, list{})
		case c == ',' && len(open) > 1:
			in.elements, in.last = append(in.elements, string(in.last)), nil
		case c == '}' && len(open) > 1:
			in.elements = append(in.elements, string(in.last))
			slices.Sort(in.elements)
			outer := &open[len(open)-2]
			outer.last = append(outer.last, "{"+strings.Join(in.elements, ",")+"}"...)
			open = open[:len(open)-1]
		default:
			in.last = append(in.last, c)
		}
	}
	if len(open) > 1 {
		return text
	}
	return string(open[0].last)
}
