package rule

import (
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// Value is what a key was given, or its default.
type Value struct {
	At   yaml.Place // of the key; zero where the file does not have it
	Node *yaml.Node // as the file has it, good or not; nil where it does not
	Data any        // string, bool, int or []string; nil where it has a problem, and of keys that are not read

	scalars  []*yaml.Node
	patterns []*pattern.Pattern // of scalars, where the type is one of patterns
}

// texts are a value's texts, of one or of a list.
func (v Value) texts() []string {
	switch data := v.Data.(type) {
	case string:
		return []string{data}
	case []string:
		return data
	default:
		return nil
	}
}

// Values are those of a mapping, by dotted name.
type Values map[string]Value

// Text is a value that is one text, or empty.
func (v Values) Text(name string) string {
	s, _ := v[name].Data.(string)
	return s
}

// Texts are the texts of a value that is one or a list of them.
func (v Values) Texts(name string) []string { return v[name].texts() }

// True reports whether a value is true.
func (v Values) True(name string) bool { return v[name].Data == true }

// fill adds the defaults of what is not there.
func (v Values) fill(rows []Key) {
	for _, k := range rows {
		if _, ok := v[k.Name]; !ok && k.Default != nil {
			v[k.Name] = Value{Data: k.Default}
		}
	}
}
