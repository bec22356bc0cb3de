// Package yaml reads YAML strictly: one document of YAML 1.2's core schema,
// without tags, anchors, aliases, merge keys or duplicate keys. Every value has
// its place, and all problems of a file are reported together.
package yaml

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Node is a YAML value and its place.
type Node struct {
	Kind    Kind
	Text    string // a scalar's value; a flow mapping as written if it is on one line
	At      Place
	inside  int     // column of Text's first byte if the file contains Text verbatim on one line; else 0
	Items   []*Node // of a list
	Entries []Entry // of a mapping, each name once
}

// Entry is a key of a mapping and its value.
type Entry struct {
	Name  string
	At    Place
	Value *Node
}

// document reads one YAML document.
type document struct {
	*Log
	source []string // lines as written
	lines  []string // lines with masked values
	first  int      // line of the file on which the document starts
	masked map[Place]bool
	runes  map[int][]int // by line: see runesOf
}

// maxMasked limits how often a document is parsed again after masking a value.
const maxMasked = 32

// Read parses source, which starts on line first of its file, and adds problems
// to l. It returns nil if source cannot be parsed; an empty document is an empty
// mapping.
//
// Values that need quotes are reported and masked by plain ones of the same
// length, so that the rest of the document is checked too.
func Read(source string, first int, l *Log) *Node {
	lines := strings.Split(source, "\n")
	d := &document{Log: l, source: lines, lines: slices.Clone(lines), first: first, masked: map[Place]bool{}, runes: map[int][]int{}}
	if !d.printable(source) || !d.cheap(source) {
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

// root returns the single document of a file, which must be a mapping.
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

// printable reports a character that YAML 1.2.2 §5.1 does not allow, or a line
// break that only some programs count as one.
func (d *document) printable(source string) bool {
	if len(source) > maxYAML {
		d.Add(Place{d.first, 1}, CodeSyntax, "the YAML is %d bytes long; want at most %d", len(source), maxYAML)
		return false
	}
	if lines := strings.Count(source, "\n") + 1; lines > maxLines {
		d.Add(Place{d.first, 1}, CodeSyntax, "the YAML has %d lines; want at most %d", lines, maxLines)
		return false
	}
	offset := strings.IndexFunc(source, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || strings.ContainsRune("\u2028\u2029\ufeff", r)
	})
	if offset < 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(source[offset:])
	return d.refuseAt(source, offset, `the control character %U is not allowed; write it "\u%04x" in double quotes`, r, r)
}

// place returns where a token starts. The library counts columns in runes.
func (d *document) place(t *token.Token) Place {
	at := Place{d.first, 1}
	if t == nil || t.Position == nil {
		return at
	}
	at.Line = d.first + min(max(t.Position.Line, 1), len(d.lines)) - 1
	runes := d.runesOf(at.Line)
	at.Column = 1 + runes[min(max(t.Position.Column, 1), len(runes))-1]
	return at
}

// runesOf returns the offset of each rune of a line, and of its end. A line may have as many
// tokens as bytes, each of which needs its place.
func (d *document) runesOf(line int) []int {
	if runes, known := d.runes[line]; known {
		return runes
	}
	text := d.line(Place{line, 1})
	runes := make([]int, 0, len(text)+1)
	for i := range text {
		runes = append(runes, i)
	}
	runes = append(runes, len(text))
	d.runes[line] = runes
	return runes
}

// line returns the line of a place, with masked values.
func (d *document) line(at Place) string { return d.lines[at.Line-d.first] }
