package rule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// decoder reads a mapping by a table of keys.
type decoder struct {
	*log
	rows   []key
	values map[string]value // by dotted name; without data where it has a problem
}

// decode reads root by rows. What is missing at its top is reported at the
// given place.
func decode(root *node, rows []key, at place, l *log) map[string]value {
	d := &decoder{log: l, rows: rows, values: map[string]value{}}
	d.mapping("", root, at)
	return d.values
}

func (d *decoder) mapping(prefix string, n *node, at place) {
	allowed := children(d.rows, prefix)
	for _, e := range n.entries {
		name := prefix + e.name
		k, leaf := lookup(d.rows, name)
		switch {
		case !slices.Contains(allowed, e.name):
			d.add(e.at, codeUnknownField, "unknown key %q%s%s", e.name, in(prefix), OneOf(e.name, allowed))
		case leaf:
			d.value(k, e)
		case e.value.kind == mapping:
			d.mapping(name+".", e.value, e.at)
		case e.value.kind != broken:
			d.add(e.value.at, codeWrongType, "%q is %s; want a mapping with the keys %s",
				name, e.value.describe(), strings.Join(children(d.rows, name+"."), ", "))
		}
	}
	for _, name := range allowed {
		if !slices.ContainsFunc(n.entries, func(e entry) bool { return e.name == name }) {
			d.missing(prefix, name, at)
		}
	}
}

// missing reports a key that is not there and must be.
func (d *decoder) missing(prefix, name string, at place) {
	full := prefix + name
	if !required(d.rows, full) {
		return
	}
	want := "a mapping with the keys " + strings.Join(children(d.rows, full+"."), ", ")
	if k, ok := lookup(d.rows, full); ok {
		want = k.want()
	}
	d.add(at, codeMissingField, "key %q is missing%s; want %s", name, in(prefix), want)
}

// in names the mapping that a prefix stands for.
func in(prefix string) string {
	if prefix == "" {
		return ""
	}
	return " in " + strconv.Quote(strings.TrimSuffix(prefix, "."))
}

// slot is where a text, number or boolean stands: a key, or an entry of its list.
type slot struct {
	key
	valueType
	entry int // from 1; 0: the key's own value
}

// String is the slot as messages name it.
func (s slot) String() string {
	if s.entry > 0 {
		return fmt.Sprintf("entry %d of %q", s.entry, s.Name)
	}
	return strconv.Quote(s.Name)
}

// want says what may stand there.
func (s slot) want() string {
	if s.entry > 0 {
		return s.one
	}
	return s.key.want()
}

// value reads one key's value.
func (d *decoder) value(k key, e entry) {
	v := value{at: e.at}
	s := slot{key: k, valueType: types[k.Type]}
	before := len(d.list)
	switch {
	case e.value.kind == broken:
		// It has its problem.
	case e.value.kind == list && s.many != "":
		d.entries(s, e.value, &v)
	case k.AtLeast > 1:
		d.wrongType(s, e.value)
	default:
		v.data = d.single(s, e.value, &v)
	}
	refused := func(n *node) bool { return n.kind == broken }
	if len(d.list) > before || slices.ContainsFunc(v.scalars, refused) {
		v = value{at: e.at}
	}
	d.values[k.Name] = v
}

// entries reads a list.
func (d *decoder) entries(s slot, n *node, v *value) {
	texts := []string{}
	for i, item := range n.items {
		s.entry = i + 1
		if text, ok := d.single(s, item, v).(string); ok {
			if s.Distinct && slices.Contains(texts, text) {
				d.add(item.at, codeBadValue, "%s is %q again; want entries that differ", s, text)
			}
			texts = append(texts, text)
		}
	}
	v.data = texts
	switch {
	case s.AtLeast > 1 && len(n.items) < s.AtLeast:
		d.add(n.at, codeTooFew, "%q has too few %s: %d; want at least %d", s.Name, s.many, len(n.items), s.AtLeast)
	case len(n.items) == 0:
		d.add(n.at, codeEmptyValue, "%q is an empty list; want %s", s.Name, s.key.want())
	}
}

// single reads a value that is no list: a string, bool or int, or nil where it
// has a problem.
func (d *decoder) single(s slot, n *node, v *value) any {
	v.scalars = append(v.scalars, n)
	// A number where a text is checked, such as 3 for 3s, goes to the check,
	// which knows better what to say than that it is a number.
	numeral := s.kind == text && s.valueType.check != nil && (n.kind == integer || n.kind == float)
	switch {
	case n.kind == broken:
		return nil
	case n.kind != s.kind && !numeral:
		d.wrongType(s, n)
		return nil
	case s.kind == boolean:
		return strings.EqualFold(n.text, "true")
	case s.kind == integer:
		return d.integer(s, n)
	default:
		return d.text(s, n, v)
	}
}

func (d *decoder) integer(s slot, n *node) any {
	i, err := number(n.text)
	if err != nil || i < s.minimum {
		d.add(n.at, codeBadValue, "%s is %s; want a whole number from %d", s, n.text, s.minimum)
		return nil
	}
	return i
}

func (d *decoder) text(s slot, n *node, v *value) any {
	mayBeEmpty := s.blank && s.entry > 0
	if n.text == "" && !mayBeEmpty {
		d.add(n.at, codeEmptyValue, "%s is empty; want %s", s, s.want())
		return nil
	}
	if len(s.OneOf) > 0 && !slices.Contains(s.OneOf, n.text) {
		d.add(n.at, codeBadValue, "%s is %q%s", s, n.text, OneOf(n.text, s.OneOf))
		return nil
	}
	if f := s.flaw(n.text); f != nil {
		d.add(n.point(f.offset), f.code, "%s %s", s, f.message)
		return nil
	}
	if !s.pattern {
		return n.text
	}
	p, err := pattern.Compile(n.text)
	if err != nil {
		f := flawOf(err)
		d.add(n.point(f.offset), f.code, "%s: %s", s, f.message)
		return nil
	}
	v.patterns = append(v.patterns, p)
	return n.text
}

// flaw is what is wrong with a text, by its type or by its key.
func (s slot) flaw(text string) *flaw {
	for _, check := range []func(string) *flaw{s.valueType.check, s.key.check} {
		if check != nil {
			if f := check(text); f != nil {
				return f
			}
		}
	}
	return nil
}

// wrongType reports a value of another type than wanted.
func (d *decoder) wrongType(s slot, n *node) {
	if n.kind == null {
		d.add(n.at, codeWrongType, "%s has no value; want %s", s, s.want())
		return
	}
	advice := ""
	if s.kind == text && n.kind != text && n.text != "" {
		advice = "; quote it: " + quote(n.text)
	}
	d.add(n.at, codeWrongType, "%s is %s; want %s%s", s, n.describe(), s.want(), advice)
}

// point is the place of a byte of a scalar's text where the file has the text
// as it is, else of the scalar.
func (n *node) point(offset int) place {
	if offset < 0 || n.inside == 0 {
		return n.at
	}
	return place{n.at.line, n.inside + offset}
}
