package policies_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/policies"
)

func TestNested(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("({[", 30)
	for text, want := range map[string]int{
		"":                             -1,
		strings.Repeat("[", 64):        -1,
		strings.Repeat("[", 65):        64,
		strings.Repeat("a({", 4000):    97,
		strings.Repeat("[]", 4000):     -1,
		strings.Repeat("]", 9) + deep:  9 + 64,
		`"` + deep + `\"` + deep + `"`: -1,
		"`" + deep + `\` + "`":         -1,
		"# " + deep + "\n" + deep[:60]: -1,
		"# " + deep + "\n" + deep:      2 + 90 + 1 + 64,
		`"` + deep + "\n" + deep:       1 + 90 + 1 + 64,
		strings.Repeat(`$"{`, 1000):    389,
		"`" + deep:                     -1, // never closed, which the parser reports
	} {
		if got := policies.Nested(text); got != want {
			t.Errorf("%.40q: %d; want %d", text, got, want)
		}
	}
}
