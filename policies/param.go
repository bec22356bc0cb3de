package policies

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// A parameter is a frontmatter key, or with a dot one key inside it.
var (
	topKey    = lazyregexp.New(`^[a-z][a-z0-9_]*$`)
	paramName = lazyregexp.New(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$`)
)

func paramsOf(v any) ([]Param, error) {
	declared, err := as[map[string]any](v, "a mapping from parameter to type")
	if err != nil {
		return nil, err
	}
	params := make([]Param, 0, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		if !paramName().MatchString(name) {
			return nil, fmt.Errorf("bad parameter name %q; want %s", name, paramName())
		}
		if whole, _, inside := strings.Cut(name, "."); inside && declared[whole] != nil {
			return nil, fmt.Errorf("%q is a value, and %q is inside it; want only one of them", whole, name)
		}
		param, err := paramOf(name, declared[name])
		if err != nil {
			return nil, err
		}
		params = append(params, param)
	}
	for _, p := range params {
		known := p.Captures == "" || p.Captures == CapturesSame ||
			slices.ContainsFunc(params, func(o Param) bool { return o.Name == p.Captures && o.Name != p.Name && o.IsPattern() })
		if p.With != "" && !slices.ContainsFunc(params, func(o Param) bool { return o.Name == p.With && o.Optional && o.Default == nil }) {
			return nil, fmt.Errorf("%s.with: bad value %q; want another parameter that is optional and has no default", p.Name, p.With)
		}
		for _, name := range p.WithAny {
			if !slices.ContainsFunc(params, func(o Param) bool { return o.Name == name && o.Optional && o.Default == nil }) {
				return nil, fmt.Errorf("%s.with_any: bad value %q; want other parameters that are optional and have no default", p.Name, name)
			}
		}
		if !known {
			return nil, fmt.Errorf("%s.captures: bad value %q; want %q or another parameter that holds patterns", p.Name, p.Captures, CapturesSame)
		}
	}
	return params, nil
}

func paramOf(name string, v any) (Param, error) {
	p := Param{Name: name}
	fields, ok := v.(map[string]any)
	if !ok {
		fields = map[string]any{"type": v}
	}
	err := read(name, fields, map[string]func(any) error{
		"type":     func(v any) (err error) { p.Type, err = oneOf(v, "type", ParamTypes()); return err },
		"optional": func(v any) (err error) { p.Optional, err = as[bool](v, "true or false"); return err },
		"default":  func(v any) error { p.Default, p.Optional = v, true; return nil },
		"one_of":   func(v any) (err error) { p.OneOf, err = texts(v); return err },
		"at_least": func(v any) (err error) { p.AtLeast, err = as[int](v, "a whole number"); return err },
		"distinct": func(v any) (err error) { p.Distinct, err = as[bool](v, "true or false"); return err },
		"several":  func(v any) (err error) { p.Several, err = as[bool](v, "true or false"); return err },
		"parts":    func(v any) (err error) { p.Parts, err = as[bool](v, "true or false"); return err },
		"any":      func(v any) (err error) { p.Any, err = as[bool](v, "true or false"); return err },
		"captures": func(v any) (err error) { p.Captures, err = text(v); return err },
		"status":   func(v any) (err error) { p.Statuses, err = texts(v); return err },
		"limits":   func(v any) (err error) { p.Limits, err = oneOf(v, "limit", Limits()); return err },
		"checks":   func(v any) (err error) { p.Checks, err = checksOf(v); return err },
		"facts":    func(v any) (err error) { p.Facts, err = texts(v); return err },
		"with_any": func(v any) (err error) { p.WithAny, err = texts(v); return err },
		"with":     func(v any) (err error) { p.With, err = text(v); return err },
	})
	if err != nil {
		return Param{}, err
	}
	if err := p.check(fields); err != nil {
		return Param{}, fmt.Errorf("%s: %w", name, err)
	}
	if p.isList() && p.AtLeast == 0 {
		p.AtLeast = 1
	}
	return p, nil
}

// oneOf reads a word of a list.
func oneOf[T ~string](v any, what string, known []T) (T, error) {
	word, err := text(v)
	if err == nil && !slices.Contains(known, T(word)) {
		err = &wordError{"unknown " + what, word, wordsOf(known)}
	}
	return T(word), err
}

func wordsOf[T ~string](known []T) []string {
	var words []string
	for _, word := range known {
		words = append(words, string(word))
	}
	return words
}

// checksOf reads what a parameter makes a rule check: a word, or a mapping from the values to
// words.
func checksOf(v any) (map[string]Check, error) {
	byValue, ok := v.(map[string]any)
	if !ok {
		byValue = map[string]any{"": v}
	}
	checks := map[string]Check{}
	for value, word := range byValue {
		check, err := oneOf(word, "check", Checks())
		if err != nil {
			return nil, err
		}
		checks[value] = check
	}
	return checks, nil
}

// check rejects fields that have no meaning for the parameter's type.
func (p Param) check(fields map[string]any) error {
	_, atLeast := fields["at_least"]
	switch {
	case p.Type == "":
		return &wordError{"no type", "", wordsOf(ParamTypes())}
	case atLeast && p.AtLeast < 1:
		return fmt.Errorf("at_least: bad value %d; want 1 or more", p.AtLeast)
	case atLeast && !p.isList() && p.Type != Integer:
		return fmt.Errorf("at_least is for lists and whole numbers; %q is neither", p.Type)
	case p.Distinct && !p.isList():
		return fmt.Errorf("distinct is for lists; the type is %q", p.Type)
	case p.Several && (!p.isList() || !p.IsPattern()):
		return fmt.Errorf("several is for lists of patterns; the type is %q", p.Type)
	case p.Parts && !p.IsPattern():
		return fmt.Errorf("parts is for patterns; the type is %q", p.Type)
	case p.Captures != "" && !p.IsPattern():
		return fmt.Errorf("captures is for patterns; the type is %q", p.Type)
	case p.Statuses != nil && (!p.IsPattern() || p.Captures != ""):
		return fmt.Errorf("status is for patterns that trigger a rule; the type is %q", p.Type)
	case p.With != "" && (!p.Optional || strings.Contains(p.Name+p.With, ".")):
		return errors.New("with is for optional parameters; want neither this one nor the other inside a mapping")
	case p.Any && (p.Type != Patterns || p.Captures == "" || p.Captures == CapturesSame):
		return fmt.Errorf("any is for patterns with the captures of another parameter; the type is %q", p.Type)
	case p.WithAny != nil && !p.Optional:
		return errors.New("with_any is for optional parameters")
	case len(p.Facts) > 0 && (!p.Optional || p.Default != nil):
		return errors.New("facts is for optional parameters without a default; the facts of others are those of the mode")
	case p.OneOf != nil && p.Type != String && p.Type != Strings:
		return fmt.Errorf("one_of is for %q and %q, not %q", String, Strings, p.Type)
	case !p.limitsFit():
		return fmt.Errorf("limits: %q does not fit the type %q", p.Limits, p.Type)
	case p.Checks != nil && p.Checks[""] == "" && !slices.ContainsFunc(p.OneOf, func(value string) bool { return p.Checks[value] != "" }):
		return errors.New("checks: names no value of one_of; want a word, or a mapping from such values")
	case p.OneOf != nil && len(p.OneOf) == 0:
		return errors.New("one_of: bad value []; want the values that are allowed")
	}
	return p.checkDefault()
}

// limitsFit reports whether values of the parameter can be the limit that it sets.
func (p Param) limitsFit() bool {
	switch p.Limits {
	case "":
		return true
	case LimitStatus:
		return p.Type == Strings
	case LimitMoved:
		return p.Type == Boolean
	default:
		return p.Type == Regexes
	}
}

func (p Param) checkDefault() error {
	if p.Default == nil {
		return nil
	}
	var fits bool
	switch p.Default.(type) {
	case bool:
		fits = p.Type == Boolean
	case int:
		fits = p.Type == Integer || p.Type == Fraction
	case float64:
		fits = p.Type == Fraction
	case string:
		fits = slices.Contains([]ParamType{Patterns, Files, String, Strings, Regex, Duration}, p.Type)
	}
	if !fits {
		return fmt.Errorf("default: bad value %q for a parameter of type %q", fmt.Sprint(p.Default), p.Type)
	}
	if value, ok := p.Default.(string); ok && p.IsPattern() {
		if p.Captures != "" {
			return errors.New("default: bad value for patterns with captures; want them optional without a default")
		}
		if _, err := pattern.Compile(value); err != nil {
			return fmt.Errorf("default: %w", err)
		}
	}
	if value, ok := p.Default.(string); ok && p.OneOf != nil && !slices.Contains(p.OneOf, value) {
		return fmt.Errorf("default: bad value %q; want one of %s", value, suggest.Quoted(p.OneOf))
	}
	return nil
}

func (p Param) isList() bool {
	return slices.Contains([]ParamType{Patterns, Files, Regexes, Strings, Rules}, p.Type)
}

// IsPattern reports whether values are patterns of paths.
func (p Param) IsPattern() bool {
	return p.Type == Pattern || p.Type == Patterns || p.Type == Files
}
