package ifchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
)

// TestLanguages reads a pair of directives in comments of many languages, and none in text
// that is no comment there.
func TestLanguages(t *testing.T) {
	for files, sign := range map[string][2]string{
		"a.go a.c a.rs a.ts a.kt a.swift a.dart a.proto a.vue go.mod a.scss a.fs a.unknown NOTES":      {"// ", ""},
		"a.py a.rb a.sh a.yml a.toml Dockerfile Dockerfile.prod Makefile a.mk a.tf BUILD a.jl a.r a.R": {"# ", ""},
		"a.lua a.sql a.hs a.adb a.elm":   {"-- ", ""},
		"a.md a.html a.xml a.svg a.vue":  {"<!-- ", " -->"},
		"a.m a.prolog a.latex":           {"% ", ""},
		"a.css a.c a.go a.sql a.unknown": {"/* ", " */"},
		"a.ml a.fs a.pas":                {"(* ", " *)"},
		"a.tmpl":                         {"{{/* ", " */}}"},
		"a.j2":                           {"{# ", " #}"},
		"a.hs":                           {"{- ", " -}"},
		"a.lua":                          {"--[[ ", " ]]"},
		"a.ps1":                          {"<# ", " #>"},
		"a.clj a.ini a.asm":              {";; ", ""},
		"a.tex a.erl":                    {"% ", ""},
		"a.bat":                          {"@REM ", ""},
		"a.f90":                          {"! ", ""},
		"a.vim":                          {`" `, ""},
		"a.vb a.vba":                     {"' ", ""},
		"a.rst":                          {".. ", ""},
	} {
		for name := range strings.FieldsSeq(files) {
			text := "head\n" + sign[0] + "LINT.IfChange(x)" + sign[1] + "\nbody\n" + sign[0] + "LINT.ThenChange(//t)" + sign[1] + "\n"
			d := ifchange.Parse(name, text)
			if len(d.Problems) > 0 || len(d.Blocks) != 1 || d.Blocks[0].Line != 2 || d.Blocks[0].Close != 4 || d.Blocks[0].Label != "x" {
				t.Errorf("%s: %q is %+v", name, text, d)
			}
		}
	}
	for name, text := range map[string]string{
		"a.json": "// LINT.IfChange\n",
		"a.py":   "// LINT.IfChange\nx = '''\n# LINT.IfChange\n'''\n",
		"a.go":   "# LINT.IfChange\nvar x = `\n// LINT.IfChange\n`\n",
		"a.rs":   "let x = r#\"\n// LINT.IfChange\n\"#;\n",
		"a.md":   "# LINT.IfChange\n- ```\n  <!-- LINT.IfChange -->\n  ```\n",
		"a.sh":   "cat <<-'EOF'\n# LINT.IfChange\n\tEOF\n",
		"a.c":    "/*\n * LINT.IfChange(x)\n */\n// LINT.IfChange begins a block.\n// See LINT.IfChange\n",
	} {
		if d := ifchange.Parse(name, text); len(d.Blocks)+len(d.Problems) > 0 {
			t.Errorf("%s: %q is %+v; want nothing", name, text, d)
		}
	}
}

// TestStrings finds no directive in a string of several lines, and those below it.
func TestStrings(t *testing.T) {
	for _, c := range []struct{ names, sign, before, after string }{
		{"a.cc", "//", `auto s = R"sql(`, `)" )sql";`},
		{"a.cs", "//", `var s = $@"a ""quoted""`, `";`},
		{"a.cs", "//", `var s = """"`, `"""";`},
		{"a.java a.kt a.scala a.swift a.groovy a.dart", "//", `s = """`, `""";`},
		{"a.groovy a.dart", "//", `s = '''`, `''';`},
		{"a.groovy", "//", `def s = $/`, `/$`},
		{"a.swift", "//", `let s = ##"`, `"# "##`},
		{"a.rs", "//", `let s = br##"`, `"# "##;`},
		{"a.py a.ex a.graphql a.nim a.toml a.bzl", "#", `s = """`, `"""`},
		{"a.rb a.pl", "#", "x = <<~WORD", "  WORD"},
		{"a.php", "#", "$x = <<<'WORD'", "WORD;"},
		{"a.sh Dockerfile a.tf", "#", "cat <<-WORD", "\tWORD"},
		{"a.lua", "--", "local s = [==[", "]] ]==]"},
		{"a.cmake", "#", "set(s [=[", "]=])"},
		{"a.R", "#", `s <- r"---(`, `)" )---"`},
		{"a.nix", "#", "x = ''\n  ''${a} ''' b", "'';"},
		{"a.ps1", "#", `$s = @"`, `"@`},
	} {
		for name := range strings.FieldsSeq(c.names) {
			text := c.before + "\n" + c.sign + " LINT.IfChange\n" + c.after + "\n" + c.sign + " LINT.IfChange(x)\n" + c.sign + " LINT.ThenChange()\n"
			d := ifchange.Parse(name, text)
			if len(d.Problems) > 0 || len(d.Blocks) != 1 || d.Blocks[0].Label != "x" {
				t.Errorf("%s: %q is %+v; want one block", name, text, d)
			}
		}
	}
	for name, line := range map[string]string{
		"a.rb":  "list <<ITEM",
		"a.sh":  "echo $((1 << N)); read x <<< WORD",
		"a.php": "$x = 1 << N;",
		"a.lua": "t[s[1]] = 2",
		"a.rs":  "let r = (r, 'r');",
		"a.cc":  `auto r = R"x"; f("(");`,
	} {
		sign := "# "
		switch name {
		case "a.lua":
			sign = "-- "
		case "a.rs", "a.cc":
			sign = "// "
		}
		text := line + "\n" + sign + "LINT.IfChange(x)\n" + sign + "LINT.ThenChange()\n"
		if d := ifchange.Parse(name, text); len(d.Problems) > 0 || len(d.Blocks) != 1 {
			t.Errorf("%s: %q is %+v; want one block", name, text, d)
		}
	}
}

