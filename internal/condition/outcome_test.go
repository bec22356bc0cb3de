package condition_test

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestUnknownOutcomes finds values that take a call with an unknown outcome for one that
// succeeded, and no others.
func TestUnknownOutcomes(t *testing.T) {
	const want = " is also true of a call whose outcome is unknown; want succeeded"
	for text, found := range map[string][]string{
		"not failed":                           {"not failed" + want},
		`tool_name == "Bash" and not failed`:   {"not failed" + want},
		"failed == false":                      {"failed == false" + want},
		"false == failed":                      {"failed == false" + want},
		"failed != true":                       {"failed != true" + want},
		"{ some x in [1]; x == 1; not failed}": {"not failed" + want},
		"succeeded":                            nil,
		"not succeeded":                        nil,
		"failed":                               nil,
		"failed == true":                       nil,
		"not (failed and succeeded)":           nil,
		"not vars.failed":                      nil,
	} {
		names := condition.Names{Vars: map[string]any{"x": false, "failed": false}}
		_, problems, err := condition.CompileValues(t.Context(), load(t), condition.EventVocabulary(names), map[string]condition.Value{
			"x": {Condition: &rule.Condition{File: "x.yaml", Text: text}, Var: "x"},
		})
		if err != nil {
			t.Fatal(err)
		}
		var messages []string
		for _, p := range problems {
			messages = append(messages, p.Message)
		}
		if !slices.Equal(messages, found) {
			t.Errorf("%s: %q; want %q", text, messages, found)
		}
	}
}
