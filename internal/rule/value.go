package rule

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Value is the value of a key, or its default.
type Value struct {
	At   yaml.Place // of the key; zero: the file does not have it
	Node *yaml.Node // as written; nil: the file does not have it
	Data any        // string, bool, int, []string, or with the key "any" a []string; nil: it has a problem, or is not decoded

	Mappings []Values // of a list whose entries may be mappings

	scalars  []*yaml.Node
	patterns []*pattern.Pattern // compiled scalars, if the type is one of patterns
}

// texts returns the texts of a text or a list.
func (v Value) texts() []string {
	switch data := v.Data.(type) {
	case string:
		return []string{data}
	case []string:
		return data
	case map[string]any:
		return Value{Data: data[anyKey]}.texts()
	default:
		return nil
	}
}

// places returns the places of its texts.
func (v Value) places() (list []yaml.Place) {
	for _, n := range v.scalars {
		list = append(list, n.At)
	}
	return list
}

// Values is the values of a mapping by dotted name.
type Values map[string]Value

// Text returns a text, or an empty one if the value is missing.
func (v Values) Text(name string) string {
	s, _ := v[name].Data.(string)
	return s
}

// Texts returns the texts of a text or a list.
func (v Values) Texts(name string) []string { return v[name].texts() }

// True reports whether a value is true.
func (v Values) True(name string) bool { return v[name].Data == true }

// applies reports whether the keys that another one belongs to are given.
func (v Values) applies(k Key) bool {
	given := func(name string) bool { _, ok := v[name]; return ok }
	return (k.With == "" || given(k.With)) && (k.WithAny == nil || slices.ContainsFunc(k.WithAny, given))
}

// fill adds the defaults of missing values.
func (v Values) fill(rows []Key) {
	for _, k := range rows {
		if _, ok := v[k.Name]; !ok && k.Default != nil && v.applies(k) {
			value := Value{Data: k.Default}
			if types[k.Type].pattern {
				for _, text := range value.texts() {
					if p, err := pattern.CompilePart(text); err == nil {
						value.patterns = append(value.patterns, p)
					}
				}
			}
			v[k.Name] = value
		}
	}
}
