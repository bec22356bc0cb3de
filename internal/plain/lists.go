package plain

import (
	"bytes"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// List is a list in a JSON value whose elements are not held.
type List struct {
	depth    int
	key      string
	elements iter.Seq[any]
}

// ListOf returns the list that an object has at a key, with f of each element. depth is the
// number of objects and lists around the key; no other object at this depth has the key.
func ListOf[T, U any](depth int, key string, elements iter.Seq[T], f func(T) U) List {
	return List{depth, key, func(yield func(any) bool) {
		for element := range elements {
			if !yield(f(element)) {
				return
			}
		}
	}}
}

// WriteJSONLists writes v like [WriteJSON], and the elements of lists one by one. v has these
// lists, in this order, without elements; one that it omits is not written.
func WriteJSONLists(w io.Writer, v any, lists ...List) error {
	var text bytes.Buffer
	if err := WriteJSON(&text, v); err != nil {
		return err
	}
	d, rest := newDocument(w, "  "), text.Bytes()
	for _, l := range lists {
		// Line feeds are between values only: in strings they are escaped.
		name := "\n" + strings.Repeat(d.indent, l.depth) + strconv.Quote(l.key) + ": "
		before, after, ok := bytes.Cut(rest, []byte(name+"[]"))
		if !ok {
			continue
		}
		_, _ = d.w.Write(before)
		_, _ = d.w.WriteString(name)
		if err := d.elements(l); err != nil {
			return err
		}
		rest = after
	}
	_, _ = d.w.Write(rest)
	return d.w.Flush()
}

func (d *document) elements(l List) error {
	empty := true
	for element := range l.elements {
		d.begin(empty, '[', l.depth+1)
		empty = false
		if err := d.whole(reflect.ValueOf(element), l.depth+1); err != nil {
			return err
		}
	}
	d.end(empty, "[]", l.depth)
	return nil
}
