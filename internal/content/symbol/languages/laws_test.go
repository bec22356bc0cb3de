package languages_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// sample holds the text that the laws vary: declarations whose order means nothing, and in which every
// comma with a blank may end a line.
type sample struct {
	head, tail   string
	declarations []string
	comment      string // to the end of the line
	broken       string // what has no end
	bomb         string // what nests
}

var samples = map[string]sample{
	"Go": {"package a\n", "", []string{
		"func F(a int, b string) (int, error) { return 0, nil }\n", "type A struct {\n\tX, y int\n}\n", "func (a A) M(x, y int) {}\n", "const K, L = 1, 2\n", "type I interface {\n\tf(x int, y A)\n}\n",
	}, "//", "package a\nfunc F( {\n", "package a\nvar x = ("},
	"Protocol Buffers": {"syntax = \"proto3\";\n", "", []string{
		"message A { map<string, int32> m = 1; reserved 2, 3; }\n", "enum E { Z = 0; }\n", "message B { string s = 1 [deprecated = true, json_name = \"t\"]; }\n", "service S { rpc F(A) returns (B); }\n",
	}, "//", "message A {\n", "message A {"},
	"GraphQL": {"", "", []string{
		"type A { f(a: Int, b: [String!]! = []): A }\n", "enum E { A, B }\n", "input I { a: Int = 1, b: String }\n", "union U = A\n",
	}, "#", "type A {\n", "type A { a: ["},
	"Python": {"", "", []string{
		"def f(a, b=1): return a\n", "class A(B, C):\n    def m(self, x, y): pass\n", "X = g(1, 2)\n", "@d\nasync def h(): pass\n",
	}, "#", "def f(:\n    pass\n", "("},
	"TypeScript": {"", "", []string{
		"export function f(a: T, b = 1): U { return a }\n", "export class A extends B { m(x: T, y?: U) {} }\n", "export interface I { a: F<A, B> }\n", "const x = 1, y = 2;\n", "export { x as z, y };\n",
	}, "//", "export function f( {\n", "["},
	"TSX": {"", "", []string{
		"export function F(a: T, b = 1) { return <a x={b} /> }\n", "export type A = F<A, B>;\n",
	}, "//", "export const x = <a>;\n", "<a>"},
	"JavaScript": {"", "", []string{
		"export function f(a, b = 1) { return a }\n", "export class A extends B { m(x, y) {} }\n", "const x = 1, y = 2;\n", "export { x as z, y };\n",
	}, "//", "export function f( {\n", "["},
	"Java": {"", "", []string{
		"public class A implements B, C { public int m(int a, int b) { return 1; } private int x = 1, y = 2; }\n", "interface I { void f(int a, int b); }\n", "enum E { A, B }\n",
	}, "//", "class A { void f( { }\n", "class A {"},
	"C": {"#include <a.h>\n", "", []string{
		"int f(int a, const char *b) { return 1; }\n", "int x = 1, *y;\n", "void (*g)(int a, int b);\n", "struct s h(a, b) int a; int b; { }\n", "F(int) m(void) { if (1) { } }\n",
		"#ifdef X\nint d(int a, int b);\n#else\nint d(int a, char b);\n#endif\n",
	}, "//", "int f( {\n", "int x = {"},
	"C++": {"", "", []string{
		"class A : public B, C { public: A() : x{1}, y(2) { } int m(int a, int b = 1) const; private: int x = 1, y; };\n", "enum class E { F, G };\n", "template <class T, int n> T f(T a, int b) { return { }; }\n",
		"namespace { int hidden; }\n", "std::map<int, int> k, l;\n", "int A::g(int a, int b) { return 1; }\n",
	}, "//", "class A { void f( { }\n", "namespace a {"},
	"C#": {"", "", []string{
		"public class A : B, C { public int M(int a, int b) => 1; private int x = 1, y = 2; }\n", "interface I { void F(int a, int b); }\n", "enum E { A, B }\n",
		"#if X\npublic delegate void D(int a, int b);\n#elif Y\npublic delegate int D(int a, int b);\n#endif\n",
	}, "//", "class A { void F( { }\n", "class A {"},
	"Kotlin": {"", "", []string{
		"class A(val x: B, y: C) : D, E { fun m(a: Int, b: Int) = 1 }\n", "interface I { fun f(a: Int, b: Int) }\n", "enum class F { G, H }\n", "fun g(a: Int, b: Int): Int { return 1 }\n", "val k: Map<A, B> = h(1, 2)\n",
	}, "//", "fun f( { }\n", "class A {"},
	"Rust": {"", "", []string{
		"pub fn f(a: A, b: B) -> C { 1 }\n", "pub struct A { pub a: u8, b: u8 }\n", "impl A { pub fn m(&self, x: u8) {} }\n", "pub enum E { A, B }\n", "pub use crate::other::{F, G, inner::{H, I}};\n",
	}, "//", "pub fn f( { }\n", "mod a {"},
	"Ruby": {"", "", []string{
		"def f(a, b = 1) a end\n", "class A < B\n  attr_reader :a, :b\n  def m(x, y) 1 end\n  private\n  def n(x, y) 1 end\nend\n", "X = g(1, 2)\n",
	}, "#", "class A\n  def f(\nend\n", "("},
	"PHP": {"<?php\n", "", []string{
		"function f($a, $b = 1) { return $a; }\n", "class A implements B, C { public function m($x, $y) {} private $z = 1, $q = 2; }\n", "interface I { function f($a, $b); }\n",
	}, "//", "<?php function f( { }\n", "("},
}

