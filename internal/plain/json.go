package plain

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// WriteJSON writes a value as indented JSON for people and programs. Strings are exact,
// except that invalid UTF-8 is written as by [Valid]; characters that cannot be seen are
// escaped.
func WriteJSON(w io.Writer, v any) error { return newDocument(w, "  ").writeAll(v) }

// WriteJSONLine writes v like [WriteJSON], on one line.
func WriteJSONLine(w io.Writer, v any) error { return newDocument(w, "").writeAll(v) }

// JSONLines writes values as [WriteJSONLine] does, each on a line.
type JSONLines struct{ document *document }

// NewJSONLines returns a buffered writer of lines.
func NewJSONLines(w io.Writer) JSONLines { return JSONLines{newDocument(w, "")} }

// Write writes one value.
func (l JSONLines) Write(v any) error { return l.document.add(v) }

// Flush writes what is in the buffer.
func (l JSONLines) Flush() error { return l.document.w.Flush() }

// JSON returns a JSON text with equal values in which every character can be seen, and no
// command of GitHub's runner.
func JSON(text []byte) []byte {
	visible := !slices.ContainsFunc(text, func(c byte) bool { return c >= 0x7f })
	if visible && !bytes.Contains(text, []byte(runnerCommand)) {
		return text
	}
	safe := escapeInvisible(string(text), func(r rune) string {
		switch {
		case r < 0x7f:
			return string(r) // white space between values
		case r > 0xffff:
			return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			return fmt.Sprintf(`\u%04x`, r)
		}
	})
	return []byte(strings.ReplaceAll(safe, runnerCommand, `##\u005b`))
}

// valid returns a copy in which every string is valid UTF-8.
func valid(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.String:
		c.SetString(Valid(v.String()))
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Kind() == reflect.Pointer {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(valid(v.Elem()))
		} else if !v.IsNil() {
			c.Set(valid(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if c.Field(i).CanSet() {
				c.Field(i).Set(valid(v.Field(i)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				c.Index(i).Set(valid(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			c.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(valid(it.Key()), valid(it.Value()))
			}
		}
	default: // numbers and the like have no text
	}
	return c
}
