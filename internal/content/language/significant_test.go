package language_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/language"
)

// TestSameBut compares versions of files of many languages; "=" stands before pairs that differ
// only in the parts named.
func TestSameBut(t *testing.T) {
	all := language.PartsOf(language.Kinds())
	code := language.PartsOf([]string{language.Comments, language.Whitespace})
	for _, c := range []struct {
		name, before, after string
		parts               language.Parts
		want                bool
	}{
		{"a.go", "package a\n\nvar x = 1\n", "package a\n\n// x.\nvar  x = 1 // one\n", code, true},
		{"a.go", "package a\n", "//go:build linux\n\npackage a\n", code, false},
		{"a.go", "package a\n// #include <a.h>\nimport \"C\"\n", "package a\n// #include <b.h>\nimport \"C\"\n", all, false},
		{"a.go", "package a\nimport \"x\"\n", "package a\nimport (\n\"y\"\n\"z\"\n)\n", all, true},
		{"a.go", "package a\n", "package a\nimport _ \"y\"\n", all, false},
		{"a.go", "package a\nfunc f() int {\nreturn g()\n}", "package a\nfunc f() int {\nreturn\ng()\n}", code, false},
		{"a.go", "package a\nvar x = \"a  b\"\n", "package a\nvar x = \"a b\"\n", all, false},
		{"a.py", "x = 1\n", "x = 1  # why\n", language.PartsOf([]string{language.Comments}), true},
		{"a.py", "x = 1\n", "x  = 1  # why\n", language.PartsOf([]string{language.Comments}), false},
		{"a.py", "if x:\n    a\n    b\n", "if x:\n    a\nb\n", all, false},
		{"a.py", "if x:\n    a\n    b\n", "if x:\n  a\n\n  b\n", all, true},
		{"a.py", "def f():\n    return 1\n", "def f():\n    \"\"\"Doc.\"\"\"\n    return 1\n", all, true},
		{"a.py", "def f():\n    return 1\n", "def f():\n    return 1\n    'text'\n", all, false},
		{"a.py", "import os\n", "from a import (\n  b,\n  c)\n", all, true},
		{"a.py", "x = 1\n", "from __future__ import annotations\nx = 1\n", all, false},
		{"a.py", "#!/bin/a\nx = 1\n", "#!/bin/b\nx = 1\n", all, false},
		{"a.py", "x = '''\n# a\n'''\n", "x = '''\n# b\n'''\n", all, false},
		{"a.ts", "const a = /\\/\\/ x/\n", "const a = /\\/\\/ y/\n", all, false},
		{"a.ts", "import { a } from 'a'\nf()\n", "import b, { c } from 'c'\nf()\n", all, true},
		{"a.ts", "f()\n", "import './a.css'\nf()\n", all, false},
		{"a.ts", "x = a! / 2 // it's b\n", "x = a! / 2\n", code, true},
		{"a.ts", "x = a! / 2 // b / c\n", "x = a! / 2\n", code, true},
		{"a.ts", "type A = B<C<D>\n>;\n", "type A = B<C<D>>;\n", code, true},
		{"a.ts", "type A<B = C<D>> = E\n", "type A<\nB = C<D>\n>= E\n", code, true},
		{"a.cpp", "a<b<c> > d;\n", "a<b<c>> d;\n", code, true},
		{"a.ts", "f()\n", "import {} from './a'\nf()\n", all, false},
		{"a.ts", "f()\n", "import type from './a'\nimport type { b } from './b'\nf()\n", all, true},
		{"a.ts", "x = `${a /* b */}`\n", "x = `${a /* c */}`\n", code, false},
		{"a.ts", "f(/* a */)\n", "f(/* @__PURE__ */)\n", code, false},
		{"a.ts", "const a = require('a')\n", "const { b } = require('b');\n", all, true},
		{"a.jsx", "x = <p>a // b</p>\n", "x = <p>a // c</p>\n", all, false},
		{"a.jsx", "x = <p a='1'>{/* b */}</p>\n", "x = <p  a='1'>{}</p>\n", code, true},
		{"a.js", "return a\n", "return\na\n", code, false},
		{"a.c", "#include <a.h>\nint x;\n", "#include <b.h>\nint  x; /* y */\n", all, true},
		{"a.c", "#define f(x) x\n", "#define f (x) x\n", all, false},
		{"a.rs", "use a::b;\nfn f<'a>() {}\n", "fn f<'a>( ) { } // '\n", all, true},
		{"a.java", "import a.B;\nclass C {}\n", "import d.*;\n/** C. */\nclass C { }\n", all, true},
		{"a.kt", "val s = \"${f(\"http://a\")}\"\n", "val s = \"${f(\"http://b\")}\"\n", all, false},
		{"a.cs", "using A;\nclass C {}\n", "using B.C;\nclass C { }\n", all, true},
		{"a.cs", "class C { void F() { using var a = b; } }", "class C { void F() { } }", all, false},
		{"a.yml", "a: 1\n", "# b\na: 1 # c\n\n", code, true},
		{"a.yml", "run: |\n  # a\n  b\n", "run: |\n  # c\n  b\n", code, false},
		{"a.yml", "a: b#c\n", "a: b#d\n", code, false},
		{"a.yml", "a:\n  b: 1\n", "a:\n    b: 1\n", code, false},
		{"a.sh", "echo ${x#a}\n", "echo ${x#b}\n", code, false},
		{"a.sh", "cat <<E\n# a\nE\n", "cat <<E\n# b\nE\n", code, false},
		{"a.sh", "a \"$(b \"c # d\")\"\n", "a \"$(b \"c # e\")\"\n", code, false},
		{"a.sh", "a\n", "# b\n\na  # c\n", code, true},
		{"a.css", "a .b {}\n", "a.b {}\n", code, false},
		{"a.json", "{\"a\": 1}\n", "{\n  \"a\" : 1\n}\n", code, true},
		{"Makefile", "a:\n\t# b\n", "a:\n\t# c\n", code, false},
		{"Dockerfile", "FROM a\n", "# b\nFROM a\n", code, true},
		{"Dockerfile", "FROM a\n", "# syntax=x\nFROM a\n", code, false},
		{"a.md", "a\nb\n", "a\n\nb\n", all, false},
		{"a.md", "a\n\nb\n", "a \n\n\nb\n", all, true},
		{"a.xyz", "a  b\n", "a b \n\n", all, true},
		{"a.xyz", "a 'b  c'\n", "a 'b c'\n", all, false},
		{"a.xyz", "a\n# b\n", "a\n# c\n", all, false},
		{"a.py", "x = 'a\n", "x = 'a # b\n", all, false},
		{"a.py", "x\n", "x\n", all, false},
		{"a.go", "package a\n", "package a\n// LINT.IfChange\n", all, false},
	} {
		if got := language.SameBut(c.name, c.before, c.after, c.parts); got != c.want {
			t.Errorf("%s: %q and %q with %+v: %v; want %v", c.name, c.before, c.after, c.parts, got, c.want)
		}
	}
}

