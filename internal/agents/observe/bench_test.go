package observe_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// BenchmarkBehavior measures what a process does for an event of one behavior.
func BenchmarkBehavior(b *testing.B) {
	bundle, err := policies.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := policy.NewBehaviors(b.Context(), bundle, []string{"detect_plan_mode"}); err != nil {
			b.Fatal(err)
		}
	}
}
