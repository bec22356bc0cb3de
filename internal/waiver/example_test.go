package waiver_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/waiver"
)

// An agent names the rules that it followed; a name in code is a quotation.
func ExamplePromises() {
	fmt.Println(waiver.Promises("Done: <promise>source-test</promise>, not `<promise>docs</promise>`."))
	fmt.Println(waiver.Promises("Done: &lt;promise&gt;source-test&lt;/promise&gt;"))
	// Output:
	// [source-test]
	// [source-test]
}
