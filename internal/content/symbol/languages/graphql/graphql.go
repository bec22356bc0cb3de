// Package graphql reads the symbols of GraphQL schemas: types with their fields, arguments, values
// and members, directives and operations. All are exported.
package graphql

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// Language reads GraphQL.
var Language = symbol.Language{
	Name: "GraphQL", Extensions: []string{".graphql", ".graphqls", ".gql"}, Package: true, Read: read,
	Exported: "all of a schema: types, fields, arguments with their defaults, values of enums, members of unions, directives and root types; a file of queries could not be checked",
}

// maxDepth limits brackets inside each other.
const maxDepth = 200

func read(_ context.Context, _, text string) ([]symbol.Symbol, error) {
	if at := tooDeep(text); at >= 0 {
		return nil, &part.Error{
			Place:   part.Place{Line: 1 + strings.Count(text[:at], "\n"), Column: symbol.Column(text, at)},
			Message: fmt.Sprintf("brackets are nested more than %d deep", maxDepth),
		}
	}
	document, err := parser.ParseSchema(&ast.Source{Input: text})
	if err != nil {
		e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as a GraphQL schema: " + err.Error()}
		if wrong, ok := errors.AsType[*gqlerror.Error](err); ok {
			e.Message = "cannot be read as a GraphQL schema: " + wrong.Message
			if len(wrong.Locations) > 0 {
				e.Line, e.Column = max(wrong.Locations[0].Line, 1), max(wrong.Locations[0].Column, 1)
			}
		}
		return nil, e
	}
	s := &schema{}
	for _, d := range slices.Concat(document.Schema, document.SchemaExtension) {
		for _, o := range d.OperationTypes {
			s.add("schema."+string(o.Operation), "operation", o.Position, o.Type)
		}
	}
	for _, d := range document.Directives {
		var locations []string
		for _, l := range d.Locations {
			locations = append(locations, string(l))
		}
		slices.Sort(locations)
		if d.IsRepeatable {
			locations = append(locations, "repeatable")
		}
		s.add("@"+d.Name, "directive", d.Position, locations...)
		s.arguments("@"+d.Name, d.Arguments)
	}
	for _, d := range document.Definitions {
		s.definition(d, kindOf(d.Kind))
	}
	for _, d := range document.Extensions {
		s.definition(d, "extension")
	}
	slices.SortStableFunc(s.symbols, func(a, b symbol.Symbol) int { return a.Line - b.Line })
	return s.symbols, nil
}

// kindOf returns the kind of a type by the word that declares it.
func kindOf(kind ast.DefinitionKind) string {
	switch kind {
	case ast.Object:
		return "type"
	case ast.InputObject:
		return "input"
	case ast.Scalar, ast.Interface, ast.Union, ast.Enum:
	}
	return strings.ToLower(string(kind))
}

// tooDeep returns the offset of the first bracket that is too deep inside others, or -1.
func tooDeep(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{', '(':
			if depth++; depth > maxDepth {
				return i
			}
		case ']', '}', ')':
			depth = max(depth-1, 0)
		}
	}
	return -1
}

// schema collects the symbols of a schema.
type schema struct{ symbols []symbol.Symbol }

func (s *schema) add(name, kind string, at *ast.Position, signature ...string) {
	added := symbol.Symbol{Name: name, Kind: kind, Exported: true, Signature: strings.Join(signature, " "), Line: 1, EndLine: 1, Column: 1}
	if at != nil {
		added.Line, added.EndLine, added.Column = max(at.Line, 1), max(at.Line, 1), max(at.Column, 1)
	}
	s.symbols = append(s.symbols, added)
}

// definition adds a type, and what is inside it.
func (s *schema) definition(d *ast.Definition, kind string) {
	interfaces := slices.Sorted(slices.Values(d.Interfaces))
	if len(interfaces) > 0 {
		interfaces = slices.Insert(interfaces, 0, "implements")
	}
	if d.Directives.ForName("oneOf") != nil {
		interfaces = append(interfaces, "@oneOf")
	}
	from := len(s.symbols)
	if kind != "extension" || len(interfaces) > 0 {
		s.add(d.Name, kind, d.Position, interfaces...)
	}
	for _, f := range d.Fields {
		s.add(d.Name+"."+f.Name, "field", f.Position, f.Type.String()+defaultOf(f.DefaultValue))
		s.arguments(d.Name+"."+f.Name, f.Arguments)
	}
	for _, v := range d.EnumValues {
		s.add(d.Name+"."+v.Name, "enum value", v.Position)
	}
	for i, member := range d.Types {
		at := d.Position
		if i < len(d.TypePositions) {
			at = d.TypePositions[i]
		}
		s.add(d.Name+"."+member, "member", at)
	}
	if from < len(s.symbols) {
		s.symbols[from].EndLine = max(s.symbols[from].EndLine, s.symbols[len(s.symbols)-1].Line)
	}
}

func (s *schema) arguments(of string, list ast.ArgumentDefinitionList) {
	for _, a := range list {
		s.add(of+"."+a.Name, "argument", a.Position, a.Type.String()+defaultOf(a.DefaultValue))
	}
}

func defaultOf(v *ast.Value) string {
	if v == nil {
		return ""
	}
	return " = " + v.String()
}
