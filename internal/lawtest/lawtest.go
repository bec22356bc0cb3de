// Package lawtest sets how many random cases tests try: a few with -short, and as many as
// a flag or an environment variable asks for.
//
//	lawtest.Check(t, func(t *rapid.T) { … }) // -rapid.checks, RAPID_CHECKS or 100 cases
//	for seed := range lawtest.Cases(t, "REPORTS", 60) { … }
package lawtest

import (
	"flag"
	"os"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Short is the number of cases with -short.
const Short = 5

const checksFlag = "rapid.checks"

// isSet reports whether the command line sets -rapid.checks.
var isSet = sync.OnceValue(func() (set bool) {
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == checksFlag })
	return set
})

// shorten sets -rapid.checks with -short, unless the command line does.
var shorten = sync.OnceFunc(func() {
	if testing.Short() && !isSet() {
		setChecks(Short)
	}
})

// Check checks a property with rapid.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	shorten()
	rapid.Check(t, property)
}

// CheckN checks a property n times, or as often as -rapid.checks says. It changes that flag,
// so parallel tests must not call it.
func CheckN(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	shorten()
	if !isSet() {
		before := flag.Lookup(checksFlag).Value.String()
		defer func() { _ = flag.Set(checksFlag, before) }()
		setChecks(n)
	}
	rapid.Check(t, property)
}

// setChecks has rapid check n cases. With -short, it takes a fifth of the flag.
func setChecks(n int) {
	if testing.Short() {
		n *= 5
	}
	_ = flag.Set(checksFlag, strconv.Itoa(n)) // a number is never refused
}

// Cases returns how many cases a test tries: the number in the environment variable key,
// Short or n with -short, whichever is smaller, and otherwise n.
func Cases(t *testing.T, key string, n int) int {
	t.Helper()
	if text := os.Getenv(key); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s is %q; want a number", key, text)
		}
		return n
	}
	if testing.Short() {
		return min(n, Short)
	}
	return n
}
