package gate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/check"
)

// TestCostOfStops logs what a stop adds to a check: 50 rules with 1,500 changed files, and
// an old queue.
func TestCostOfStops(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	r := newRun(t)
	for n := range 1500 {
		r.Write(fmt.Sprintf("src/d%d/f%d.py", n%50, n), fmt.Sprintf("content %d\n", n))
	}
	for n := range 50 {
		r.Rule(fmt.Sprintf("rule%d", n), fmt.Sprintf("---\ntrigger: \"src/d%d/**\"\n---\nLook at it.", n))
	}
	result, err := check.Evaluate(t.Context(), r.Open(), r.options)
	if err != nil {
		t.Fatal(err)
	}
	var later []time.Duration
	for n := range 60 {
		start := time.Now()
		c, err := gate.Inspect(result, queue.Worktree(r.Dir))
		if err != nil {
			t.Fatal(err)
		}
		inspected := time.Since(start)
		d, _, err := r.store.Stop(t.Context(), queue.Stop{Session: "s", Findings: c.Findings, Evaluated: c.Evaluated, Now: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		switch took := time.Since(start); n {
		case 0:
			if len(d.Block) != 50 {
				t.Fatalf("%d findings block; want 50", len(d.Block))
			}
			t.Logf("first: %v, of which %v to read 1,500 files", took, inspected)
		default:
			later = append(later, took)
		}
	}
	slices.Sort(later)
	t.Logf("later: median %v, longest %v", later[len(later)/2], later[len(later)-1])
}
