package plain

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// document writes a value as JSON in pieces: the members of an object, and the elements of
// the lists among them. A report is many times as large as its largest piece.
type document struct {
	w      *bufio.Writer // keeps its first error
	indent string        // of one level; empty: everything is on one line
	piece  bytes.Buffer
	enc    *json.Encoder // of piece
	lines  []byte        // of the piece, indented
}

// bufferSize is how many bytes of a document are written at a time.
const bufferSize = 32 << 10

func newDocument(w io.Writer, indent string) *document {
	d := &document{w: bufio.NewWriterSize(w, bufferSize), indent: indent}
	d.enc = json.NewEncoder(&d.piece)
	d.enc.SetEscapeHTML(false)
	return d
}

func (d *document) writeAll(v any) error {
	if err := d.add(v); err != nil {
		return err
	}
	return d.w.Flush()
}

// add writes a value and the end of its line.
func (d *document) add(v any) error {
	if err := d.value(reflect.ValueOf(v), 0); err != nil {
		return err
	}
	return d.w.WriteByte('\n')
}

// value writes a value in lines that are indented by depth levels.
func (d *document) value(v reflect.Value, depth int) error {
	for v.Kind() == reflect.Pointer && !v.IsNil() && !isCustom(v.Type()) {
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Struct && hasPlainMembers(v.Type()):
		return d.object(v, depth)
	case v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8 && !isCustom(v.Type()):
		return d.list(v, depth)
	}
	return d.whole(v, depth)
}

func (d *document) object(v reflect.Value, depth int) error {
	empty := true
	for i := range v.NumField() {
		name, option := nameOf(v.Type().Field(i))
		if name == "-" || isOmitted(v.Field(i), option) {
			continue
		}
		d.begin(empty, '{', depth+1)
		empty = false
		_, _ = d.w.WriteString(`"` + name + `":`)
		if d.indent != "" {
			_ = d.w.WriteByte(' ')
		}
		if err := d.value(v.Field(i), depth+1); err != nil {
			return err
		}
	}
	d.end(empty, "{}", depth)
	return nil
}

func (d *document) list(v reflect.Value, depth int) error {
	for i := range v.Len() {
		d.begin(i == 0, '[', depth+1)
		if err := d.whole(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	d.end(false, "[]", depth)
	return nil
}

// begin begins a member or an element; the first opens its container.
func (d *document) begin(first bool, opening byte, depth int) {
	if !first {
		opening = ','
	}
	_ = d.w.WriteByte(opening)
	d.line(depth)
}

func (d *document) end(empty bool, brackets string, depth int) {
	if empty {
		_, _ = d.w.WriteString(brackets)
		return
	}
	d.line(depth)
	_ = d.w.WriteByte(brackets[1])
}

func (d *document) line(depth int) {
	if d.indent != "" {
		d.lines = appendLine(d.lines[:0], d.indent, depth)
		_, _ = d.w.Write(d.lines)
	}
}

// whole writes a value as one piece.
func (d *document) whole(v reflect.Value, depth int) error {
	d.piece.Reset()
	var value any
	switch {
	case v.CanAddr():
		value = v.Addr().Interface()
	case v.IsValid():
		value = v.Interface()
	}
	if err := d.enc.Encode(value); err != nil {
		return err
	}
	if bytes.Contains(d.piece.Bytes(), []byte(`\ufffd`)) { // the encoder found invalid UTF-8
		d.piece.Reset()
		if err := d.enc.Encode(valid(v).Interface()); err != nil {
			return err
		}
	}
	text := JSON(bytes.TrimRight(d.piece.Bytes(), "\n"))
	if d.indent != "" {
		d.lines = appendIndented(d.lines[:0], text, d.indent, depth)
		text = d.lines
	}
	_, _ = d.w.Write(text)
	return nil
}

// hasPlainMembers reports whether a struct is an object whose members are its fields.
func hasPlainMembers(t reflect.Type) bool {
	if isCustom(t) {
		return false
	}
	for f := range t.Fields() {
		name, option := nameOf(f)
		if f.Anonymous || !f.IsExported() || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) ||
			option != "" && option != "omitempty" && option != "omitzero" {
			return false
		}
	}
	return true
}

// isCustom reports whether a type has its own form as JSON.
func isCustom(t reflect.Type) bool {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}

func nameOf(f reflect.StructField) (name, option string) {
	name, option, _ = strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	return name, option
}

func isOmitted(v reflect.Value, option string) bool {
	switch kind := v.Kind(); {
	case option == "omitempty" && (kind == reflect.Slice || kind == reflect.Map || kind == reflect.Array):
		return v.Len() == 0
	case option == "omitempty":
		return kind != reflect.Struct && v.IsZero()
	case option == "omitzero":
		if own, ok := reflect.TypeAssert[interface{ IsZero() bool }](v); ok && kind != reflect.Pointer {
			return own.IsZero()
		}
		return v.IsZero()
	}
	return false
}
