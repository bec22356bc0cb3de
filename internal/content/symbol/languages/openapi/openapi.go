// Package openapi reads the symbols of OpenAPI documents: the operations of paths and webhooks,
// components, servers and security. All are exported.
package openapi

import (
	"context"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/keys"
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
)

// Language reads OpenAPI.
var Language = symbol.Language{
	Name: "OpenAPI", Extensions: []string{".yaml", ".yml", ".json"}, Read: read,
	Exported: "all of a document that has `openapi` or `swagger` at its top: operations as `paths./users/get`, components as `components/schemas/User`, servers and security; " +
		"without descriptions, examples and `x-` keys. Another file could not be checked",
}

func read(_ context.Context, name, text string) ([]symbol.Symbol, error) {
	d, err := keys.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if !d.Has("/openapi") && !d.Has("/swagger") {
		return nil, &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: `the file is no OpenAPI document: it has neither "openapi" nor "swagger" at its top`}
	}
	o := &document{keys: d}
	for _, top := range d.Inside("") {
		switch top.Name {
		case "paths", "webhooks":
			o.paths(top)
		case "components":
			for _, section := range d.Inside(top.Pointer) {
				o.section("components/"+section.Name, section)
			}
		case "definitions", "parameters", "responses", "securityDefinitions":
			o.section(top.Name, top)
		case "servers", "security", "host", "basePath", "schemes", "consumes", "produces":
			o.add(top.Name, top.Name, top)
		}
	}
	return o.symbols, nil
}

// document collects the symbols of a document.
type document struct {
	keys    keys.Document
	symbols []symbol.Symbol
}

func (o *document) add(name, kind string, at keys.Key) {
	o.symbols = append(o.symbols, symbol.Symbol{
		Name: name, Kind: kind, Exported: true, Signature: o.keys.Text(at.Pointer, isProse),
		Line: at.Line, EndLine: at.EndLine, Column: at.Column,
	})
}

// methods are the operations of a path.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// paths adds the operations of paths, and what all operations of a path have in common.
func (o *document) paths(top keys.Key) {
	for _, path := range o.keys.Inside(top.Pointer) {
		if isExtension(path.Name) {
			continue
		}
		for _, inside := range o.keys.Inside(path.Pointer) {
			name := top.Name + "." + path.Name + "/" + inside.Name
			switch {
			case slices.Contains(methods, inside.Name):
				o.add(name, "operation", inside)
			case inside.Name == "parameters", inside.Name == "servers", inside.Name == "$ref":
				o.add(name, inside.Name, inside)
			}
		}
	}
}

// section adds the entries of a map of components.
func (o *document) section(name string, at keys.Key) {
	if isExtension(at.Name) || at.Name == "examples" {
		return
	}
	for _, entry := range o.keys.Inside(at.Pointer) {
		o.add(name+"/"+entry.Name, strings.TrimSuffix(at.Name, "s"), entry)
	}
}

func isExtension(name string) bool { return strings.HasPrefix(name, "x-") }

// maps are the keys whose values have names that the document chooses.
var maps = []string{
	"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas", "responses", "parameters", "headers", "callbacks",
	"links", "securitySchemes", "securityDefinitions", "mapping", "variables", "scopes", "content", "encoding", "paths", "dependentRequired", "requestBodies",
}

// isProse reports whether a key is for readers alone.
func isProse(around, name string) bool {
	if slices.Contains(maps, around) {
		return false
	}
	return isExtension(name) || slices.Contains([]string{"description", "summary", "example", "examples", "externalDocs", "tags", "title", "$comment"}, name)
}
