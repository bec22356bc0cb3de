package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// part is a fact of changes and the field of [diff.Detail] that holds it.
type part struct {
	key   *ast.Term
	field int
}

// partsOf are those of facts that each change has.
func partsOf(facts []string) []part {
	var parts []part
	if !slices.ContainsFunc(policies.ChangeFacts(), func(fact string) bool { return slices.Contains(facts, fact) }) {
		return nil
	}
	for i, field := range slices.Collect(reflect.TypeFor[diff.Detail]().Fields()) {
		if name, _ := tagOf(field); slices.Contains(facts, name) {
			parts = append(parts, part{ast.InternedTerm(name), i})
		}
	}
	return parts
}

// tagOf is a field's name in JSON, and whether it may be absent.
func tagOf(field reflect.StructField) (name string, optional bool) {
	name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, option != ""
}

// detail adds to a change's fields what its mode asks for. A change without
// details is an error: to the policy every one would seem to lack what it looks for.
func (b builder) detail(fields [][2]*ast.Term, c *diff.Change) [][2]*ast.Term {
	if c.Detail == nil {
		b.names.err = fmt.Errorf("%s of %q has not been established", b.parts[0].key.Value, c.Path)
		return fields
	}
	all := reflect.ValueOf(c.Detail).Elem()
	for _, p := range b.parts {
		if value := all.Field(p.field); !value.IsZero() {
			fields = append(fields, ast.Item(p.key, termOf(value)))
		}
	}
	return fields
}

// termOf follows encoding/json, but for bytes that are no text: they are
// written as [finding.Printable] has them.
func termOf(v reflect.Value) *ast.Term {
	if t, ok := reflect.TypeAssert[time.Time](v); ok {
		return instant(t)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ast.InternedNullTerm
		}
		return termOf(v.Elem())
	case reflect.Slice:
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			terms[i] = termOf(v.Index(i))
		}
		return ast.ArrayTerm(terms...)
	case reflect.Struct:
		var fields [][2]*ast.Term
		for field, value := range v.Fields() {
			unknown := value.Kind() == reflect.Pointer && value.IsNil()
			if name, optional := tagOf(field); name != "-" && !unknown && (!optional || !value.IsZero()) {
				fields = append(fields, ast.Item(ast.InternedTerm(name), termOf(value)))
			}
		}
		return ast.ObjectTerm(fields...)
	case reflect.Bool:
		return ast.InternedTerm(v.Bool())
	case reflect.Int, reflect.Int64:
		return ast.InternedTerm(v.Int())
	default:
		text := v.String()
		if !utf8.ValidString(text) {
			text = finding.Printable(text)
		}
		return ast.StringTerm(text)
	}
}
