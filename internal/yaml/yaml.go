// Package yaml reads YAML strictly: one document of YAML 1.2's core schema,
// without tags, anchors, aliases, merge keys or duplicate keys. Everything it
// reads has its place, and everything wrong is told together.
package yaml

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Node is a YAML value with its place.
type Node struct {
	Kind    Kind
	Text    string // a scalar's value; a flow mapping as written, where it fits one line
	At      Place
	inside  int     // column of text's first byte, where the file has text just so on one line; else 0
	Items   []*Node // of a list
	Entries []Entry // of a mapping, each name once
}

// Entry is a key of a mapping with its value.
type Entry struct {
	Name  string
	At    Place
	Value *Node
}

// document reads one YAML document.
type document struct {
	*Log
	source []string // lines, as they are
	lines  []string // lines, with x for what is masked
	first  int      // line of the file on which the document starts
	masked map[Place]bool
}

// maxMasked is how often a document is read again with a value masked before
// the rest is given up.
const maxMasked = 32

// Read parses source, which starts on the given line of its file. The
// result is nil where it cannot be read; an empty document is an empty mapping.
//
// Values that must be quoted to be YAML are reported and masked: others of the
// same length take their place, so that whatever else is wrong is found too.
func Read(source string, first int, l *Log) *Node {
	lines := strings.Split(source, "\n")
	d := &document{Log: l, source: lines, lines: slices.Clone(lines), first: first, masked: map[Place]bool{}}
	if !d.printable(source) {
		return nil
	}
	for range maxMasked {
		tokens, file, err := parseYAML(strings.Join(d.lines, "\n"))
		refused, again := d.refuse(tokens)
		switch {
		case refused && !again:
			return nil
		case refused:
			continue
		case err == nil:
			return d.root(file)
		case !d.maskLine(err):
			return nil
		}
	}
	return nil
}

// root is the node of the one document, which must be a mapping.
func (d *document) root(file *ast.File) *Node {
	root := &Node{Kind: Mapping, At: Place{d.first, 1}}
	bodies := 0
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if bodies++; bodies > 1 {
			d.Add(d.start(doc.Body), CodeSyntax, "a second YAML document starts here; want one")
			return nil
		}
		root = d.node(doc.Body)
	}
	switch root.Kind {
	case Mapping:
		return root
	case Broken:
		return nil
	default:
		d.Add(root.At, CodeNotAMapping, "found %s; want keys with values, such as name: …", root.Describe())
		return nil
	}
}

// printable refuses what YAML 1.2.2 §5.1 has no place for, and the line breaks
// that are such only for some programs: they would make lines uncountable.
func (d *document) printable(source string) bool {
	if len(source) > maxYAML {
		d.Add(Place{d.first, 1}, CodeSyntax, "the YAML is %d bytes long; want at most %d", len(source), maxYAML)
		return false
	}
	offset := strings.IndexFunc(source, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || strings.ContainsRune("\u2028\u2029\ufeff", r)
	})
	if offset < 0 {
		return true
	}
	at := PlaceOf(source, offset)
	at.Line += d.first - 1
	r, _ := utf8.DecodeRuneInString(source[offset:])
	d.Add(at, CodeSyntax, `the control character %U is not allowed; write it "\u%04x" in double quotes`, r, r)
	return false
}

// place is where a token starts. The library counts runes, from 1.
func (d *document) place(t *token.Token) Place {
	at := Place{d.first, 1}
	if t == nil || t.Position == nil {
		return at
	}
	at.Line = d.first + min(max(t.Position.Line, 1), len(d.lines)) - 1
	line := d.line(at)
	for range t.Position.Column - 1 {
		_, size := utf8.DecodeRuneInString(line[at.Column-1:])
		at.Column += size
	}
	return at
}

// line is the text of a place's line.
func (d *document) line(at Place) string { return d.lines[at.Line-d.first] }
