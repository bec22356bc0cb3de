package policy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

// Encoder writes facts as Rego terms, with the content that encoding/json would give
// them, except that nil lists and maps are empty and nil fields absent, bytes that are not
// UTF-8 are written \xNN, and facts that were not asked for are absent. It is not safe for concurrent use.
type Encoder struct {
	asked    []string
	detail   string // one of the facts about changes that are asked for; empty: none is
	names    names
	items    [][2]*ast.Term       // a stack of the fields of objects under way
	words    map[string]*ast.Term // of short strings, most of which occur often
	last     *ast.Term            // of lastText, a long string
	lastText string
	err      error
}

// NewEncoder returns an encoder for one query that asks for some facts of
// [policies.FactTable].
func NewEncoder(asked []string) *Encoder {
	e := &Encoder{asked: asked, words: map[string]*ast.Term{}}
	for _, fact := range policies.ChangeFacts() {
		if slices.Contains(asked, fact) {
			e.detail = fact
		}
	}
	return e
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	numberType = reflect.TypeFor[json.Number]()
	textType   = reflect.TypeFor[establish.Content]()
)

// Term returns a fact as a term. The term means nothing if Err then returns an error.
func (e *Encoder) Term(fact any) *ast.Term { return e.term(reflect.ValueOf(fact), false) }

// Text returns a fact none of whose strings is a path as a term.
func (e *Encoder) Text(fact any) *ast.Term { return e.term(reflect.ValueOf(fact), true) }

// Err returns an error of any call of Term: a fact that was asked for and not
// established, a type that no fact can have, or two paths that policies could not
// distinguish.
func (e *Encoder) Err() error {
	if e.err != nil {
		return e.err
	}
	return e.names.err
}

func (e *Encoder) fail(format string, args ...any) *ast.Term {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
	return ast.InternedNullTerm
}

// term returns v as a term. Strings in v may be paths, which policies return as they
// were, unless v is text: any two may look the same.
func (e *Encoder) term(v reflect.Value, text bool) *ast.Term {
	switch v.Kind() {
	case reflect.Invalid: // nil
		return ast.InternedNullTerm
	case reflect.Pointer, reflect.Interface:
		return e.term(v.Elem(), text)
	case reflect.String:
		return e.string(v, text)
	case reflect.Bool:
		return ast.InternedTerm(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return ast.InternedTerm(v.Int())
	case reflect.Float32, reflect.Float64:
		return ast.FloatNumberTerm(v.Float())
	case reflect.Slice:
		if v.Len() == 0 {
			return ast.InternedEmptyArray
		}
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			terms[i] = e.term(v.Index(i), text)
		}
		return ast.ArrayTerm(terms...)
	case reflect.Map:
		return e.object(v, text)
	case reflect.Struct:
		if v.Type() == timeType {
			at, _ := reflect.TypeAssert[time.Time](v)
			return ast.StringTerm(at.UTC().Format(time.RFC3339Nano))
		}
		start := len(e.items)
		e.addFields(v, text)
		return e.objectOf(start)
	default:
		return e.fail("a fact has the type %s; want one that JSON has", v.Type())
	}
}

// objectOf makes an object of the items from start on, which it takes off the stack.
func (e *Encoder) objectOf(start int) *ast.Term {
	object := ast.ObjectTerm(e.items[start:]...)
	e.items = e.items[:start]
	return object
}

// addFields puts the fields of a struct on the stack, as far as they are asked for.
func (e *Encoder) addFields(v reflect.Value, text bool) {
	fields := fieldsOf(v.Type())
	for i := range fields {
		f := &fields[i]
		value := v.Field(f.index)
		switch {
		case f.embedded && value.Kind() == reflect.Map:
			e.addMade(value.Interface().(establish.Made)) //nolint:forcetypeassert // the only map that is embedded
		case f.embedded && !f.pointer:
			e.addFields(value, text)
		case f.embedded && !value.IsNil():
			e.addFields(value.Elem(), text)
		case f.embedded:
			if e.detail != "" {
				e.fail("%s has not been established for every change", e.detail)
			}
		case f.fact != nil && !slices.Contains(e.asked, f.fact.Name):
		case !f.omits(value):
			term := e.term(value, text || f.fact != nil && f.fact.Text())
			e.items = append(e.items, ast.Item(f.key, term))
		case f.fact != nil && !f.fact.OfChange:
			e.unknown(f.fact.Name)
		}
	}
}

func (e *Encoder) unknown(fact string) {
	e.fail("the mode needs input.%s, which is not known here", fact)
}

// addMade puts the facts that are asked for on the stack, of those that are made.
func (e *Encoder) addMade(made establish.Made) {
	for _, f := range establish.Facts() {
		if !slices.Contains(e.asked, f.Name) {
			continue
		}
		if fact, ok := made[f.Name]; ok {
			e.items = append(e.items, ast.Item(ast.InternedTerm(f.Name), e.term(reflect.ValueOf(fact), f.Text())))
		} else {
			e.unknown(f.Name)
		}
	}
}

// object returns a map from text as an object.
func (e *Encoder) object(v reflect.Value, text bool) *ast.Term {
	if v.Len() == 0 {
		return ast.InternedEmptyObject
	}
	start := len(e.items)
	for key, value := range v.Seq2() {
		term := e.term(value, text)
		e.items = append(e.items, ast.Item(e.string(key, text), term))
	}
	return e.objectOf(start)
}

// maxWord is the length in bytes of the longest string whose term is reused.
const maxWord = 16

func (e *Encoder) string(v reflect.Value, text bool) *ast.Term {
	s := v.String()
	if v.Type() == numberType {
		return ast.NumberTerm(json.Number(s))
	}
	text = text || v.Type() == textType
	if len(s) > maxWord && s == e.lastText {
		return e.last
	}
	if term := e.words[s]; term != nil {
		return term
	}
	switch plain := utf8.ValidString(s) && !strings.Contains(s, `\x`); {
	case !plain && text:
		return ast.StringTerm(finding.Printable(s))
	case !plain:
		return ast.StringTerm(e.names.text(s))
	case len(s) > maxWord:
		e.lastText, e.last = s, ast.StringTerm(s)
		return e.last
	default:
		e.words[s] = ast.StringTerm(s)
		return e.words[s]
	}
}
