package policies

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// modeOf converts METADATA to a mode. Unknown words are errors: a misspelt one would
// silently change what rules accept.
func modeOf(name string, declared *ast.Annotations) (Mode, error) {
	mode := Mode{
		Name:        name,
		Title:       strings.TrimSpace(declared.Title),
		Description: strings.TrimSpace(declared.Description),
		Listing:     ListByMessage,
	}
	if mode.Title == "" {
		return Mode{}, errors.New("METADATA has no title")
	}
	if mode.Description == "" {
		return Mode{}, errors.New("METADATA has no description")
	}
	err := read("custom", declared.Custom, map[string]func(any) error{
		"params":   func(v any) (err error) { mode.Params, err = paramsOf(v); return err },
		"facts":    func(v any) (err error) { mode.Facts, err = factsOf(v); return err },
		"counts":   func(v any) (err error) { mode.Counts, err = countsOf(v); return err },
		"examples": func(v any) (err error) { mode.Examples, err = texts(v); return err },
		"separate": func(v any) (err error) { mode.Separate, err = as[bool](v, "true or false"); return err },
		"listing": func(v any) (err error) {
			mode.Listing, err = oneOf(v, "listing", []string{ListByFiles, ListByMessage})
			return err
		},
		"suggestion": func(v any) (err error) {
			mode.Suggestion, err = text(v)
			mode.Suggestion = strings.TrimSpace(mode.Suggestion)
			return err
		},
	})
	if err == nil {
		err = errors.Join(mode.checkCounts(), mode.checkParamFacts(), mode.checkFiles(), mode.checkSeparate())
	}
	if err != nil {
		return Mode{}, err
	}
	if !slices.ContainsFunc(mode.Params, func(p Param) bool { return p.Name == name || strings.HasPrefix(p.Name, name+".") }) {
		return Mode{}, fmt.Errorf("custom.params: want one that is called %q or begins with %q: it selects the mode", name, name+".")
	}
	return mode, nil
}

// checkParamFacts refuses facts of parameters that are no facts of changes of the mode.
func (m Mode) checkParamFacts() error {
	for _, p := range m.Params {
		for _, fact := range p.Facts {
			known := slices.DeleteFunc(ChangeFacts(), func(name string) bool { return !slices.Contains(m.Facts, name) })
			if !slices.Contains(known, fact) {
				return fmt.Errorf("custom.params.%s.facts: %w", p.Name, &wordError{"not a fact of changes in custom.facts", fact, known})
			}
		}
	}
	return nil
}

// checkFiles requires the fact of files and a parameter that names them, or neither.
func (m Mode) checkFiles() error {
	named := slices.ContainsFunc(m.Params, func(p Param) bool { return p.Type == Files })
	switch asked := slices.Contains(m.Facts, FactFiles); {
	case asked && !named:
		return fmt.Errorf("custom.facts: %q is of parameters of type %q; want one in custom.params", FactFiles, Files)
	case named && !asked:
		return fmt.Errorf("custom.params: a parameter has the type %q; want %q in custom.facts, or the type %q", Files, FactFiles, Patterns)
	}
	return nil
}

// checkSeparate requires the fact that a mode decides separately.
func (m Mode) checkSeparate() error {
	if m.Separate && !slices.Contains(m.Facts, FactCorrespondences) {
		return fmt.Errorf("custom.separate: it is about each correspondence; want %q in custom.facts", FactCorrespondences)
	}
	return nil
}

// read passes each value of a mapping to the function of its key. Errors begin with the
// place, such as custom.params.
func read(place string, mapping map[string]any, fields map[string]func(any) error) error {
	for _, key := range slices.Sorted(maps.Keys(mapping)) {
		set, ok := fields[key]
		if !ok {
			return fmt.Errorf("%s: %w", place, &wordError{"unknown field", key, slices.Sorted(maps.Keys(fields))})
		}
		if err := set(mapping[key]); err != nil {
			return fmt.Errorf("%s.%s: %w", place, key, err)
		}
	}
	return nil
}

// as asserts the type of a YAML value; want names it in errors.
func as[T any](v any, want string) (T, error) {
	value, ok := v.(T)
	if !ok {
		return value, fmt.Errorf("bad value %q; want %s", fmt.Sprint(v), want)
	}
	return value, nil
}

func text(v any) (string, error) { return as[string](v, "a text") }

func texts(v any) ([]string, error) {
	list, err := as[[]any](v, "a list of texts")
	if err != nil {
		return nil, err
	}
	values := make([]string, 0, len(list))
	for _, entry := range list {
		value, err := text(entry)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}
