package languages_test

import (
	"fmt"
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
		{"a.ts", "export interface A<\n  /** B */\n  out B,\n> { c: B }", "out B"},
		{"a.ts", "mock('a', async (b) => {\n  const c = await b<typeof import('a')>()\n  return c\n})\nexport const d = 1", "const d = 1"},
		{"a.ts", "export const a = b<typeof import('c')>()", `b <typeof import("c")> ( )`},
		{"a.ts", "export let a: import('b').c.D[] = []", `let a : import("b").c. D [ ]`},
		{"a.ts", "export let a: { b: import('c').D; }", `import("c"). D`},
		{"a.ts", "export interface A {\n  b?: string | undefined\n  in2?: string\n  in?: string\n}", "in2 ? : string"},
		{"a.tsx", "export const A = () => <a href=\"https://example.com/?b=c&d=e\">f</a>", "A"},
		{"a.jsx", "export const A = (b, c) => b &c.d ? <a href='?e&f=g'/> : b&c", "A"},
		{"a.rs", "pub fn a(raw: u8) { b(&raw) }", "pub fn a"},
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

// TestLongLists reads lists of names, which generated files have: patterns that wait for the end of a list would compare
// each name with all others.
func TestLongLists(t *testing.T) {
	var names []string
	for n := range 3000 {
		names = append(names, fmt.Sprint("Name", n))
	}
	list := "{ " + strings.Join(names, ", ") + " }"
	for name, text := range map[string]string{
		"export.ts": "export type " + list + " from 'a';",
		"import.ts": "import type " + list + " from 'a';\nexport " + list + ";",
		"export.js": "export " + list + " from 'a';",
		"class.ts":  "export class A " + strings.ReplaceAll(list, ",", ";"),
		"enum.ts":   "export enum A " + list,
		"import.py": "from a import " + strings.Join(names, ", ") + "\n__all__ = ['" + strings.Join(names, "', '") + "']\n",
		"enum.java": "public enum A " + list,
		"use.rs":    "pub use a::" + list + ";\npub enum A " + list,
		"enum.cs":   "public enum A " + list,
		"enum.kt":   "enum class A " + list,
		"const.php": "<?php\nclass A { const " + strings.Join(names, " = 1, ") + " = 1; }",
		"attr.rb":   "class A\n  attr_reader :" + strings.Join(names, ", :") + "\nend\n",
	} {
		symbols, err := languages.Read(t.Context(), name, text)
		if err != nil || len(symbols) == 0 {
			t.Errorf("%s: %d symbols, %v", name, len(symbols), err)
		}
	}
}
