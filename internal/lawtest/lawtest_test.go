package lawtest_test

import (
	"flag"
	"strconv"
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
	usual, err := strconv.Atoi(flag.Lookup("rapid.checks").DefValue) // RAPID_CHECKS or 100
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	count := func(*rapid.T) { n++ }
	if lawtest.Check(t, count); n != expected(usual) {
		t.Errorf("%d cases checked; want %d", n, expected(usual))
	}
	n = 0
	if lawtest.CheckN(t, 7, count); n != 7 {
		t.Errorf("%d cases checked; want 7", n)
	}
	n = 0
	if lawtest.Check(t, count); n != expected(usual) {
		t.Errorf("%d cases checked afterwards; want %d", n, expected(usual))
	}
	if got := lawtest.Cases(t, "LAWTEST", 60); got != expected(60) {
		t.Errorf("%d cases; want %d", got, expected(60))
	}
	t.Setenv("LAWTEST", "3000")
	if got := lawtest.Cases(t, "LAWTEST", 60); got != 3000 {
		t.Errorf("%d cases; want the 3000 of the variable", got)
	}
}
