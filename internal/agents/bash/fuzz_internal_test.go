package bash

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// FuzzRead reads any text, and the same twice.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		"git push -f", "a=$(b) c <<EOF\n$x\nEOF", "for i in {1..9}; do rm -rf $i; done", "f(){ f;f; };f",
		`bash -c "bash -c 'x=$1; eval $x'"`, "find . -exec sh -c 'x {}' \\;", "x=a;x=$x$x$x$x;echo ${x//a/aaaa}",
		"printf '%099999d' 1", "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		"echo {1..99999999}", "git config alias.x '!git x'; git x", "alias a=a; a", "sed -i 's/x/y/e' f", "((a=1<<70))",
		"${!x}", "a=(1 2 3); ${a[@]:1:2}", "cat <(cat <(cat))", "while read x; do $x; done <<< 'a\nb'", "\xff>\xfe",
	} {
		f.Add(line)
	}
	w := World{Root: "/w/repo", Dir: "src", Home: "/home/dev"}
	f.Fuzz(func(t *testing.T, line string) {
		a := Read(line, w)
		if b := Read(line, w); len(a.Commands) != len(b.Commands) || len(a.Writes) != len(b.Writes) || len(a.Opaque) != len(b.Opaque) {
			t.Errorf("%q reads differently the second time", line)
		}
		for _, o := range a.Opaque {
			if strings.Contains(o.Reason, "could not be read: ") {
				t.Errorf("%q: %s", line, o.Reason)
			}
		}
		for _, c := range a.Commands {
			if hasMark(c.Text) || hasMark(c.Normal) {
				t.Errorf("%q shows a mark: %q", line, c.Text)
			}
		}
	})
}

// TestBounds reads lines that would take long, or for ever, if they were followed: this test
// would not end.
func TestBounds(t *testing.T) {
	for name, line := range map[string]string{
		"loops":      "for a in {1..40}; do for b in {1..40}; do for c in {1..40}; do git push $a$b$c; done; done; done",
		"branches":   strings.Repeat("[ -f a ] && x=1$x || cd b$x; ", 300) + "git push $x",
		"doubling":   "x=aaaa;" + strings.Repeat("x=$x$x$x;", 200) + "echo $x",
		"eval":       `x='eval "$x$x"'; eval "$x"`,
		"functions":  `f(){ f "$@" a; f b "$@"; }; f`,
		"parameters": "x=" + strings.Repeat("a", 4000) + "; echo " + strings.Repeat("$x", 30000),
		"parens":     strings.Repeat("(", 3000) + "a" + strings.Repeat(")", 3000),
		"braces":     "echo " + strings.Repeat("{a,b}", 30),
		"replaced":   "x=" + strings.Repeat("a", 4000) + "; y=${x//a/$x}; echo ${y//a/$x}",
	} {
		a := Read(line, World{Root: "/w/repo"})
		if len(a.Commands) > 1000 || len(a.Opaque) > 10 {
			t.Errorf("%s: %d commands, %d opaque; want few", name, len(a.Commands), len(a.Opaque))
		}
	}
}

// TestMay checks that a pattern that matches some text for a mark may match.
func TestMay(t *testing.T) {
	exprs := []string{`^git push( --[a-z-]+)* --force( |$)`, `\bpush\b`, `a.c$`, `^x[^ ]*y`, `(ab|cd)+e`, ` --no-verify( |$)`, `\d{3}`}
	lawtest.Check(t, func(t *rapid.T) {
		expr := rapid.SampledFrom(exprs).Draw(t, "expr")
		p, err := Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		piece := rapid.SampledFrom([]string{"git ", "push", " --force", "a", "c", "x", "y", "ab", "1", " ", "--no-verify", "origin"})
		before := strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "before"), "")
		hidden := strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "hidden"), "")
		after := strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "after"), "")
		mark := unknownWords
		if !strings.Contains(hidden, " ") && rapid.Bool().Draw(t, "word") {
			mark = unknownWord
		}
		if regexp.MustCompile(expr).MatchString(before+hidden+after) && !p.may(before+string(mark)+after) {
			t.Fatalf("%s matches %q, but may not match it with %q hidden", expr, before+hidden+after, hidden)
		}
	})
}
