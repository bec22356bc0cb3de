package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
)

func TestFold(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", "a b\n", "a b\n"},
		{
			"a finding, its arrow with what it points to",
			"  src/auth/providers/code.py:1 → tests/auth/providers/code_test.py\n",
			"  src/auth/providers/code.py:1\n      → tests/auth/providers/code_test.py\n",
		},
		{
			"a problem",
			".rulecheck/rules/api.md:2:1: unknown key \"trigegr\"; did you mean \"trigger\"?\n",
			".rulecheck/rules/api.md:2:1: unknown key\n  \"trigegr\"; did you mean \"trigger\"?\n",
		},
		{
			"instructions and an item among them",
			"    Change the source and its test together, always.\n    - Integration tests do not count for many.\n",
			"    Change the source and its test\n    together, always.\n    - Integration tests do not count for\n      many.\n",
		},
		{
			"columns",
			"  --fail-on LEVEL    the least grave LEVEL that fails: error\n",
			"  --fail-on LEVEL    the least grave\n                     LEVEL that fails:\n                     error\n",
		},
		{"two blanks behind a sentence are no column", "Fine.  " + strings.Repeat("word ", 7) + "word\n", "Fine.  word word word word word word\n  word word\n"},
		{"colours take no place", "\x1b[1mfour words of bold\x1b[0m and then twelve more\n", "\x1b[1mfour words of bold\x1b[0m and then twelve more\n"},
		{"a word that is longer than the terminal", "  " + strings.Repeat("x", 60) + " y\n", "  " + strings.Repeat("x", 60) + "\n      y\n"},
		{
			"code stays, and ends with its text",
			"    ```\n    " + strings.Repeat("word ", 12) + "\n\n    ```\n    ~\nend\n",
			"    ```\n    " + strings.Repeat("word ", 12) + "\n\n    ```\n    ~\nend\n",
		},
		{
			"code that nobody closed",
			"    ```\n    " + strings.Repeat("code ", 12) + "\nerror: " + strings.Repeat("word ", 9) + "word\n",
			"    ```\n    " + strings.Repeat("code ", 12) + "\nerror: word word word word word word\n  word word word word\n",
		},
		{"tables stay", "| " + strings.Repeat("cell ", 12) + "|\n", "| " + strings.Repeat("cell ", 12) + "|\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 7, 1000} { // however it comes
				var b strings.Builder
				f := &folder{w: &b, width: 40}
				for rest := tt.text; rest != ""; {
					n := min(size, len(rest))
					fmt.Fprint(f, rest[:n])
					rest = rest[n:]
				}
				if diff := cmp.Diff(tt.want, b.String()); diff != "" {
					t.Errorf("written %d bytes at a time (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}

func TestFoldWhereThereIsNoTerminal(t *testing.T) {
	long := strings.Repeat("word ", 60) + "\n"
	if got := fold(long, 0); got != long {
		t.Errorf("fold(…, 0) = %q, want it as it was", got)
	}
	var b strings.Builder
	p := &process{stdout: &b}
	fmt.Fprint(p.words(), long)
	if b.String() != long {
		t.Errorf("without a terminal: %q, want it as it was", b.String())
	}
}

// Only text is folded: what programs read stays as it is on a terminal, too.
func TestFoldLeavesOtherFormats(t *testing.T) {
	notice := strings.TrimSpace(strings.Repeat("word ", 20))
	for _, f := range format.All() {
		var b strings.Builder
		p := &process{stdout: &b, width: 40}
		rep := &report.Report{Notices: []string{notice}}
		if err := p.writeOne(rep, &checkFlags{}, output{format: f}); err != nil {
			t.Fatal(err)
		}
		if whole := strings.Contains(b.String(), notice); whole == (f.Name == "text") {
			t.Errorf("%s has its notice in one line: %v\n%s", f.Name, whole, b.String())
		}
	}
}