// TestUnknownWords finds words that look like directives, which check nothing.
func TestUnknownWords(t *testing.T) {
	for text, want := range map[string]int{
		"# LINT.IfChnage\n":                1,
		"# LINT.ThenChanges(//a)\n":        1,
		"# LINT.FooBar\n":                  1,
		"# LINT.Md holds the settings.\n":  0,
		"# lint.yml\n# LINT.md\n":          0,
		"x = 1  # LINT.IfChange is used\n": 0,
	} {
		d := ifchange.Parse("a.py", text)
		if len(d.Problems) != want || want > 0 && d.Problems[0].Kind != ifchange.Malformed {
			t.Errorf("%q: %+v; want %d", text, d.Problems, want)
		}
	}
}

// TestTargets resolves the paths in a list.
func TestTargets(t *testing.T) {
	for text, want := range map[string]string{
		"//a/b.md":              "a/b.md",
		"/a.md":                 "a.md",
		"a/b.md":                "a/b.md",
		"b.md":                  "dir/b.md",
		"./b.md":                "dir/b.md",
		"../b.md:x":             "b.md:x",
		":x":                    "dir/f.go:x",
		"#x":                    "dir/f.go:x",
		"'//a.md#x'":            "a.md:x",
		"//gen/":                "gen/",
		"//a//b.md":             "a/b.md",
		"//a (1).md,":           "a (1).md",
		"../../b.md":            `malformed: target "../../b.md" is not below the root of the repository; want a file, or a directory that ends with "/"`,
		"//a/../b.md":           `malformed: target "//a/../b.md" has ".."; want it only at the beginning, for a path relative to the file`,
		"https://example.com/a": `malformed: target "https://example.com/a" is a URL; want a path of the repository`,
		"//gen/:x":              `malformed: target "//gen/:x" is a label of a directory; want a file`,
		"//a.md:1":              `malformed: label "1" of target "//a.md:1"; want a letter or "_", then letters, digits, "_", "-" or "."`,
		"//dir/f.go":            `malformed: target "//dir/f.go" is the file of the block itself; want ":label" or another file`,
		"//a,,//b":              `malformed: an entry of "LINT.ThenChange" is empty; want a target between commas`,
	} {
		d := ifchange.Parse("dir/f.go", "// LINT.IfChange(own)\n// LINT.ThenChange("+text+")\n")
		var got []string
		for _, target := range d.Blocks[0].Targets {
			got = append(got, strings.TrimSuffix(target.Path+":"+target.Label, ":"))
		}
		for _, p := range d.Problems {
			got = append(got, p.Kind+": "+p.Message)
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q is %q; want %q", text, got, want)
		}
	}
}

// FuzzParse reads any text in any language.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"a.go", "a.py", "a.md", "a.rs", "a.sh", "a.lua", "a.html", "x"} {
		f.Add(name, "// LINT.IfChange(a)\n/* LINT.ThenChange(\n * //b:c,\n * :d) */\n# LINT.IfChange('q')\n# LINT.ThenChange(\n#  x#y,\n# )\n```\n\"\"\"\n<<EOF\n")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if name == "" || strings.HasPrefix(name, "/") {
			return
		}
		last := strings.Count(text, "\n") + 1
		d := ifchange.Parse(name, text)
		for _, b := range d.Blocks {
			if b.Line < 1 || b.Close < b.Line || b.Close > last {
				t.Errorf("block %+v in %d lines", b, last)
			}
			for _, target := range b.Targets {
				if target.Line < b.Close || target.Line > last || strings.HasPrefix(target.Path, "../") || strings.HasPrefix(target.Path, "/") {
					t.Errorf("target %+v of %q", target, name)
				}
			}
		}
		for i, p := range d.Problems {
			if p.Line < 1 || p.Line > last || p.Message == "" || i > 0 && p.Line < d.Problems[i-1].Line {
				t.Errorf("problems %s", fmt.Sprint(d.Problems))
			}
		}
	})
}
