package rule_test

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// A rule file has the mode set; the other has a key that no rule has.
func ExampleParse() {
	bundle, err := policies.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, _ := rule.Parse("tests.md", []byte("---\nset: ['src/{path}.py', 'tests/{path}_test.py']\n---\nChange both.\n"), bundle.Modes)
	fmt.Println(r.ID, r.Mode, r.Level)
	_, problems := rule.Parse("slip.md", []byte("---\ntrigger: src/**\nlevels: note\n---\nLook.\n"), bundle.Modes)
	fmt.Println(problems[0].File, problems[0].Line, problems[0].Code)
	// Output:
	// tests set error
	// slip.md 3 unknown_field
}
