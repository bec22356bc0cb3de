package session_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestShareLaw compares the share of subagents with a fraction. It is not known if a call lacks a count, if a subagent
// started whose tokens the log does not have, or if it has only theirs.
func TestShareLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		var tokens []session.Tokens
		all, theirs := new(big.Int), new(big.Int)
		lacks, main, side := false, false, false
		for i := range rapid.IntRange(0, 6).Draw(t, "calls") {
			of := used(i, new(int64), new(int64))
			*of.Input, *of.Output = rapid.Int64Range(0, 1<<40).Draw(t, "input"), rapid.Int64Range(0, 3).Draw(t, "output")
			sum := new(big.Int).Add(big.NewInt(*of.Input), big.NewInt(*of.Output))
			if rapid.IntRange(0, 9).Draw(t, "lacks") == 0 {
				of.Output, lacks = nil, true
			}
			all.Add(all, sum)
			if of.Sidechain = rapid.Bool().Draw(t, "sidechain"); of.Sidechain {
				side = true
				theirs.Add(theirs, sum)
			} else {
				main = true
			}
			tokens = append(tokens, of)
		}
		started := rapid.Bool().Draw(t, "started")
		var calls []session.ToolCall
		if started {
			calls = []session.ToolCall{{Name: "Task", Kind: fact.Other, Status: rapid.SampledFrom([]fact.Status{fact.OK, fact.Error, fact.Rejected}).Draw(t, "status"), At: noon}}
			started = calls[0].Status != fact.Rejected
		}
		s, v := whole(calls, tokens)
		s.TokensKnown = true
		got := s.Audit(v, session.Measure{Of: session.Share, Starts: func(tool string) bool { return tool == "Task" }})
		if unknown := lacks || side && !main || started && !side; unknown != (got.Incomplete != "") || unknown && got.Count != 0 {
			t.Fatalf("got %d, %q; want it unknown %t", got.Count, got.Incomplete, unknown)
		} else if unknown || all.Sign() == 0 {
			return
		}
		millionths := new(big.Int).Mul(theirs, big.NewInt(1_000_000))
		want, rest := millionths.DivMod(millionths, all, new(big.Int))
		if rest.Sign() > 0 {
			want.Add(want, big.NewInt(1))
		}
		if got.Count != want.Int64() {
			t.Fatalf("%s of %s tokens: got a share of %d, want %s", theirs, all, got.Count, want)
		}
	})
}

// TestShareOfSums holds that nothing is known about subagents if the log holds only the sums of phases.
func TestShareOfSums(t *testing.T) {
	n := int64(5)
	s, _ := whole(nil, nil)
	s.TokensKnown = true
	s.Phases = []session.Phase{{Name: "code", Start: noon, Totals: &fact.TokenCount{Input: &n, Output: &n}}}
	v, _ := s.Whole()
	if got := s.Audit(v, session.Measure{Of: session.Share}); got.Incomplete != "the log holds only the sums of phases, not what subagents used" {
		t.Errorf("got %d, %q", got.Count, got.Incomplete)
	}
}
