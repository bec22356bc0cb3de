package policy_test

import (
	"fmt"
	"testing"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		bundle, err := policies.Load()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := policy.New(b.Context(), bundle); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	engine := shipped(b)
	run := func(name string, in policy.Input, violations int) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				got, err := engine.Decide(b.Context(), in)
				if err != nil || len(got) != violations {
					b.Fatalf("Decide = %d violations, %v; want %d", len(got), err, violations)
				}
			}
		})
	}
	for _, n := range []int{10, 10_000} {
		matches := make([]correspondence.Match, 0, n)
		for i := range n {
			matches = append(matches, modified(fmt.Sprintf("src/package%d/file%d.go", i%100, i)))
		}
		run(fmt.Sprintf("matches=%d", n), policy.Input{
			Rule:    rule.Info{ID: "r", Mode: "trigger"},
			Matches: map[string][]correspondence.Match{"trigger": matches},
		}, 1)
	}
	for _, n := range []int{10, 1_000} {
		correspondences := make([]correspondence.Correspondence, 0, n)
		for i := range n { // one in ten left behind
			source, test := fmt.Sprintf("src/file%d.go", i), fmt.Sprintf("tests/file%d_test.go", i)
			members := []correspondence.Member{
				{Param: "set", Path: source, Changed: true, SatisfiedBy: []string{source}, Trigger: true},
				{Param: "set", Path: test},
			}
			if i%10 != 0 {
				members[1] = correspondence.Member{Param: "set", Path: test, Changed: true, SatisfiedBy: []string{test}, Trigger: true}
			}
			correspondences = append(correspondences, correspondence.Correspondence{
				Captures: map[string]string{"path": fmt.Sprintf("file%d", i)}, Members: members,
			})
		}
		run(fmt.Sprintf("correspondences=%d", n), policy.Input{
			Rule:            rule.Info{ID: "r", Mode: "set", Params: map[string]any{"require": "changed"}},
			Correspondences: correspondences,
		}, n/10)
	}
}
