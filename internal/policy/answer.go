package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// violationsOf converts a policy's result, a set of objects with the fields of
// [Violation], and changed, which names what changed with its keys for the message. Only modes
// that check tool calls have effects.
func violationsOf(answer any, names *names, mode policies.Mode, params map[string]any) ([]Violation, error) {
	set, ok := answer.(ast.Set)
	if !ok {
		return nil, fmt.Errorf("%s is %v; want a set of violations", entrypoint, answer)
	}
	var v Violation
	var changed []string
	fields := map[string]func(ast.Value) error{
		"effect":        func(x ast.Value) (err error) { v.Effect, err = effectOf(x); return err },
		"opaque":        func(x ast.Value) (err error) { v.Opaque, err = boolOf(x); return err },
		"path":          func(x ast.Value) (err error) { v.Path, err = pathOf(x, names); return err },
		"line":          func(x ast.Value) (err error) { v.Line, err = lineOf(x); return err },
		"column":        func(x ast.Value) (err error) { v.Column, err = lineOf(x); return err },
		"expected":      func(x ast.Value) (err error) { v.Expected, err = pathsOf(x, names); return err },
		"related":       func(x ast.Value) (err error) { v.Related, err = locationsOf(x, names); return err },
		"changed":       func(x ast.Value) (err error) { changed, err = pathsOf(x, names); return err },
		"message":       func(x ast.Value) (err error) { v.Message, err = textOf(x); return err },
		"reached":       func(x ast.Value) (err error) { v.Reached, err = countOf(x); return err },
		"trigger_files": func(x ast.Value) (err error) { v.TriggerFiles, err = pathsOf(x, names); return err },
	}
	if !mode.Tool() {
		delete(fields, "effect")
		delete(fields, "opaque")
	}
	violations := make([]Violation, 0, set.Len())
	err := set.Iter(func(term *ast.Term) error {
		v, changed = Violation{}, nil
		if err := read(term.Value, fields); err != nil {
			return fmt.Errorf("violation %s: %w", term, err)
		}
		if v.Message == "" {
			v.Message = messageOf(&v, changed, mode, params)
		}
		violations = append(violations, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return violations, nil
}

// read passes each field of an object to the function of its name.
func read(value ast.Value, fields map[string]func(ast.Value) error) error {
	object, ok := value.(ast.Object)
	if !ok {
		return fmt.Errorf("is of type %s; want an object", ast.ValueName(value))
	}
	if object.Len() == 0 {
		return fmt.Errorf("is empty; want some of %q", slices.Sorted(maps.Keys(fields)))
	}
	return object.Iter(func(key, value *ast.Term) error {
		name, _ := key.Value.(ast.String)
		set, ok := fields[string(name)]
		if !ok {
			return fmt.Errorf("unknown field %s; want some of %q", key, slices.Sorted(maps.Keys(fields)))
		}
		if err := set(value.Value); err != nil {
			return fmt.Errorf("%s: %w", string(name), err)
		}
		return nil
	})
}

func textOf(value ast.Value) (string, error) {
	text, ok := value.(ast.String)
	if !ok || text == "" {
		return "", fmt.Errorf("bad value %s; want a string that is not empty", value)
	}
	return string(text), nil
}

func pathOf(value ast.Value, names *names) (string, error) {
	text, err := textOf(value)
	return names.bytes(text), err
}

// pathsOf reads a set or list, sorted and without duplicates.
func pathsOf(value ast.Value, names *names) ([]string, error) {
	paths, err := listOf(value, func(entry ast.Value) (string, error) { return pathOf(entry, names) })
	slices.Sort(paths)
	return slices.Compact(paths), err
}

func locationsOf(value ast.Value, names *names) ([]finding.Location, error) {
	return listOf(value, func(entry ast.Value) (finding.Location, error) {
		location := finding.Location{Line: 1}
		err := read(entry, map[string]func(ast.Value) error{
			"path": func(x ast.Value) (err error) { location.Path, err = pathOf(x, names); return err },
			"line": func(x ast.Value) (err error) { location.Line, err = lineOf(x); return err },
		})
		if err == nil && location.Path == "" {
			err = errors.New("no path")
		}
		return location, err
	})
}

// Effects lists what a rule may do to a tool call, from the mildest.
func Effects() []string { return []string{"allow", "warn", "ask", "deny"} }

func effectOf(value ast.Value) (string, error) {
	text, _ := value.(ast.String)
	if !slices.Contains(Effects(), string(text)) {
		return "", fmt.Errorf("bad value %s; want one of %q", value, Effects())
	}
	return string(text), nil
}

func boolOf(value ast.Value) (bool, error) {
	b, ok := value.(ast.Boolean)
	if !ok {
		return false, fmt.Errorf("bad value %s; want true or false", value)
	}
	return bool(b), nil
}

func lineOf(value ast.Value) (int, error) {
	if number, ok := value.(ast.Number); ok {
		if line, ok := number.Int(); ok && line >= 1 {
			return line, nil
		}
	}
	return 0, fmt.Errorf("bad value %s; want a whole number from 1", value)
}

func countOf(value ast.Value) (int64, error) {
	if number, ok := value.(ast.Number); ok {
		if count, ok := number.Int64(); ok && count >= 0 {
			return count, nil
		}
	}
	return 0, fmt.Errorf("bad value %s; want a whole number", value)
}

func listOf[T any](value ast.Value, read func(ast.Value) (T, error)) ([]T, error) {
	sequence, ok := value.(interface {
		Len() int
		Iter(func(*ast.Term) error) error
	})
	if !ok {
		return nil, fmt.Errorf("bad value %s; want a set or a list", value)
	}
	list := make([]T, 0, sequence.Len())
	err := sequence.Iter(func(term *ast.Term) error {
		entry, err := read(term.Value)
		list = append(list, entry)
		return err
	})
	return list, err
}
