package openapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/openapi"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

const sample = `openapi: 3.1.0
info: {title: x, version: 1.2.3}
servers: [{url: https://a, description: main}]
paths:
  x-note: a
  /users/{id}:
    parameters: [{name: id, in: path}]
    get:
      summary: text # more
      security: []
      responses:
        200: {$ref: '#/components/responses/OK', description: fine}
components:
  schemas:
    User:
      description: A user.
      required: [name, id]
      properties: {description: {type: string, example: a}}
`

func TestSymbols(t *testing.T) {
	symbols, err := openapi.Language.Read(t.Context(), "api.yaml", sample)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&got, "%d-%d:%d %s %s: %s\n", s.Line, s.EndLine, s.Column, s.Kind, s.Name, s.Signature)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = openapi.Language.Read(t.Context(), "a.yaml", "a: 1\n")
	if err == nil || !strings.Contains(err.Error(), `1:1: the file is no OpenAPI document: it has neither "openapi" nor "swagger" at its top`) {
		t.Errorf("another file: %v", err)
	}
}

const want = `3-3:1 servers servers: [ { url : "https://a" } ]
7-7:5 parameters paths./users/{id}/parameters: [ { in : "path" , name : "id" } ]
8-12:5 operation paths./users/{id}/get: { responses : { 200 : { $ref : "#/components/responses/OK" } } , security : [  ] }
15-18:5 schema components/schemas/User: { properties : { description : { type : "string" } } , required : [ "id" , "name" ] }
`

// drawn is a document without its text: by symbol, a value.
type drawn map[string]any

func draw(t *rapid.T) drawn {
	d := drawn{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"paths./a/get", "paths./a/post", "paths./b~c/{d}/get", "components/schemas/A", "components/schemas/description", "components/responses/A", "servers",
	}), 1, 5, rapid.ID[string]).Draw(t, "symbols") {
		d[name] = rapid.SampledFrom([]any{
			map[string]any{"type": "string"},
			map[string]any{"type": "integer", "enum": []any{1, 2}},
			map[string]any{"properties": map[string]any{"example": map[string]any{"type": "string"}}},
			map[string]any{"properties": map[string]any{}},
			map[string]any{"security": []any{}},
			map[string]any{},
		}).Draw(t, "value")
	}
	return d
}

// write writes a document with what is for readers alone as t draws it.
func (d drawn) write(t *rapid.T) string {
	root := map[string]any{"openapi": "3.1.0", "info": map[string]any{"version": rapid.StringMatching(`[0-9]\.[0-9]`).Draw(t, "version")}}
	for _, name := range slices.Sorted(maps.Keys(d)) {
		value := maps.Clone(d[name].(map[string]any)) //nolint:forcetypeassert // as drawn
		for _, prose := range []string{"description", "summary", "x-y", "example"} {
			if rapid.Bool().Draw(t, prose) {
				value[prose] = rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "text")
			}
		}
		if list, ok := value["enum"].([]any); ok {
			value["enum"] = rapid.Permutation(list).Draw(t, "order")
		}
		steps := strings.Split(name, "/")
		if path, ok := strings.CutPrefix(name, "paths."); ok {
			end := strings.LastIndexByte(path, '/')
			steps = []string{"paths", path[:end], path[end+1:]}
		}
		at := root
		for _, step := range steps[:len(steps)-1] {
			if at[step] == nil {
				at[step] = map[string]any{}
			}
			at = at[step].(map[string]any) //nolint:forcetypeassert // as made
		}
		at[steps[len(steps)-1]] = value
	}
	text, err := json.MarshalIndent(root, "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSymbolsLaw compares what changed between two random documents with their models.
func TestSymbolsLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		before, after := draw(t), draw(t)
		var want []string
		for name, now := range after {
			switch was, ok := before[name]; {
			case !ok:
				want = append(want, name+" added")
			case !cmp.Equal(was, now):
				want = append(want, name+" modified")
			}
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				want = append(want, name+" deleted")
			}
		}
		slices.Sort(want)
		base, head, again := before.write(t), after.write(t), after.write(t)
		if diff := cmp.Diff(want, changed(t, base, head)); diff != "" {
			t.Fatalf("(-model +got):\n%s\n%s\n%s", diff, base, head)
		}
		if got := changed(t, head, again); len(got) > 0 {
			t.Fatalf("another layout changed %q:\n%s\n%s", got, head, again)
		}
	})
}

func changed(t *rapid.T, base, head string) []string {
	var sides [2][]symbol.Symbol
	for i, text := range []string{base, head} {
		var err error
		if sides[i], err = openapi.Language.Read(t.Context(), "a.json", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	var names []string
	for _, c := range symbol.Diff("a.json", part.Changed(part.NewList(symbol.Parts(sides[0])), part.NewList(symbol.Parts(sides[1]))), sides[0], sides[1]) {
		names = append(names, c.Name+" "+c.Status)
	}
	slices.Sort(names)
	return names
}
