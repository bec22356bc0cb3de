package suggest_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/suggest"
)

func TestOneOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		word, want string
		wanted     []string
	}{
		{"triger", `; did you mean "trigger"? want one of "set", "trigger"`, []string{"set", "trigger"}},
		{"Trigegr", `; did you mean "trigger"? want one of "trigger"`, []string{"trigger"}},
		{"bdoy", `; did you mean "body"? want one of "body"`, []string{"body"}},
		{"main", `; want one of "pair"`, []string{"pair"}}, // half of the letters
		{"", `; want one of "a"`, []string{"a"}},
		{"x", "; there is none", nil},
		{strings.Repeat("x", 1<<20), `; want one of "a"`, []string{"a"}},
	} {
		if got := suggest.OneOf(test.word, test.wanted); got != test.want {
			t.Errorf("OneOf(%.20q, %q) = %s; want %s", test.word, test.wanted, got, test.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	if got := suggest.DidYouMean("cuont", []string{"sum", "count"}); got != `; did you mean "count"?` {
		t.Error(got)
	}
	if got := suggest.DidYouMean("max", []string{"count"}); got != "" {
		t.Error(got)
	}
}
