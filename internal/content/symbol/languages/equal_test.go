package languages_test

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
)

// TestWhichSignaturesAreEqual compares pairs: a comma before a closing bracket is layout,
// unless it makes a tuple or an empty element; so are names that no caller sees.
func TestWhichSignaturesAreEqual(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		equal      bool
	}{
		{"a.py", "X = (1,)", "X = (1)", false},
		{"a.py", "X = 1,", "X = 1", false},
		{"a.py", "X = ((1, 2),)", "X = ((1, 2))", false},
		{"a.py", "X = (1, # one\n)", "X = (1,)", true},
		{"a.py", "X = (1, 2,)", "X = (1, 2)", true},
		{"a.py", "def f(a,): pass", "def f(a): pass", true},
		{"a.py", "def f(a=(1,),): pass", "def f(a=(1)): pass", false},
		{"a.py", "def f(a) -> T[int,]: pass", "def f(a) -> T[int]: pass", false},
		{"a.py", "def f(a): pass", "def f(b): pass", false},
		{"a.py", "X = (\n    \"a\"  # b\n)", "X = \"a\"", true},
		{"a.py", "X: (A | B) = (None)", "X: A | B = None", true},
		{"a.py", "def f(a: (A | B)=((1)), *, b=(2)) -> (C): pass", "def f(a: A | B=1, *, b=2) -> C: pass", true},
		{"a.py", "X = (Y) = (Z) = 1", "X = Y = Z = 1", true},
		{"a.py", "X = (Y,) = 1", "X = Y = 1", false},
		{"a.py", "X = f((1), a=(2))", "X = f(1, a=2)", true},
		{"a.py", "X = (1 + 2) * 3", "X = 1 + 2 * 3", false},
		{"a.py", "X = f((1, 2))", "X = f(1, 2)", false},
		{"a.rs", "pub fn f() -> (u8,) { (1,) }", "pub fn f() -> (u8) { 1 }", false},
		{"a.rs", "pub use a::{B, c, d::{e as f, G}};", "pub use a::{c, d::{G, e as f}, B,};", true},
		{"a.rs", "pub use a::{B, c};", "pub use a::{B, d};", false},
		{"a.rs", "macro_rules! a { ($b:expr) => { $b }; ($b:expr, $c:expr) => { $c } }", "macro_rules! a { ($b:expr) => { $b }; ($b:expr, $c:expr) => { $c }; }", true},
		{"a.rs", "pub fn f(mut a: u8) {}", "pub fn f(a: u8) {}", true},
		{"a.rs", "pub fn f(a: (u8, u8,),) {}", "pub fn f(b: (u8, u8)) {}", true},
		{"a.ts", "export const x = [1,,];", "export const x = [1,];", false},
		{"a.ts", "export const x = [1,];", "export const x = [1];", true},
		{"a.ts", "export function f(a: string,) {}", "export function f(b: string) {}", true},
		{"a.ts", "export class A { constructor(private a: string) {} }", "export class A { constructor(private b: string) {} }", false},
		{"a.ts", "export function f(a) {}", "export function f() {}", false},
		{"a.ts", "export const T = a.b<{ c: d }>`x`;", "export const T = a.b<{ c: e }>`x`;", false},
		{"a.ts", "export interface A { a: B; c(): D }", "export interface A { c(): D, a: B }", true},
		{"a.ts", "export interface A { (a: B): C; new (a: B): C; [a: string]: B }", "export interface A { [a:string]: B; (a:B): C; new (b: B): C }", true},
		{"a.ts", "export interface A { a(b: B): C; a(b: D): C }", "export interface A { a(b: D): C; a(b: B): C }", false},
		{"a.ts", "export class A { a: B; c: D }", "export class A { c: D; a: B }", true},
		{"a.ts", "declare function f(a: B): C; declare function f(a: D): C;", "declare function f(a: D): C; declare function f(a: B): C;", false},
		{"a.ts", "export type A = { a: B; c(): D }", "export type A = {\n c(): D,\n a: B\n}", true},
		{"a.ts", "declare type A = { a: B; c: D };", "declare type A = { c: D, a: B };", true},
		{"a.ts", "export type A = { a: B }", "export type A = { a: C }", false},
		{"a.ts", "export type A = { a: B }", "export type A = { a: B } | C", false},
		{"a.ts", "export type A = { [K in B]: C }", "export type A = { [K in B]: D }", false},
		{"a.js", "export function f(a, ...b) {}", "export function f(c, ...d) {}", true},
		{"a.ts", "export interface A { 'a': B, 'b-c': C }", "export interface A {\n  a: B;\n  \"b-c\": C;\n}", true},
		{"a.ts", "export type A = { 'a': { 'b': C } }", "export type A = { a: { b: C } }", true},
		{"a.ts", "export type A = B extends C ? 'a' : 'b'", "export type A = B extends C ? a : 'b'", false},
		{"a.ts", "export type A = 'b'", "export type A = b", false},
		{"a.ts", "export class A { ['a-b']() {} }", "export class A { [\"a-b\"]() {} }", true},
		{"a.d.ts", "declare module 'a' { export const b: C }", "declare module \"a\" { export const b: C }", true},
		{"a.ts", "export type A = B extends (C) ? D : E", "export type A = B extends C ? D : E", true},
		{"a.ts", "export type A = (B extends C ? D : E) extends F ? G : H", "export type A = B extends C ? D : E extends F ? G : H", false},
		{"a.ts", "export type A = string | { a: B }", "export type A =\n  | string\n  | {\n      a: B;\n    };", true},
		{"a.ts", "export type A = B & C", "export type A = & B & C", true},
		{"a.ts", "export type A = B | C", "export type A = B & C", false},
		{"a.ts", "export interface A extends Omit<(B & C), 'd'> {}", "export interface A extends Omit<B & C, \"d\"> {}", true},
		{"a.ts", "export const a: (A | B) = 1", "export const a: A | B = 1", true},
		{"a.ts", "export const a: (A | B)[] = 1", "export const a: A | B[] = 1", false},
		{"a.ts", "export type A<in out T, out U extends T> = B", "export type A<\n  in out T,\n  out U extends T,\n> = B", true},
		{"a.ts", "export type A<in T> = B", "export type A<out T> = B", false},
		{"a.ts", "export type A<in T> = B", "export type A<T> = B", false},
		{"a.ts", "export type A<out extends B> = C", "export type A< out extends B > = C", true},
		{"a.ts", "export type A = [(B | C), D]", "export type A = [B | C, D]", true},
		{"a.ts", "export type A = ((B | C))", "export type A = B | C", true},
		{"a.ts", "export type A = (() => B) | C", "export type A = () => B | C", false},
		{"a.ts", "export const f = a => a", "export const f = (a) => a", true},
		{"a.ts", "export const f = a => a", "export const f = (b) => b", true},
		{"a.ts", "export const f = a => a", "export const f = (a, b) => a", false},
		{"a.ts", "export const f = a => a", "export const f = (a: A) => a", false},
		{"a.ts", "export const f = a => a", "export const f = (a = 1) => a", false},
		{"a.ts", "export const f = a => a", "export const f = (...a) => a", false},
		{"a.ts", "export type * from './b'", "export type  *  from \"./b\";", true},
		{"a.ts", "export type * from './b'", "export type * from './c'", false},
		{"a.ts", "export type * as b from './b'", "export type * as c from './b'", false},
		{"a.ts", "export type * from './b'", "export * from './b'", false},
		{"a.js", "export const f = a => a", "export const f = (b) => b", true},
		{"a.js", "export const f = a => a", "export const f = (a, b) => a", false},
		{"a.js", "export const f = a => a", "export const f = (a = 1) => a", false},
		{"a.js", "export function f({ a }) {}", "export function f({ b }) {}", false},
		{"A.java", "public class A { public void f(int a) {} }", "public class A { public void f(int b) {} }", true},
		{"A.java", "public record A(int a) {}", "public record A(int b) {}", false},
		{"a.cs", "class A { public int X { get { return 1; } } }", "class A { public int X => 2; }", true},
		{"a.cs", "class A { public int X { get; set; } = 1; }", "class A { public int X { get => 1; set { } } }", true},
		{"a.cs", "class A { public int X { get; } }", "class A { public int X { get; set; } }", false},
		{"a.cs", "class A { public int X { get; set; } }", "class A { public int X { get; private set; } }", false},
		{"a.cs", "class A { public static int X = 1; }", "class A { public static int X = 2; }", true},
		{"a.cs", "class A { public const int X = 1; }", "class A { public const int X = 2; }", false},
		{"a.cs", "class A { public void F(int a) {} }", "class A { public void F(int b) {} }", false},
		{"a.cs", "class A { public void F(int a = 1) {} }", "class A { public void F(int a = 2) {} }", false},
		{"a.cs", "class A { public async Task F() {} }", "class A { public Task F() => G(); }", true},
		{"a.cs", "class A { public A(int a) : base(a) {} }", "class A { public A(int a) {} }", true},
		{"a.cs", "#if A\nclass B {}\n#else\nclass C {}\n#endif\n", "#if A\nclass B {}\n#else\nclass D {}\n#endif\n", false},
		{"a.cs", "#if A\nclass B : C\n#else\nclass B : D\n#endif\n{ }\n", "#if A\nclass B : C\n#else\nclass B : E\n#endif\n{ }\n", false},
		{"a.cs", "#if A\nclass B {}\n#endif\n", "#region A\nclass B {}\n#endregion\n", true},
		{"a.cs", "#if false // old\nit's no code\n#endif\nclass B {}\n", "class B {}\n", true},
		{"a.kt", "class A { val x: Int get() = 1 }", "class A {\n  public val x: Int = 2\n}", true},
		{"a.kt", "val x = 1", "val x = 2", false},
		{"a.kt", "const val X: Int = 1", "const val X: Int = 2", false},
		{"a.kt", "var x: Int = 1", "var x: Int = 1\n  private set", false},
		{"a.kt", "var x: Int = 1", "var x: Int = 1\n  set(value) { field = value }", true},
		{"a.kt", "fun f(a: Int) = 1", "fun f(b: Int) = 1", false},
		{"a.kt", "fun f(a: Int,): Int { return 1 }", "fun f(a: Int): Int = 2", true},
		{"a.kt", "class A(a: Int) : B(a)", "class A(a: Int) : B(1)", true},
		{"a.rb", "def f; 1; end", "def f\n  1\nend", true},
		{"a.php", "<?php function f($a) {}", "<?php function f($b) {}", false},
	} {
		read := func(text string) []string {
			symbols, err := languages.Read(t.Context(), c.name, text)
			if err != nil {
				t.Fatal(c.name, text, err)
			}
			var all []string
			for _, s := range symbols {
				all = append(all, s.Name+" "+s.Kind+" "+s.Signature)
			}
			slices.Sort(all)
			return all
		}
		if a, b := read(c.a), read(c.b); slices.Equal(a, b) != c.equal {
			t.Errorf("%s: %q and %q: equal is not %v: %q, %q", c.name, c.a, c.b, c.equal, a, b)
		}
	}
}
