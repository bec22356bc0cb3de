package keys

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// Limits of a document. Aliases in YAML can multiply nodes.
const (
	maxNodes = 1 << 20
	maxDepth = 500
)

// node is a value in a document.
type node struct {
	part.Place // of its key; of an entry of a list, its own

	name     string // of its key, or its index in a list
	value    string // its type, and the value of a scalar in a form that equal values share
	scalar   bool
	text     string // of a scalar, as it is written, without quotes
	children []*node
	byName   map[string]*node // of children, if they are many
}

// child returns the child with a name, or nil.
func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	const few = 8
	if len(n.children) <= few {
		for _, c := range n.children {
			if c.name == name {
				return c
			}
		}
		return nil
	}
	if len(n.byName) != len(n.children) {
		n.byName = make(map[string]*node, len(n.children))
		for _, c := range n.children {
			n.byName[c.name] = c
		}
	}
	return n.byName[name]
}

// The types of values with children.
const (
	mapping = "mapping"
	list    = "list"
)

// source is the text of a file, and what is known about it while it is parsed.
type source struct {
	text   string
	starts []int // of the lines
	nodes  int
	last   int        // offset of the last place
	at     part.Place // the last place: most are asked for in order, also in a very long line
}

func newSource(text string) *source {
	s := &source{text: strings.TrimPrefix(text, "\ufeff"), starts: []int{0}, at: part.Place{Line: 1, Column: 1}}
	for i := range len(s.text) {
		if s.text[i] == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

// place returns the place of an offset.
func (s *source) place(offset int) part.Place {
	offset = min(max(offset, 0), len(s.text))
	line := sort.SearchInts(s.starts, offset+1)
	from, column := s.starts[line-1], 1
	if line == s.at.Line && s.last <= offset {
		from, column = s.last, s.at.Column
	}
	s.last, s.at = offset, part.Place{Line: line, Column: column + utf8.RuneCountInString(s.text[from:offset])}
	return s.at
}

// add appends a child to a node. Names of a mapping must differ; the caller chooses those of
// a list.
func (s *source) add(parent *node, name, value string, at part.Place) (*node, error) {
	if parent.child(name) != nil {
		return nil, &part.Error{Place: at, Message: fmt.Sprintf("the key %q is there twice", name)}
	}
	n, err := s.node(value, at)
	if err != nil {
		return nil, err
	}
	n.name = name
	parent.children = append(parent.children, n)
	if parent.byName != nil {
		parent.byName[name] = n
	}
	return n, nil
}

// next appends an entry to a list.
func (s *source) next(parent *node, value string, at part.Place) (*node, error) {
	n, err := s.node(value, at)
	if err != nil {
		return nil, err
	}
	n.name = strconv.Itoa(len(parent.children))
	parent.children = append(parent.children, n)
	return n, nil
}

func (s *source) node(value string, at part.Place) (*node, error) {
	if s.nodes++; s.nodes > maxNodes {
		return nil, &part.Error{Place: at, Message: fmt.Sprintf("the file has more than %d values", maxNodes)}
	}
	return &node{Place: at, value: value}, nil
}

// tooDeep returns an error if values are nested too deeply.
func tooDeep(depth int, at part.Place) error {
	if depth <= maxDepth {
		return nil
	}
	return &part.Error{Place: at, Message: fmt.Sprintf("values are nested more than %d deep", maxDepth)}
}