// FuzzSignificant reads any text strictly. What it cuts is stable: it finds nothing more to cut.
func FuzzSignificant(f *testing.F) {
	for _, name := range []string{"a.go", "a.py", "a.jsx", "a.sh", "a.yml", "a.rs", "a.cs", "a.php", "a.kt"} {
		f.Add(name, "#!x\nimport a\n// b\n# c\n/* d */ \"${e(\"f\")}\" `g` <h i='j'>{k}</h>\n\"\"\"\n<<EOF\nl\nEOF\nm: |\n  n\n")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		for _, kinds := range [][]string{{language.Comments}, language.Kinds()} {
			if got, ok := language.Significant(name, text, language.PartsOf(kinds)); ok && len(kinds) == 1 && len(got) > len(text) {
				t.Errorf("%s: %q became longer: %q", name, text, got)
			}
		}
	})
}

// TestIsGenerated finds what programs and people write at the top of generated files.
func TestIsGenerated(t *testing.T) {
	for text, want := range map[string]bool{
		"// Code generated by x. DO NOT EDIT.\n": true,
		"/**\n * @generated SignedSource\n */\n": true,
		"# do not edit: run make\n":              true,
		"x = 'do not edit'\n":                    false,
		"// me@generated.org\n":                  false,
		"\n\n\n\n\n\n\n\n\n\n\n# do not edit\n":  false,
	} {
		if got := language.IsGenerated(text); got != want {
			t.Errorf("%q: %v; want %v", text, got, want)
		}
	}
}
