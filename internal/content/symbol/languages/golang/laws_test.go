package golang_test

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/golang"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestLayoutLaw: the order of declarations, comments and the layout of files of this repository
// change no symbol.
func TestLayoutLaw(t *testing.T) {
	files, err := filepath.Glob("../../../../*/*.go")
	if err != nil || len(files) < 100 {
		t.Fatalf("found %d files, %v; want those of this repository", len(files), err)
	}
	lawtest.Check(t, func(t *rapid.T) {
		text, err := os.ReadFile(rapid.SampledFrom(files).Draw(t, "file"))
		if err != nil {
			t.Fatal(err)
		}
		written := shuffled(t, string(text))
		if rapid.Bool().Draw(t, "gofmt") {
			formatted, err := format.Source([]byte(written))
			if err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
			written = string(formatted)
		}
		if got := changed(t, string(text), written); len(got) > 0 {
			t.Fatalf("%q changed:\n%s", got, written)
		}
	})
}

// shuffled returns the text of a file with its declarations in another order, and comments and
// spaces between tokens.
func shuffled(t *rapid.T, text string) string {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var imports, others []string
	for _, d := range parsed.Decls {
		source := text[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]
		if len(others) == 0 && strings.HasPrefix(source, "import") {
			imports = append(imports, source)
		} else {
			others = append(others, source)
		}
	}
	seed := rapid.Uint32().Draw(t, "seed")
	for i := len(others) - 1; i > 0; i-- {
		seed = seed*1664525 + 1013904223
		j := int(seed>>8) % (i + 1)
		others[i], others[j] = others[j], others[i]
	}
	for i := range others {
		others[i] = commented(others[i], &seed)
	}
	return "package " + parsed.Name.Name + "\n" + strings.Join(append(imports, others...), "\n\n") + "\n"
}

// commented puts comments and spaces after some tokens.
func commented(text string, seed *uint32) string {
	var scan scanner.Scanner
	scan.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	var b strings.Builder
	last := 0
	for {
		at, tok, literal := scan.Scan()
		offset := int(at) - 1
		if tok == token.EOF {
			return b.String() + text[last:]
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		b.WriteString(text[last:offset])
		last = offset
		*seed = *seed*1664525 + 1013904223
		switch *seed >> 29 {
		case 0:
			b.WriteString(" /* func X() */ ")
		case 1:
			b.WriteString("\t ")
		}
	}
}

// model is a package without its text: signatures by the names of symbols.
type model map[string]string

func draw(t *rapid.T) model {
	m := model{}
	typeOf := rapid.SampledFrom([]string{"int", "string", "[]A", "map[string]*B", "func(int) error", "chan<- int", "any"})
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "c", "F", "G", "h", "K", "V", "I"}), 1, 9, rapid.ID[string]).Draw(t, "names") {
		switch name {
		case "A", "B", "c":
			m[name] = "struct"
			for _, field := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"X", "Y", "z"}), 0, 3, rapid.ID[string]).Draw(t, "fields") {
				m[name+"."+field] = typeOf.Draw(t, "field")
			}
			if rapid.Bool().Draw(t, "method") {
				m[name+".M"] = rapid.SampledFrom([]string{"", "*"}).Draw(t, "pointer") + "(" + typeOf.Draw(t, "param") + ")"
			}
		case "I":
			m[name] = "interface"
			m["I.M"] = "(" + typeOf.Draw(t, "param") + ")"
		case "K":
			m[name] = "= " + rapid.SampledFrom([]string{"1", "2", `"a"`}).Draw(t, "value")
		case "V":
			m[name] = typeOf.Draw(t, "of")
		default:
			m[name] = "(" + typeOf.Draw(t, "param") + ", ..." + typeOf.Draw(t, "more") + ")"
		}
	}
	return m
}

// write writes a package, with bodies and names of parameters as t draws them.
func (m model) write(t *rapid.T) string {
	var decls []string
	param := func(signature string) string {
		name := rapid.SampledFrom([]string{"a", "b", "_"}).Draw(t, "name")
		return strings.ReplaceAll(strings.Replace(signature, "(", "("+name+" ", 1), ", ...", ", x ...") + rapid.SampledFrom([]string{" {}", " { panic(1) }", " { // f\n}"}).Draw(t, "body")
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		of, member, inside := strings.Cut(name, ".")
		signature := m[name]
		switch {
		case inside && of != "I" && member == "M":
			pointer := strings.HasPrefix(signature, "*")
			receiver := "(" + rapid.SampledFrom([]string{"r ", "", "x "}).Draw(t, "receiver")
			if pointer {
				receiver += "*"
			}
			decls = append(decls, "func "+receiver+of+") M"+param(strings.TrimPrefix(signature, "*")))
		case inside:
		case signature == "struct":
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(m)) {
				if f, ok := strings.CutPrefix(field, name+"."); ok && f != "M" {
					fields = append(fields, f+" "+m[field])
				}
			}
			decls = append(decls, "type "+name+" struct {\n"+strings.Join(rapid.Permutation(fields).Draw(t, "fields"), "\n")+"\n}")
		case signature == "interface":
			decls = append(decls, "type I interface { M"+m["I.M"]+" }")
		case name == "K":
			decls = append(decls, "const K "+signature)
		case name == "V":
			decls = append(decls, "var V "+signature+rapid.SampledFrom([]string{"", " = other()"}).Draw(t, "value"))
		default:
			decls = append(decls, "func "+name+param(signature))
		}
	}
	return "package a\n" + strings.Join(rapid.Permutation(decls).Draw(t, "order"), "\n")
}

// TestSymbolsLaw compares what changed between two random packages with their models.
func TestSymbolsLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		before, after := draw(t), draw(t)
		var want []string
		for name, now := range after {
			switch was, ok := before[name]; {
			case !ok:
				want = append(want, name+" added")
			case was != now:
				want = append(want, name+" modified")
			}
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				want = append(want, name+" deleted")
			}
		}
		slices.Sort(want)
		base, head := before.write(t), after.write(t)
		if diff := cmp.Diff(want, changed(t, base, head)); diff != "" {
			t.Fatalf("(-model +got):\n%s\n%s\n%s", diff, base, head)
		}
	})
}

func changed(t *rapid.T, base, head string) []string {
	var sides [2][]symbol.Symbol
	for i, text := range []string{base, head} {
		var err error
		if sides[i], err = golang.Language.Read(t.Context(), "a/a.go", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	var names []string
	for _, c := range symbol.Diff("a.go", part.Changed(part.NewList(symbol.Parts(sides[0])), part.NewList(symbol.Parts(sides[1]))), sides[0], sides[1]) {
		names = append(names, fmt.Sprintf("%s %s", c.Name, c.Status))
	}
	slices.Sort(names)
	return names
}
