package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// WriteJSON writes a value as indented JSON for people and programs. Strings are exact,
// except that invalid UTF-8 is written as by [Valid]; characters that cannot be seen are
// escaped.
func WriteJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

// WriteJSONLine writes v like [WriteJSON], on one line.
func WriteJSONLine(w io.Writer, v any) error { return writeJSON(w, v, "") }

func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) { // the encoder found invalid UTF-8
		b.Reset()
		if err := enc.Encode(valid(reflect.ValueOf(v)).Interface()); err != nil {
			return err
		}
	}
	_, err := w.Write(JSON(b.Bytes()))
	return err
}

// JSON returns a JSON text with equal values in which every character can be seen, and no
// command of GitHub's runner.
func JSON(text []byte) []byte {
	plain := !bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7f })
	if plain && !bytes.Contains(text, []byte(runnerCommand)) {
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
