package yaml

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// forbidden is what YAML may not have here. The library drops some of
// it where it makes no sense, so its tokens are looked at, not its nodes.
var forbidden = map[token.Type]string{
	token.AliasType:      "an alias (*)",
	token.AnchorType:     "an anchor (&)",
	token.DirectiveType:  "a directive (%)",
	token.MappingKeyType: "a complex key (?)",
	token.MergeKeyType:   "a merge key (<<)",
	token.TagType:        "a tag (!)",
}

func isForbidden(t *token.Token) bool { return forbidden[t.Type] != "" }

// refuse reports what is forbidden and masks it where it is a value: then the
// document can be read again.
func (d *document) refuse(tokens token.Tokens) (refused, again bool) {
	again = true
	end := Place{}
	for _, t := range tokens {
		what, ok := forbidden[t.Type]
		at := d.place(t)
		if !ok || at.Line == end.Line && at.Column < end.Column {
			continue // or part of what was just masked
		}
		refused = true
		needs := unquoted(d.line(at))
		i := slices.IndexFunc(needs, func(n need) bool { return n.column == at.Column })
		if i < 0 {
			d.Add(at, CodeSyntax, "%s is not allowed", what)
			again = false
			continue
		}
		d.Add(at, CodeSyntax, "%s is not allowed; quote it if a text is meant: %s", what, Quote(needs[i].text))
		d.mask(at, len(needs[i].text))
		end = Place{at.Line, at.Column + len(needs[i].text)}
	}
	return refused, again
}

// maskLine reports an error of the library, and the values on its line that
// need quotes instead if there are any: then the document can be read again.
func (d *document) maskLine(err error) bool {
	at, message := Place{d.first, 1}, err.Error()
	if e, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		at, message = d.place(e.Token), e.Message
	}
	needs := unquoted(d.line(at))
	for _, n := range needs {
		at.Column = n.column
		d.Add(at, CodeSyntax, "%s cannot stand unquoted; quote it: %s", n.text, Quote(n.text))
		d.mask(at, len(n.text))
	}
	if len(needs) == 0 {
		d.Add(at, CodeSyntax, "bad YAML: %s", message)
	}
	return len(needs) > 0
}

// mask replaces a value by one that YAML can read.
func (d *document) mask(at Place, length int) {
	d.masked[at] = true
	line, start := d.line(at), at.Column-1
	d.lines[at.Line-d.first] = line[:start] + strings.Repeat("x", length) + line[start+length:]
}
