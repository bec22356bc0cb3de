package correspondence_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// The source changed and its test did not.
func ExampleEstablish() {
	bundle, err := policies.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, problems := rule.Parse("tests.md", []byte("---\nset: ['src/{path}.py', 'tests/{path}_test.py']\n---\nChange both.\n"), bundle.Modes)
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	changes := []diff.Change{{Path: "src/a/b.py", Status: diff.Modified}}
	facts := correspondence.Establish([]*rule.Rule{r}, bundle.Modes, changes, nil)
	for _, c := range facts[0].Correspondences {
		fmt.Println(c.Captures)
		for _, m := range c.Members {
			fmt.Println(m.Path, m.Changed)
		}
	}
	// Output:
	// map[path:a/b]
	// src/a/b.py true
	// tests/a/b_test.py false
}
