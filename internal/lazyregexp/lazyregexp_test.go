package lazyregexp_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// TestNew compiles an expression once, and not before it is used.
func TestNew(t *testing.T) {
	malformed := lazyregexp.New("(")
	word := lazyregexp.New(`^\w+$`)
	if first := word(); first != word() || !first.MatchString("word") {
		t.Error("want one expression that matches")
	}
	defer func() {
		if recover() == nil {
			t.Error("a malformed expression does not panic when it is used")
		}
	}()
	malformed()
}
