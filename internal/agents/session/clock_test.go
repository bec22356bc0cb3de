package session_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestClock adds times in any order, some of them years off, also by merging.
func TestClock(t *testing.T) {
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lawtest.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfN(rapid.IntRange(0, 1500), 3, 60).Draw(t, "days")
		slices.Sort(days)
		days = slices.DeleteFunc(days, func(day int) bool { return day > days[0]+300 })
		if len(days) < 3 {
			t.Skip("an outlier would be as frequent")
		}
		var times []time.Time
		for _, day := range days {
			times = append(times, base.AddDate(0, 0, day))
		}
		outliers := rapid.SliceOfN(rapid.SampledFrom([]int{-20000, -19990, 20000, 20500}), 0, 1).Draw(t, "outliers")
		for _, day := range outliers {
			times = append(times, base.AddDate(0, 0, day))
		}
		times = rapid.Permutation(times).Draw(t, "times")
		var clocks [2]session.Clock
		for i, at := range times {
			clocks[i%2].Add(at)
		}
		clocks[0].Merge(clocks[1])
		start, end := clocks[0].Span()
		if !start.Equal(base.AddDate(0, 0, days[0])) || !end.Equal(base.AddDate(0, 0, days[len(days)-1])) {
			t.Fatalf("got %s to %s; want days %d to %d", start, end, days[0], days[len(days)-1])
		}
	})
}
