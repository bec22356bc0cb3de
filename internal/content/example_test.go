package content_test

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// One line is new, and one only moved.
func ExampleEdits_Matches() {
	engine := details{"a.go": {
		AddedLines:   []diff.Line{{Line: 4, Text: "// TODO: new"}, {Line: 9, Text: "// TODO: moved"}},
		RemovedLines: []diff.Line{{Line: 2, Text: "// TODO: moved"}},
	}}
	changes := diff.Changeset{Changes: []diff.Change{{Path: "a.go", Status: diff.Modified}}}
	edits, err := content.Read(context.Background(), engine, changes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(edits.Matches(context.Background(), []string{"TODO"}, []string{"a.go"}, func(string) bool { return true }))
	// Output: [{a.go 4 TODO}] <nil>
}
