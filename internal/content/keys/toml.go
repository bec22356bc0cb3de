package keys

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// parseTOML reads a TOML file. The parser's expressions have the places; the decoder checks
// what expressions mean together.
func parseTOML(s *source) ([]*node, error) {
	t := tomlReader{source: s, root: &node{Place: part.Place{Line: 1, Column: 1}, value: mapping}}
	read := t.read()
	if deep, ok := errors.AsType[*part.Error](read); ok {
		return nil, deep
	}
	var decoded map[string]any
	if err := toml.Unmarshal([]byte(s.text), &decoded); err != nil {
		return nil, tomlError(err)
	}
	if read != nil {
		return nil, tomlError(read)
	}
	return []*node{t.root}, nil
}

// tomlError converts an error of the decoder.
func tomlError(err error) error {
	e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		e.Line, e.Column = decode.Position()
	}
	return e
}

// tomlReader builds the tree of a file from its expressions.
type tomlReader struct {
	*source

	parser unstable.Parser
	root   *node
}

func (t *tomlReader) read() error {
	t.parser.Reset([]byte(t.text))
	table := t.root
	for t.parser.NextExpression() {
		e := t.parser.Expression()
		var err error
		switch e.Kind {
		case unstable.Table:
			table, err = t.descend(t.root, t.partsOf(e))
		case unstable.ArrayTable:
			table, err = t.entry(t.partsOf(e))
		case unstable.KeyValue:
			err = t.set(table, e, 0)
		default:
		}
		if err != nil {
			return err
		}
	}
	return t.parser.Error()
}

// step is one step of a dotted key.
type step struct {
	name string
	at   part.Place
}

func (t *tomlReader) partsOf(e *unstable.Node) []step {
	var parts []step
	for each := e.Key(); each.Next(); {
		parts = append(parts, step{string(each.Node().Data), t.place(int(each.Node().Raw.Offset))})
	}
	return parts
}

// errConflict replaces the decoder's error where keys contradict each other.
var errConflict = errors.New("a key is defined twice")

// descend returns the table at a dotted key, which it makes if there is none. The table of a
// list is its last.
func (t *tomlReader) descend(from *node, parts []step) (*node, error) {
	for depth, p := range parts {
		if err := tooDeep(depth, p.at); err != nil {
			return nil, err
		}
		next := from.child(p.name)
		if next == nil {
			var err error
			if next, err = t.add(from, p.name, mapping, p.at); err != nil {
				return nil, err
			}
		}
		if next.value == list && len(next.children) > 0 {
			next = next.children[len(next.children)-1]
		}
		if next.value != mapping {
			return nil, errConflict
		}
		from = next
	}
	return from, nil
}

// entry adds a table to the list at a dotted key.
func (t *tomlReader) entry(parts []step) (*node, error) {
	last := parts[len(parts)-1]
	parent, err := t.descend(t.root, parts[:len(parts)-1])
	if err != nil {
		return nil, err
	}
	tables := parent.child(last.name)
	if tables == nil {
		if tables, err = t.add(parent, last.name, list, last.at); err != nil {
			return nil, err
		}
	}
	if tables.value != list {
		return nil, errConflict
	}
	return t.next(tables, mapping, last.at)
}

// set adds a key to a table.
func (t *tomlReader) set(table *node, e *unstable.Node, depth int) error {
	parts := t.partsOf(e)
	last := parts[len(parts)-1]
	parent, err := t.descend(table, parts[:len(parts)-1])
	if err != nil {
		return err
	}
	if parent.child(last.name) != nil {
		return errConflict
	}
	n, err := t.add(parent, last.name, "", last.at)
	if err != nil {
		return err
	}
	return t.fill(n, e.Value(), depth+len(parts))
}

// fill sets the value of a node.
func (t *tomlReader) fill(n *node, v *unstable.Node, depth int) error {
	if err := tooDeep(depth, n.Place); err != nil {
		return err
	}
	switch v.Kind {
	case unstable.InlineTable:
		n.value = mapping
		for each := v.Children(); each.Next(); {
			if each.Node().Kind != unstable.KeyValue {
				continue // a comment
			}
			if err := t.set(n, each.Node(), depth+1); err != nil {
				return err
			}
		}
	case unstable.Array:
		n.value = list
		for each := v.Children(); each.Next(); {
			if each.Node().Kind == unstable.Comment {
				continue
			}
			at := n.Place
			if offset := int(each.Node().Raw.Offset); offset > 0 {
				at = t.place(offset)
			}
			child, err := t.next(n, "", at)
			if err != nil {
				return err
			}
			if err := t.fill(child, each.Node(), depth+1); err != nil {
				return err
			}
		}
	default:
		n.value, n.scalar, n.text = tomlScalar(v), true, string(v.Data)
	}
	return nil
}

// tomlScalar returns the value of a scalar with its type: to TOML, 1 and 1.0 differ.
func tomlScalar(v *unstable.Node) string {
	text := string(v.Data)
	switch v.Kind {
	case unstable.Integer:
		text = integer(strings.ReplaceAll(text, "_", ""))
	case unstable.Float:
		text = floatOf(text)
	case unstable.DateTime:
		if at, err := time.Parse(time.RFC3339Nano, dateTime(text)); err == nil {
			return fmt.Sprint(v.Kind, " ", at.UTC().Format(time.RFC3339Nano))
		}
	case unstable.LocalDateTime, unstable.LocalTime:
		text = withoutZeros(dateTime(text))
	default:
	}
	return fmt.Sprint(v.Kind, " ", text)
}

// dateTime returns a date and time with the "T" and "Z" of RFC 3339.
func dateTime(text string) string {
	return strings.NewReplacer("t", "T", " ", "T", "z", "Z").Replace(text)
}

// withoutZeros removes the zeros at the end of a fraction of seconds.
func withoutZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
