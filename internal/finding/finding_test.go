package finding_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func TestSort(t *testing.T) {
	want := []finding.Finding{
		{Rule: "z", Level: finding.Error},
		{Rule: "y", Level: finding.Warning},
		{Rule: "a", Level: finding.Note},
		{Rule: "a", Level: finding.Note, Path: "z"},
		{Rule: "b", Level: finding.Note, Path: "B", Line: 9},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 2},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 10},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 10, TriggerFiles: []string{"a"}},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 10, TriggerFiles: []string{"a"}, Expected: []string{"x"}},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 10, TriggerFiles: []string{"a"}, Expected: []string{"x"}, Message: "m"},
		{Rule: "b", Level: finding.Note, Path: "a", Line: 10, TriggerFiles: []string{"a", "b"}},
		{Rule: "b", Level: finding.Note, Path: "é"},
		{Rule: "b", Level: finding.Note, Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "a", Visit: 2}}},
		{Rule: "b", Level: finding.Note, Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "a", Visit: 10}}},
		{Rule: "b", Level: finding.Note, Path: "é", Session: &finding.SessionDetails{Occurrence: finding.Occurrence{ID: "b"}}},
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
