package lazy_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

func TestRegexp(t *testing.T) {
	t.Parallel()
	word := lazy.Regexp(`^\w+$`)
	if first := word(); !first.MatchString("a") || word() != first {
		t.Errorf("got %v and %v; want one expression that finds a word", first, word())
	}
	unread := lazy.Regexp(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a text that is no expression is compiled; want a panic when it is asked for")
		}
	}()
	unread()
}
