package install

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// item is an element of an array or a member of an object.
type item struct {
	start, end int // from its name, without white space and comments around it
	before     hujson.Extra
	after      hujson.Extra // before the comma
}

// items returns the items of a composite, and whether a comma follows the last one.
func items(v hujson.Value) (list []item, trailing bool) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			list = append(list, item{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			list = append(list, item{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra})
		}
	}
	return list, len(list) > 0 && list[len(list)-1].after != nil
}

// addition is a member to insert; of an array, its name is not used.
type addition struct {
	name  string
	value any
}

// insert adds items at the end of a composite, in its style. Nothing that exists is changed
// or moved, comments included.
func (d *document) insert(v hujson.Value, additions []addition) error {
	if len(additions) == 0 {
		return nil
	}
	list, trailing := items(v)
	indent, multi := d.lineIndent(v.StartOffset)+d.unit, bytes.ContainsRune(d.text, '\n') || v.StartOffset == d.root.StartOffset
	from := v.StartOffset + 1 // what follows is white space and comments
	if len(list) > 0 {
		first, last := list[0], list[len(list)-1]
		var own string
		if own, multi = indentation(first.before); multi {
			indent = own
		}
		if from = last.end; trailing {
			from += len(last.after) + 1
		} else {
			d.edits = append(d.edits, edit{at: from, text: ","})
		}
	}
	closing := v.EndOffset - 1
	at := from
	if multi { // below the comments
		at += len(bytes.TrimRight(d.text[from:closing], " \t\r\n"))
	}
	texts, err := d.texts(v, additions, indent, !multi)
	if err != nil {
		return err
	}
	between := " "
	if multi {
		between = d.eol + indent
	} else if len(list) == 0 {
		between = ""
	}
	text := between + strings.Join(texts, ","+orSpace(between))
	if trailing {
		text += ","
	}
	if multi && len(list) == 0 && !bytes.ContainsRune(d.text[at:closing], '\n') {
		text += d.eol + d.lineIndent(v.StartOffset)
	}
	d.edits = append(d.edits, edit{at: at, text: text})
	return nil
}

func orSpace(between string) string {
	if between == "" {
		return " "
	}
	return between
}

// texts writes the items.
func (d *document) texts(v hujson.Value, additions []addition, indent string, inline bool) ([]string, error) {
	var texts []string
	for _, a := range additions {
		text, err := d.encode(a.value, indent, inline)
		if err != nil {
			return nil, err
		}
		if v.Value.Kind() == '{' {
			text = string(hujson.String(a.name)) + ": " + text
		}
		texts = append(texts, text)
	}
	return texts, nil
}