// sampled lists the languages with a sample.
func sampled() []symbol.Language {
	return slices.DeleteFunc(languages.All(), func(l symbol.Language) bool { return samples[l.Name].declarations == nil })
}

// set returns what rules compare, without the places.
func set(t interface {
	Helper()
	Fatal(...any)
}, l symbol.Language, text string,
) []string {
	t.Helper()
	symbols, err := languages.Read(context.Background(), "x"+l.Extensions[0], text)
	if err != nil {
		t.Fatal(err, "\n", text)
	}
	seen := map[string]bool{}
	for _, s := range symbols {
		seen[fmt.Sprintf("%s %s %t %s", s.Kind, s.Name, s.Exported, s.Signature)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func TestOrderFormatAndCommentsChangeNothing(t *testing.T) {
	for _, l := range sampled() {
		t.Run(l.Name, func(t *testing.T) {
			s := samples[l.Name]
			want := set(t, l, s.head+strings.Join(s.declarations, "")+s.tail)
			if len(want) < len(s.declarations) {
				t.Fatalf("symbols %q; want one for each declaration", want)
			}
			rapid.Check(t, func(t *rapid.T) {
				random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				parts := slices.Clone(s.declarations)
				random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
				var b strings.Builder
				b.WriteString(s.head)
				for _, p := range parts {
					for p != "" {
						before, after, comma := strings.Cut(p, ", ")
						b.WriteString(before)
						if p = after; comma {
							b.WriteString([]string{", ", ",\t", ",   ", ",\n        ", ", " + s.comment + " f(x, \"\n   ", ",\r\n  "}[random.IntN(6)])
						}
					}
					b.WriteString([]string{"", "\n", s.comment + " class X { def f(\n", "\n\n\n"}[random.IntN(4)])
				}
				b.WriteString(s.tail)
				if got := set(t, l, b.String()); !slices.Equal(got, want) {
					t.Fatalf("symbols\n%s\nwant\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), b.String())
				}
			})
		})
	}
}

// TestEachDeclarationCounts removes one declaration, and one parameter.
func TestEachDeclarationCounts(t *testing.T) {
	for _, l := range sampled() {
		s := samples[l.Name]
		want := set(t, l, s.head+strings.Join(s.declarations, ""))
		for i := range s.declarations {
			less := s.head + strings.Join(slices.Delete(slices.Clone(s.declarations), i, i+1), "")
			if got := set(t, l, less); slices.Equal(got, want) {
				t.Errorf("%s: the same symbols without %q", l.Name, s.declarations[i])
			}
		}
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	for _, l := range sampled() {
		symbols, err := languages.Read(t.Context(), "dir/x"+l.Extensions[0], samples[l.Name].broken)
		if err == nil || !strings.Contains(err.Error(), "cannot be read as ") {
			t.Errorf("%s: symbols %v, error %v; want an error with a place", l.Name, symbols, err)
		}
	}
}

func TestHostileFilesAreRefused(t *testing.T) {
	size := 1 << 17
	if testing.Short() {
		size = 1 << 9
	}
	for _, l := range sampled() {
		s := samples[l.Name]
		for name, text := range map[string]string{
			"NUL":           s.head + "a\x00b",
			"invalid UTF-8": s.head + "a\xff\xfeb",
			"long line":     s.head + strings.Repeat("a", 10<<20),
			"nesting":       s.head + strings.Repeat(s.bomb, size),
			"brackets":      s.head + strings.Repeat("([{", size),
			"quotes":        s.head + "(" + strings.Repeat("'\"`", size),
		} {
			start := time.Now()
			symbols, err := languages.Read(t.Context(), "x"+l.Extensions[0], text)
			t.Log(l.Name, name, time.Since(start))
			if err == nil {
				t.Errorf("%s, %s: %d symbols; want an error", l.Name, name, len(symbols))
			}
		}
		// And the next file is read as before.
		set(t, l, s.head+strings.Join(s.declarations, ""))
	}
}

func TestAnEndedContextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, l := range sampled() {
		if _, err := languages.Read(ctx, "x"+l.Extensions[0], strings.Repeat("x = 1\n", 1000)); err == nil {
			t.Errorf("%s: no error", l.Name)
		}
	}
}

// TestATextThatWasChangedIsReadAsAlone edits parts of a text at random.
func TestATextThatWasChangedIsReadAsAlone(t *testing.T) {
	for _, l := range sampled() {
		if l.After == nil {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			s := samples[l.Name]
			before := s.head + strings.Repeat(strings.Join(s.declarations, "\n")+s.comment+" end\n", 3) + s.tail
			if text, err := os.ReadFile(filepath.Join(strings.ReplaceAll(strings.ToLower(l.Name), "#", "sharp"), "testdata", "golden"+l.Extensions[0])); err == nil {
				before = string(text)
			}
			read, refused, edits := 0, 0, 20
			if testing.Short() {
				edits = 4
			}
			rapid.Check(t, func(t *rapid.T) {
				random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
				was := before
				for range edits {
					is := was
					for range 1 + random.IntN(3) {
						at := random.IntN(len(is))
						end := min(len(is), at+random.IntN(30))
						from := random.IntN(len(was))
						insert := []string{"", " ", "\n", "é", was[from:min(len(was), from+random.IntN(60))], "{", "}", "\n" + s.comment + " x\n"}[random.IntN(8)]
						is = strings.ToValidUTF8(is[:at]+insert+is[end:], "")
					}
					want, wrong := languages.Read(context.Background(), "x"+l.Extensions[0], is)
					_, _ = languages.Read(context.Background(), "x"+l.Extensions[0], was)
					got, refusal := languages.ReadAfter(context.Background(), "x"+l.Extensions[0], was, is)
					if !slices.Equal(got, want) || fmt.Sprint(refusal) != fmt.Sprint(wrong) {
						t.Fatalf("after\n%s\n%s\nis read as\n%v %v\nwant\n%v %v", was, is, got, refusal, want, wrong)
					}
					if wrong == nil {
						was = is
						read++
					} else {
						refused++
					}
				}
			})
			t.Logf("%d texts were read, %d refused", read, refused)
			if !testing.Short() && (read == 0 || refused == 0) { // few edits may all be refused
				t.Errorf("%d texts were read and %d refused; want both", read, refused)
			}
		})
	}
}
