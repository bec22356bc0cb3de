package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// document is the text of settings with its syntax tree, whose offsets are those of the
// text after the byte order mark.
type document struct {
	mark  string // the byte order mark, if there is one
	text  []byte
	root  hujson.Value
	unit  string // of indentation
	eol   string
	edits []edit
}

// syntaxError is the beginning of an error of the parser.
var syntaxError = lazyregexp.New(`^hujson: line ([0-9]+), column ([0-9]+)`)

// edit replaces bytes of the text.
type edit struct {
	at, drop int
	text     string
}

const mark = "\ufeff"

// parse reads settings. The error has the position of the first mistake.
func parse(file string, text []byte) (*document, error) {
	d := &document{text: text, unit: "  ", eol: "\n"}
	if bytes.HasPrefix(text, []byte(mark)) {
		d.mark, d.text = mark, text[len(mark):]
	}
	if !utf8.Valid(d.text) {
		return nil, fmt.Errorf("%s: is not UTF-8; nothing was changed", file)
	}
	root, err := hujson.Parse(bytes.Clone(d.text))
	if err != nil {
		problem := syntaxError().ReplaceAllString(err.Error(), ":$1:$2")
		return nil, fmt.Errorf("%s%s; fix it, nothing was changed", file, problem)
	}
	d.root = root
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, d.wrong(file, root, "want an object")
	}
	if err := d.unambiguous(file, object, true); err != nil {
		return nil, err
	}
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		d.eol = "\r\n"
	}
	for _, m := range object.Members {
		if indent, multi := indentation(m.Name.BeforeExtra); multi && indent != "" {
			d.unit = indent
			break
		}
	}
	return d, nil
}

// unambiguous rejects settings in which a member that matters exists twice.
func (d *document) unambiguous(file string, object *hujson.Object, deeper bool) error {
	seen := map[string]bool{}
	for _, m := range object.Members {
		name := nameOf(m)
		if seen[name] {
			return d.wrong(file, m.Name, fmt.Sprintf("the member %q exists twice", name))
		}
		seen[name] = true
		if inner, ok := m.Value.Value.(*hujson.Object); ok && deeper {
			if err := d.unambiguous(file, inner, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// wrong returns an error at a value.
func (d *document) wrong(file string, v hujson.Value, problem string) error {
	before := d.text[:v.StartOffset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("%s:%d:%d: %s; fix it, nothing was changed", file, line, column, problem)
}

func nameOf(m hujson.ObjectMember) string {
	name, _ := m.Name.Value.(hujson.Literal)
	return name.String()
}

// member returns the member of an object; nil if there is none.
func member(object *hujson.Object, name string) *hujson.Value {
	for i := range object.Members {
		if nameOf(object.Members[i]) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// indentation returns the white space between the last line break and what follows, and
// whether there is a line break.
func indentation(extra hujson.Extra) (indent string, multi bool) {
	i := bytes.LastIndexByte(extra, '\n')
	if i < 0 {
		return "", false
	}
	line := extra[i+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), true
}

// lineIndent returns the indentation of the line that an offset is in.
func (d *document) lineIndent(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// encode writes a value in the style of the document, with the given indentation of its
// first line; in one line if inline.
func (d *document) encode(value any, indent string, inline bool) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return "", err
	}
	compact := bytes.TrimSpace(b.Bytes())
	if inline {
		return string(compact), nil
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, compact, indent, d.unit); err != nil {
		return "", err
	}
	return strings.ReplaceAll(pretty.String(), "\n", d.eol), nil
}

// result applies the edits. It returns the new text, and the ranges that were inserted into
// it; they are not known if something was dropped.
func (d *document) result() (text []byte, inserted []span, known bool) {
	edits := slices.Clone(d.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	known = true
	out := []byte(d.mark)
	last := 0
	for _, e := range edits {
		out = append(out, d.text[last:e.at]...)
		if e.text != "" {
			inserted = append(inserted, span{len(out), len(e.text)})
		}
		out = append(out, e.text...)
		last = e.at + e.drop
		known = known && e.drop == 0
	}
	return append(out, d.text[last:]...), inserted, known
}

// span is a range of bytes.
type span struct {
	At     int `json:"at"`
	Length int `json:"length"`
}

// lookUp returns the member of nested objects at a dotted path.
func lookUp(root map[string]any, path string) (value any, ok bool) {
	name, rest, nested := strings.Cut(path, ".")
	value, ok = root[name]
	if !nested || !ok {
		return value, ok
	}
	inner, isObject := value.(map[string]any)
	if !isObject {
		return nil, false
	}
	return lookUp(inner, rest)
}
