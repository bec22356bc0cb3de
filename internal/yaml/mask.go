package yaml

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// forbidden names the features of YAML that are not accepted. The library drops
// some of them silently, so tokens are checked instead of nodes.
var forbidden = map[token.Type]string{
	token.AliasType:      "an alias (*)",
	token.AnchorType:     "an anchor (&)",
	token.DirectiveType:  "a directive (%)",
	token.MappingKeyType: "a complex key (?)",
	token.MergeKeyType:   "a merge key (<<)",
	token.TagType:        "a tag (!)",
}

func isForbidden(t *token.Token) bool { return forbidden[t.Type] != "" }

// refuse reports forbidden tokens and masks those that are values. The document
// can be parsed again if all were masked.
func (d *document) refuse(tokens token.Tokens) (refused, again bool) {
	again = true
	end := Place{}
	for _, t := range tokens {
		what, ok := forbidden[t.Type]
		if !ok { // a place takes as long as the line is
			continue
		}
		at := d.place(t)
		if at.Line == end.Line && at.Column < end.Column {
			continue // part of the value that was just masked
		}
		refused = true
		if d.full() {
			return refused, false
		}
		needs := unquoted(d.line(at))
		i := slices.IndexFunc(needs, func(n span) bool { return n.column == at.Column })
		if i < 0 {
			d.Add(at, CodeSyntax, "%s is not allowed", what)
			again = false
			continue
		}
		d.Add(at, CodeSyntax, "%s is not allowed; quote it if a text is meant: %s", what, Shorten(Quote(needs[i].text)))
		d.mask(at, len(needs[i].text))
		end = Place{at.Line, at.Column + len(needs[i].text)}
	}
	return refused, again
}

// maskLine reports and masks the values on the line of a library error that need
// quotes. If there are none it reports the error itself and returns false.
func (d *document) maskLine(err error) bool {
	at := Place{d.first, 1}
	var message string
	if e, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		at, message = d.place(e.Token), e.Message // its Error prints the source, slowly
	} else {
		message = err.Error()
	}
	if open, wrong, ok := d.unclosed(at); ok {
		d.Add(open, CodeSyntax, "%s", wrong)
		return false
	}
	needs := unquoted(d.line(at))
	for _, n := range needs {
		at.Column = n.column
		d.Add(at, CodeSyntax, "%s needs quotes; want %s", Shorten(n.text), Shorten(Quote(n.text)))
		d.mask(at, len(n.text))
	}
	if len(needs) == 0 {
		message = "bad YAML: " + message
		if key, wrong, ok := d.uneven(at); ok {
			at, message = key, wrong
		}
		d.Add(at, CodeSyntax, "%s", message)
	}
	return len(needs) > 0
}

// mask replaces a value by a plain one of the same length.
func (d *document) mask(at Place, length int) {
	d.masked[at] = true
	delete(d.runes, at.Line)
	line, start := d.line(at), at.Column-1
	d.lines[at.Line-d.first] = line[:start] + strings.Repeat("x", length) + line[start+length:]
}
