package markdown_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/markdown"
)

// TestComplexTexts: those that the parser takes seconds for are not parsed.
func TestComplexTexts(t *testing.T) {
	t.Parallel()
	for unit, count := range map[string]int{"[](": 1001, "[a](b) ": 1001, "[": 5001, "> ": 100, "1. ": 100, "> > ": 50, "- ": 100} {
		deep, simple := strings.Repeat(unit, count), strings.Repeat(unit, count-1)
		if !markdown.Complex(deep) || markdown.Complex(simple) {
			t.Errorf("%q: %t, %t; want %d to be the first that is complex", unit, markdown.Complex(deep), markdown.Complex(simple), count)
		}
		const tag = "\n\nA <b>tag</b>.\n"
		if got := markdown.Tags(deep + tag); got != nil {
			t.Errorf("%q: %v; want no tags", unit, got)
		}
		if got := markdown.Tags("[a](b)" + tag); len(got) != 2 {
			t.Errorf("%q: %v; want two tags", unit, got)
		}
	}
}
