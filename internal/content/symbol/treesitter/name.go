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
	lists := []*strings.Builder{{}} // that are open, with their last elements
	elements := [][]string{nil}     // before these
	for _, c := range text {
		last := len(lists) - 1
		switch {
		case c == '{':
			if len(lists) == maxLists {
				return text
			}
			lists, elements = append(lists, &strings.Builder{}), append(elements, nil)
		case c == ',' && last > 0:
			elements[last] = append(elements[last], lists[last].String())
			lists[last].Reset()
		case c == '}' && last > 0:
			all := append(elements[last], lists[last].String())
			slices.Sort(all)
			lists, elements = lists[:last], elements[:last]
			lists[last-1].WriteString("{" + strings.Join(all, ",") + "}")
		default:
			lists[last].WriteRune(c)
		}
	}
	if len(lists) > 1 {
		return text
	}
	return lists[0].String()
}
