package languages_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/golden"
)

// TestLanguages walks the table: each language has its names, reads an empty file, and
// refuses what is no text of it, with the place.
func TestLanguages(t *testing.T) {
	seen := map[string]string{}
	for _, l := range languages.All() {
		t.Run(l.Name, func(t *testing.T) {
			if len(l.Extensions) == 0 {
				t.Fatal("no extensions")
			}
			for _, extension := range l.Extensions {
				name := "a/b" + extension
				if got, ok := languages.Of(name); !ok || got.Name != l.Name || path.Ext(name) != extension || seen[extension] != "" {
					t.Errorf("Of(%q) is %q, %v; want %q alone", name, got.Name, ok, l.Name)
				}
				seen[extension] = l.Name
				if !strings.Contains(languages.Names(), extension) {
					t.Errorf("Names() lacks %s", extension)
				}
				for _, text := range []string{"a\x00b", "\xff", "é\n é\xe9"} {
					_, err := languages.Read(t.Context(), name, text)
					if wrong, ok := err.(*part.Error); !ok || !strings.Contains(wrong.Message, "not UTF-8 text") || wrong.Line < 1 { //nolint:errorlint // the type is part of the contract
						t.Errorf("Read(%q, %q): %v; want an error about UTF-8", name, text, err)
					}
				}
				for _, text := range hostile() {
					if extension != l.Extensions[0] {
						break
					}
					symbols, err := languages.Read(t.Context(), name, text)
					if wrong, ok := err.(*part.Error); err != nil && (!ok || wrong.Line < 1 || wrong.Column < 1) { //nolint:errorlint // the same
						t.Errorf("Read(%q, %.20q): %v; want an *part.Error with a place", name, text, err)
					}
					for _, s := range symbols {
						if s.Name == "" || s.Kind == "" || s.Line < 1 || s.EndLine < s.Line || s.Column < 1 {
							t.Errorf("Read(%q, %.20q): %+v lacks something", name, text, s)
						}
					}
				}
			}
		})
	}
	if _, err := languages.Read(t.Context(), "a.unknown", ""); err == nil || !strings.Contains(err.Error(), "no language has this name; want .go, ") {
		t.Errorf("an unknown name: %v", err)
	}
}

// TestLanguagesTable writes the table of languages into the documentation.
func TestLanguagesTable(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("| language | files | exported |\n|---|---|---|\n")
	for _, l := range languages.All() {
		fmt.Fprintf(&rows, "| %s | `%s` | %s |\n", l.Name, strings.Join(l.Extensions, "`, `"), l.Exported)
	}
	golden.Part(t, "../../../../docs/contents.md", "symbols", rows.String())
}

// hostile returns texts that are deep, long or cut. In short tests they are a tenth as long.
func hostile() []string {
	divisor := 1
	if testing.Short() {
		divisor = 10
	}
	repeat := func(text string, n int) string { return strings.Repeat(text, n/divisor) }
	return []string{
		"", "\n", "}", repeat("{", 100_000), repeat("(", 100_000), repeat("[", 100_000), repeat("message A{", 50_000),
		"package a\nvar x = " + repeat("(", 50_000), "package a\ntype T " + repeat("struct{A ", 20_000), "package a\ntype T " + repeat("[]", 100_000) + "int",
		"package a\nconst x = " + repeat("1+", 100_000) + "1", repeat("a.", 200_000), "\"" + repeat("x", 1<<20), "/*" + repeat("*", 1<<20),
		"syntax = \"proto3\"; message A { string a = 1; oneof b { string c = 2; } map<string, A> d = 3; }", "option a = " + repeat("{a:", 50_000),
		"type A { a: " + repeat("[", 100_000) + "Int", "input A { a: Int = " + repeat("[", 100_000), "openapi: 3.1.0\npaths: {/a: {get: {}, x-b: 1}, x-c: {}}\ncomponents: {schemas: {A: }}",
		repeat("struct a {", 50_000), repeat("#if A\n", 50_000), "int " + repeat("a, ", 50_000) + "b;", repeat("a<", 100_000), "int a " + repeat("> (b)", 50_000), "int " + repeat("a::", 100_000) + "b;",
		repeat("operator ", 50_000), "#if A\n" + repeat("#elif B\nint a;\n", 10_000) + "#endif\n", repeat("f(a) int b; ", 20_000), "template " + repeat("<", 50_000), "#define A " + repeat("\"a\" ", 50_000),
		"{\"openapi\": 1, \"paths\": []}", "{\"openapi\": 1, \"paths\": {\"a\": [1]}}", "openapi: &a [*a]\npaths: {/a: {get: &b [*b]}}",
	}
}
