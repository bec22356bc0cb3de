package lawtest_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestCases counts the cases of each function, which -short bounds.
func TestCases(t *testing.T) {
	expected := func(long int) int {
		if testing.Short() {
			return lawtest.Short
		}
		return long
	}
	n := 0
	count := func(*rapid.T) { n++ }
	if lawtest.Check(t, count); n != expected(100) {
		t.Errorf("%d cases checked; want %d", n, expected(100))
	}
	n = 0
	if lawtest.CheckN(t, 7, count); n != 7 {
		t.Errorf("%d cases checked; want 7", n)
	}
	n = 0
	if lawtest.Check(t, count); n != expected(100) {
		t.Errorf("%d cases checked afterwards; want %d", n, expected(100))
	}
	if got := lawtest.Cases(t, "LAWTEST", 60); got != expected(60) {
		t.Errorf("%d cases; want %d", got, expected(60))
	}
	t.Setenv("LAWTEST", "3000")
	if got := lawtest.Cases(t, "LAWTEST", 60); got != 3000 {
		t.Errorf("%d cases; want the 3000 of the variable", got)
	}
}
