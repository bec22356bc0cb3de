package finding_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func TestProblemError(t *testing.T) {
	t.Parallel()
	p := finding.Problem{File: "a.md", Line: 3, Column: 1, Message: "unknown key"}
	if got, want := p.Error(), "a.md:3:1: unknown key"; got != want {
		t.Errorf("Error is %q; want %q", got, want)
	}
}

func TestProblemExcerpt(t *testing.T) {
	t.Parallel()
	source := []byte("one\r\n\té\xff{x\nlast")
	for _, test := range []struct {
		name string
		at   finding.Problem
		want string
	}{
		{"first byte", finding.Problem{Line: 1, Column: 1}, "one\n^\n"},
		{"behind the line", finding.Problem{Line: 1, Column: 9}, "one\n   ^\n"},
		{"tabs stay, runes count", finding.Problem{Line: 2, Column: 5}, "\té\ufffd{x\n\t  ^\n"},
		{"last line", finding.Problem{Line: 3, Column: 4}, "last\n   ^\n"},
		{"no such line", finding.Problem{Line: 4, Column: 1}, ""},
		{"no place", finding.Problem{}, ""},
	} {
		if got := test.at.Excerpt(source); got != test.want {
			t.Errorf("%s: excerpt is %q; want %q", test.name, got, test.want)
		}
	}
}
