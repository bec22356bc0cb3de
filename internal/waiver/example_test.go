package waiver_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/waiver"
)

// An agent names the rules that it followed; a name in code is a quotation.
func ExamplePromises() {
	fmt.Println(waiver.Promises("Done: <promise>source-test</promise>, not `<promise>docs</promise>`."))
	// Output: [source-test]
}
