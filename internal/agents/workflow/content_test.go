package workflow_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
)

func TestContent(t *testing.T) {
	t.Parallel()
	want := workflow.Content{Text: "12345", Sources: []string{"a.md"}, TotalTokens: 2}
	if diff := cmp.Diff(want, workflow.NewContent("12345", "a.md")); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	for text, tokens := range map[string]int{"": 0, "a": 1, "abcd": 1, "äöü": 2} {
		if got := workflow.Tokens(text); got != tokens {
			t.Errorf("Tokens(%q) is %d; want %d", text, got, tokens)
		}
	}
}
