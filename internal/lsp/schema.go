package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON Schema.
type object = map[string]any

// forms are the schemas that a value may have, with the document whose definitions they name.
type forms struct {
	root object
	any  []object
}

// formsOf returns the forms of the value that a document describes.
func formsOf(root object) forms { return forms{root: root}.with(root, 0) }

// with adds the forms of a schema: itself, those that it refers to or chooses from, and those of
// the items of a list, whose places in references and documents are not looked at.
func (f forms) with(schema any, depth int) forms {
	s, ok := schema.(object)
	if !ok || depth > maxDepth {
		return f
	}
	f.any = append(f.any, s)
	if ref, ok := s["$ref"].(string); ok {
		definitions, _ := f.root["$defs"].(object)
		f = f.with(definitions[strings.TrimPrefix(ref, "#/$defs/")], depth+1)
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		list, _ := s[choice].([]any)
		for _, each := range list {
			f = f.with(each, depth+1)
		}
	}
	return f.with(s["items"], depth+1)
}

// at returns the forms of what names lead to.
func (f forms) at(names ...string) forms {
	for _, name := range names {
		next := forms{root: f.root}
		for _, s := range f.any {
			properties, _ := s["properties"].(object)
			if p, ok := properties[name]; ok {
				next = next.with(p, 0)
			} else {
				next = next.with(s["additionalProperties"], 0)
			}
		}
		f = next
	}
	return f
}

// members returns the names that a value may have.
func (f forms) members() []string {
	names := map[string]bool{}
	for _, s := range f.any {
		properties, _ := s["properties"].(object)
		for name := range properties {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// values returns the texts that a value may be, if they are few.
func (f forms) values() []string {
	var list []string
	for _, s := range f.any {
		all, _ := s["enum"].([]any)
		for _, v := range all {
			if text, ok := v.(string); ok && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// about describes a value: its types and what it is for.
func (f forms) about() (want, text string) {
	var types []string
	for _, s := range f.any {
		switch t := s["type"].(type) {
		case string:
			types = append(types, t)
		case []any:
			types = append(types, strings.Trim(fmt.Sprint(t), "[]"))
		}
		if description, ok := s["description"].(string); ok && text == "" {
			text = description
		}
	}
	return strings.Join(slices.Compact(types), " of "), text
}

// member completes the name of a member with what is written for it.
func (f forms) member(name, written string, within span) completion {
	want, text := f.at(name).about()
	c := completion{Label: name, Kind: completesProperty, Detail: want, Edit: textEdit{within, written}}
	if text != "" {
		c.Doc = &markup{"plaintext", text}
	}
	return c
}

// reference returns the names of the reference that ends where a text does, without what is in
// brackets: the last may be empty or the begin of one.
func reference(text string) []string {
	var names []string
	end := len(text)
	for i := len(text) - 1; ; i-- {
		switch {
		case i >= 0 && isWord(text[i]) && text[i] != '-':
			continue
		case i >= 0 && text[i] == ']':
			open := strings.LastIndexByte(text[:i], '[')
			if open < 0 || strings.ContainsAny(text[open:i], "\n") {
				return names
			}
			if i+1 < end { // a name must be before the bracket, and a dot after it
				return names
			}
			i, end = open, open
			continue
		}
		names = append([]string{text[i+1 : end]}, names...)
		if i < 0 || text[i] != '.' {
			return names
		}
		end = i
	}
}

// resolved replaces a variable of a loop, "some x in input.list", at the begin of a reference in a text.
func resolved(text string, names []string) []string {
	for range maxDepth {
		before, after, ok := cutLoop(text, names[0])
		if !ok {
			return names
		}
		end := strings.IndexAny(after, "\r\n;}")
		if end < 0 {
			return names
		}
		text, names = before, append(reference(strings.TrimRight(after[:end], " \t")), names[1:]...)
	}
	return names
}

// cutLoop cuts a text at the last loop over a variable.
func cutLoop(text, name string) (before, after string, ok bool) {
	if name == "" {
		return "", "", false
	}
	for _, form := range []string{"some " + name + " in ", ", " + name + " in "} {
		if at := strings.LastIndex(text, form); at >= 0 {
			return text[:at], text[at+len(form):], true
		}
	}
	return "", "", false
}
