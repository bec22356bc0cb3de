package languages_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// TestTextThatGrammarsDoNotKnow reads valid constructs that the grammars refuse, and looks for what signatures have of them.
func TestTextThatGrammarsDoNotKnow(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.ts", "export const a = tag<{ b: C }>`d`;", "tag <{ b: C }> `d`"},
		{"a.ts", "export type * from 'a';", "a"},
		{"a.ts", "export interface A<in out B, out C, in D> { f(b: B): C }", "in out B , out C"},
		{"a.ts", "export type A<\n  in\n  B,\n  out C> = B;", "in B , out C"},
		{"a.ts", "export interface A<\n  /** b */\n  /* c */ out D, in E> {}", "out D , in E"},
		{"a.rs", "pub fn a() { str!(b); u8! { c } }", "pub fn a"},
		{"a.rs", "pub const A: u8 = u128![1];", "u128"},
		{"a.kt", "val a = suspend { b() }\nfun c() {\n    get(\"/\") { }\n}\n", "a"},
		{"a.kt", "fun a() { open(b); enum.c() }", "a"},
		{"a.cs", "class A { object B = (a, ref b, out c) => d(async, [type], e?.f = g?[h]); }", "B"},
		{"a.cs", "class A { void B() { a?.b?.c = async; } }", "B"},
	} {
		symbols, err := languages.Read(t.Context(), c.name, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var all strings.Builder
		for _, s := range symbols {
			all.WriteString(s.Name + ": " + s.Signature + "\n")
		}
		if !strings.Contains(all.String(), c.want) {
			t.Errorf("%s: symbols %q; want %q", c.text, all.String(), c.want)
		}
	}
}
