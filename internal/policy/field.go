package policy

import (
	"cmp"
	"reflect"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/policies"
)

// field is a field of a struct as encoding/json writes it. Those with the tag policy:"-" are
// hidden from policies.
type field struct {
	index     int // in the struct
	name      string
	key       *ast.Term // the name
	embedded  bool      // its own fields are fields of the struct
	pointer   bool      // nil is unknown, and absent
	omitEmpty bool
	omitZero  bool
	fact      *policies.Fact // nil: policies need not ask for it
}

// fieldsOf returns the fields of a struct type. The tags of each type are read once.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field) //nolint:forcetypeassert // the cache has nothing else
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || f.Tag.Get("policy") == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		embedded := f.Anonymous && name == ""
		name = cmp.Or(name, f.Name)
		fields = append(fields, field{
			index: i, name: name, key: ast.InternedTerm(name), embedded: embedded, pointer: f.Type.Kind() == reflect.Pointer,
			omitEmpty: options == "omitempty", omitZero: options == "omitzero", fact: factOf(t, name),
		})
	}
	fieldCache.Store(t, fields)
	return fields
}

var fieldCache sync.Map // from reflect.Type to []field

// factOf returns the fact that policies must ask for to see a field: of the input, or
// of the detail of a change.
func factOf(t reflect.Type, name string) *policies.Fact {
	ofChange := t == reflect.TypeFor[diff.Detail]()
	if !ofChange && t != reflect.TypeFor[Input]() {
		return nil
	}
	if fact, ok := policies.FactNamed(name); ok && fact.OfChange == ofChange && name != policies.FactRule {
		return &fact
	}
	return nil
}

// optional reports whether the field may be absent.
func (f *field) optional() bool { return f.omitEmpty || f.omitZero || f.pointer }

// omits reports whether the field is absent where it has the value v.
func (f *field) omits(v reflect.Value) bool {
	switch {
	case f.omitZero, f.pointer:
		return v.IsZero()
	case !f.omitEmpty:
		return false
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return v.Len() == 0
	default:
		return v.Kind() != reflect.Struct && v.IsZero()
	}
}
