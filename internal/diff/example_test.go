package diff_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// git diff --raw -z prints a renamed file with both names.
func ExampleParseRaw() {
	changes, err := diff.ParseRaw([]byte(":100644 100644 1111111 1111111 R100\x00old.go\x00new.go\x00"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range changes {
		fmt.Println(c.Status, c.OldPath, c.Path)
	}
	// Output: renamed old.go new.go
}
