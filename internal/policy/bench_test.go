package policy_test

import (
	"fmt"
	"testing"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
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
	for _, mode := range []string{"set", "pair", "created"} {
		trigger, expected := mode, mode
		switch mode {
		case "pair":
			trigger, expected = "pair.trigger", "pair.expects"
		case "created":
			expected = "expects"
		}
		for _, share := range []int{1, 10} { // of a thousand, one in so many is left behind
			var matches []correspondence.Match
			var correspondences []correspondence.Correspondence
			for i := range 1_000 {
				source, test := fmt.Sprintf("src/file%d.go", i), fmt.Sprintf("tests/file%d_test.go", i)
				members := []correspondence.Member{
					{Param: expected, Path: test},
					{Param: trigger, Path: source, Changed: true, Exists: true, SatisfiedBy: []string{source}, Trigger: true},
				}
				if i%share != 0 {
					members[0] = correspondence.Member{Param: expected, Path: test, Changed: true, Exists: true, SatisfiedBy: []string{test}}
				}
				correspondences = append(correspondences, correspondence.Correspondence{
					Captures: map[string]string{"path": fmt.Sprintf("file%d", i)}, Members: members,
				})
				matches = append(matches, correspondence.Match{Path: source, Change: diff.Change{Path: source, Status: diff.Added}})
			}
			run(fmt.Sprintf("%s/violations=%d", mode, 1_000/share), policy.Input{
				Rule:            rule.Info{ID: "r", Mode: mode, Params: map[string]any{"require": "changed", "expects": []string{"x"}}},
				Correspondences: correspondences, Matches: map[string][]correspondence.Match{"created": matches},
			}, 1_000/share)
		}
	}
}
