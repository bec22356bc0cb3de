package pattern_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// What one pattern captures, another is filled in with.
func Example() {
	source, err := pattern.Compile("src/{path}.py")
	if err != nil {
		fmt.Println(err)
		return
	}
	test, err := pattern.Compile("tests/{path}_test.py")
	if err != nil {
		fmt.Println(err)
		return
	}
	captures, ok := source.Match("src/auth/login.py")
	fmt.Println(captures, ok)
	fmt.Println(test.Expand(captures))
	// Output:
	// map[path:auth/login] true
	// tests/auth/login_test.py
}
