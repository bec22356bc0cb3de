package yaml

import "strings"

// maxOpen is how many brackets may be open for the advice to be of use.
const maxOpen = 16

// unclosed returns the place of the list or mapping on a line that no bracket closes, there or
// below, with what is wrong. It is not ok if all brackets are closed. Without it, the message would be
// about the text behind the bracket.
func (d *document) unclosed(at Place) (place Place, wrong string, ok bool) {
	var open []int
	text := strings.Join(d.lines[at.Line-d.first:], "\n")
	end := strings.IndexByte(text+"\n", '\n')
	quote := byte(0)
	for i := range len(text) {
		begins := i == 0 || strings.IndexByte(" \n:,[{", text[i-1]) >= 0
		switch c := text[i]; {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case begins && (c == '"' || c == '\''):
			quote = c
		case closers[c] != 0 && len(open) > maxOpen:
			return Place{}, "", false // nested too deep
		case closers[c] != 0:
			open = append(open, i)
		case (c == ']' || c == '}') && len(open) > 0 && closers[text[open[len(open)-1]]] == c:
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		rest := text[i:max(i, end)]
		begins := i == 0 || strings.IndexByte(" [{", text[i-1]) >= 0
		if i < end && begins && (text[i] == '[' || strings.Contains(rest, ": ")) {
			opener, closer := text[i:i+1], string(closers[text[i]])
			return Place{at.Line, i + 1}, Quote(opener) + " is not closed; want " + Quote(closer) + " after its last entry", true
		}
	}
	return Place{}, "", false
}
