package finding_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func TestSort(t *testing.T) {
	want := []finding.Finding{
		{Rule: "a", Path: "z"},
		{Rule: "b", Path: "B", Line: 9},
		{Rule: "b", Path: "a", Line: 2},
		{Rule: "b", Path: "a", Line: 10},
		{Rule: "b", Path: "a", Line: 10, TriggerFiles: []string{"a"}},
		{Rule: "b", Path: "a", Line: 10, TriggerFiles: []string{"a"}, Expected: []string{"x"}},
		{Rule: "b", Path: "a", Line: 10, TriggerFiles: []string{"a"}, Expected: []string{"x"}, Message: "m"},
		{Rule: "b", Path: "a", Line: 10, TriggerFiles: []string{"a", "b"}},
		{Rule: "b", Path: "é"},
		{Rule: "b", Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "a", Visit: 2}}},
		{Rule: "b", Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "a", Visit: 10}}},
		{Rule: "b", Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "b"}}},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		got := append([]finding.Finding{}, want...)
		random.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		finding.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("Sort (-want +got):\n%s", diff)
		}
	}
}
