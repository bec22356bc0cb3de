package wrap_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
)

// TestWrapKeepsWords checks that wrapping replaces blanks by line ends only, and that a line
// that is too long has one word, which no blank in it ends.
func TestWrapKeepsWords(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("ab/.-é漢`\"(),")), 0, 12, -1)
		text := plain.Line(strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "words"), " "))
		width := rapid.IntRange(0, 60).Draw(t, "width")
		got := wrap.Line(text, width, 2)
		if joined := strings.ReplaceAll(string(got), "\n  ", " "); joined != string(text) {
			t.Fatalf("wrapped %q is %q", text, got)
		}
		for i, line := range got.Split("\n") {
			inner := strings.TrimPrefix(string(line), "  ")
			if width >= 20 && wrap.Columns(line) > width && strings.Contains(inner, " ") && !strings.ContainsAny(inner, "`\"") && i > 0 {
				t.Fatalf("line %q of %q has more than %d columns", line, got, width)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	tests := []struct{ text, want plain.Text }{
		{"one two three four five", "one two three four\n  five"},
		{"a change of `git log --all` is long", "a change of\n  `git log --all` is\n  long"},
		{`the word "a b c d e f" and`, "the word\n  \"a b c d e f\" and"},
		{`5" and six" are not one quotation but`, "5\" and six\" are not\n  one quotation but"},
		{"it failed; run: rulecheck replay --all, then", "it failed; run:\n  rulecheck replay --all,\n  then"},
		{"no argument given; see rulecheck rules explain --help", "no argument given;\n  see\n  rulecheck rules explain --help"},
		{"src/a/very/long/path/of/a/file.go is", "src/a/very/long/path/of/a/file.go\n  is"},
		{"漢字漢字 漢字漢字 漢字", "漢字漢字 漢字漢字\n  漢字"},
		{"\x1b[1;31merror:\x1b[0m twelve letter", "\x1b[1;31merror:\x1b[0m twelve letter"},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, wrap.Line(tt.text, 20, 2)); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, d)
		}
	}
}

// TestWrapBlock checks that prose is filled, and that code and tables stay as they are.
func TestWrapBlock(t *testing.T) {
	lines := plain.Lines(`Short line.
Another.

A line that is too long for it
and the next.

- an item of a list that is long
  and goes on
- two
1. a number has an item that is long

` + "```sh\nrulecheck --from HEAD~1 --verbose\n```" + `

    indented code stays as it is here

| a table | stays as it is |`)
	want := plain.Lines(`  Short line.
  Another.

  A line that is too
  long for it and the
  next.

  - an item of a list
    that is long and
    goes on
  - two
  1. a number has an
     item that is long

  ` + "```sh\n  rulecheck --from HEAD~1 --verbose\n  ```" + `

      indented code stays as it is here

  | a table | stays as it is |`)
	if d := cmp.Diff(want, wrap.Block(lines, 22, 2)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for i, line := range wrap.Block(lines, 0, 0) {
		if line != lines[i] {
			t.Errorf("line %d is %q, want %q: nothing is wrapped", i, line, lines[i])
		}
	}
}

func TestTableWrapsItsLastColumn(t *testing.T) {
	rows := [][]plain.Text{{"go-vendor", "error", "Vendored Go code is not edited by hand"}, {"b", "note", "short"}}
	const want = "go-vendor  error  Vendored Go code is not\n                  edited by hand\nb          note   short\n"
	if d := cmp.Diff(plain.Text(want), wrap.Table(rows, 44)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(wrap.Table(rows, 0), wrap.Table(rows, 30)); d != "" {
		t.Errorf("a column without room is wrapped:\n%s", d)
	}
}

// A table that is too wide loses the columns that are named, in that order, and no others.
func TestFit(t *testing.T) {
	rows := func() [][]plain.Text {
		return [][]plain.Text{{"rule", "waived", "rate", "trend"}, {"long-name", "0", "100%", "······"}}
	}
	for width, want := range map[int][]plain.Text{
		0: {"rule", "waived", "rate", "trend"}, 31: {"rule", "waived", "rate", "trend"}, 30: {"rule", "rate", "trend"}, 22: {"rule", "rate"}, 5: {"rule", "rate"},
	} {
		if got := wrap.Fit(rows(), width, "none", "waived", "trend")[0]; !slices.Equal(got, want) {
			t.Errorf("at %d columns: %q, want %q", width, got, want)
		}
	}
}
