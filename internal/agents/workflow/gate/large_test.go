package gate_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

// largeDocument has n check boxes of about 100 bytes.
func largeDocument(n int) []byte {
	var b strings.Builder
	b.WriteString("# Phase\n\n## Validation Gate\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- [ ] `box_%d`: the number of cases in this part of the work, at least 1, as the *plan* says (%d)\n", i, i)
	}
	return []byte(b.String())
}

func BenchmarkReadLargeDocument(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		source := largeDocument(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				start := time.Now()
				d := gate.ReadDocument("a.md", source)
				read := time.Since(start)
				g, _ := gate.New(true, nil).WithDocument(d)
				merged := time.Since(start) - read
				evidence := map[string]any{}
				for i := range n {
					evidence[fmt.Sprintf("box_%d", i)] = i
				}
				v := g.Validate(b.Context(), evidence, gate.EvidenceContext{})
				b.Log(n, read, merged, time.Since(start), len(g.Evidence), len(v.Faults))
			}
		})
	}
}

// TestReadLargeDocument reads a document that took half a minute when the time grew with
// the square of its size; the benchmark above shows the time.
func TestReadLargeDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large documents")
	}
	const boxes = 40_000
	g, _ := gate.New(true, nil).WithDocument(gate.ReadDocument("a.md", largeDocument(boxes)))
	if len(g.Evidence) != boxes {
		t.Errorf("%d requirements; want %d", len(g.Evidence), boxes)
	}
}
