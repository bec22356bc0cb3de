package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// read decodes and validates the arguments of a call.
func read(raw json.RawMessage, known []argument) (given, error) {
	values := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &values); err != nil {
			return nil, invalid("arguments: %s; want an object", cut(string(raw)))
		}
	}
	names := make([]string, 0, len(known))
	for _, a := range known {
		names = append(names, a.name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return nil, invalid("unknown argument %q%s", cut(name), suggest.OneOf(cut(name), names))
		}
	}
	g := given{}
	for _, a := range known {
		value, err := a.read(values[a.name])
		if err != nil {
			return nil, err
		}
		if value != nil {
			g[a.name] = value
		}
	}
	return g, nil
}

// read decodes one argument; nil if it is absent.
func (a argument) read(raw json.RawMessage) (value any, err error) {
	if len(raw) > a.kind.max {
		return nil, invalid("%s: %d bytes; want at most %d", a.name, len(raw), a.kind.max)
	}
	if len(raw) > 0 {
		if value, err = a.kind.decode(raw); err != nil {
			return nil, invalid("%s: %w", a.name, err)
		}
	}
	switch {
	case (value == nil || value == "") && a.required:
		return nil, a.missing()
	case value == nil || value == "": // many clients send empty values
		return nil, nil
	case !utf8.Valid(raw) || containsNUL(value):
		return nil, invalid("%s: %s is not text; want UTF-8 without NUL", a.name, cut(string(raw)))
	case !a.kind.is(value):
		return nil, invalid("%s: %s; want %s", a.name, cut(string(raw)), a.kind.want)
	}
	return value, nil
}

func (a argument) missing() error {
	return invalid("%s is missing; want %s: %s", a.name, a.kind.want, a.about)
}

// containsNUL reports whether any text of a value contains NUL.
func containsNUL(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.ContainsRune(v, 0)
	case []any:
		return slices.ContainsFunc(v, containsNUL)
	case map[string]any:
		for key, of := range v {
			if containsNUL(key) || containsNUL(of) {
				return true
			}
		}
	}
	return false
}

// maxShown limits how much of an argument an answer repeats, in bytes.
const maxShown = 80

func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

func invalid(format string, values ...any) error {
	return &refusal{Failure: phase.Failure{Code: invalidArgument, Message: fmt.Errorf(format, values...).Error()}}
}
