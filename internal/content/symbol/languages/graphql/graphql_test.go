package graphql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/graphql"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

const sample = `"""The API."""
schema { query: Root }
"all" type Root implements B & A @key(fields: "id") {
  # by id
  node(id: ID!, deep: [Int!] = [1, 2]): Node! @deprecated
}
union Any = Node | Root
enum Kind { NONE LOW }
input Filter @oneOf { text: String = "a" }
directive @auth(role: String) repeatable on OBJECT | FIELD_DEFINITION
scalar Time
extend type Root { more: Time }
`

func TestSymbols(t *testing.T) {
	symbols, err := graphql.Language.Read(t.Context(), "a.graphql", sample)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&got, "%d-%d %s %s: %s\n", s.Line, s.EndLine, s.Kind, s.Name, s.Signature)
	}
	want := `2-2 operation schema.query: Root
3-5 type Root: implements A B
5-5 field Root.node: Node!
5-5 argument Root.node.id: ID!
5-5 argument Root.node.deep: [Int!] = [1,2]
7-7 union Any: 
7-7 member Any.Node: 
7-7 member Any.Root: 
8-8 enum Kind: 
8-8 enum value Kind.NONE: 
8-8 enum value Kind.LOW: 
9-9 input Filter: @oneOf
9-9 field Filter.text: String = "a"
10-10 directive @auth: FIELD_DEFINITION OBJECT repeatable
10-10 argument @auth.role: String
11-11 scalar Time: 
12-12 field Root.more: Time
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// model is a schema without its text: by name of a type, the types of its fields.
type model map[string]map[string]string

func draw(t *rapid.T) model {
	m := model{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D"}), 1, 4, rapid.ID[string]).Draw(t, "types") {
		m[name] = map[string]string{}
		for _, field := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "type"}), 1, 4, rapid.ID[string]).Draw(t, "fields") {
			m[name][field] = rapid.SampledFrom([]string{"Int", "Int!", "[Int]", "[A!]!", "B"}).Draw(t, "of")
		}
	}
	return m
}

// write writes a model with the layout, the order and the comments that t draws.
func (m model) write(t *rapid.T) string {
	space := func() string {
		return rapid.SampledFrom([]string{" ", "\n", "\n# type X { a: Int }\n", ", ", "\t"}).Draw(t, "space")
	}
	var b strings.Builder
	for _, name := range rapid.Permutation(keysOf(m)).Draw(t, "types") {
		b.WriteString(space() + rapid.SampledFrom([]string{"", `"text" `, "\"\"\"\n{\n\"\"\" "}).Draw(t, "description") + "type " + name + " {")
		for _, field := range rapid.Permutation(keysOf(m[name])).Draw(t, "fields") {
			b.WriteString(space() + field + ":" + m[name][field] + rapid.SampledFrom([]string{"", " @deprecated"}).Draw(t, "directive"))
		}
		b.WriteString(space() + "}")
	}
	return b.String() + space()
}

func keysOf[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (m model) flat() map[string]string {
	all := map[string]string{}
	for name, fields := range m {
		all[name] = ""
		for field, of := range fields {
			all[name+"."+field] = of
		}
	}
	return all
}

// TestSymbolsLaw compares what changed between two random schemas with their models.
func TestSymbolsLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		before, after := draw(t), draw(t)
		var want []string
		old, now := before.flat(), after.flat()
		for name, of := range now {
			switch was, ok := old[name]; {
			case !ok:
				want = append(want, name+" added")
			case was != of:
				want = append(want, name+" modified")
			}
		}
		for name := range old {
			if _, ok := now[name]; !ok {
				want = append(want, name+" deleted")
			}
		}
		base, head, again := before.write(t), after.write(t), after.write(t)
		slices.Sort(want)
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
		if sides[i], err = graphql.Language.Read(t.Context(), "a.graphql", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	var names []string
	for _, c := range symbol.Diff("a.graphql", part.Changed(part.NewList(symbol.Parts(sides[0])), part.NewList(symbol.Parts(sides[1]))), sides[0], sides[1]) {
		names = append(names, c.Name+" "+c.Status)
	}
	slices.Sort(names)
	return names
}
