package report_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
)

// TestTimelineKeepsMoments holds that a timeline has the moments that it was made of.
func TestTimelineKeepsMoments(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		count := func(name string) int64 { return rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64()).Draw(t, name) }
		var moments []report.Moment
		for range rapid.IntRange(0, 6).Draw(t, "moments") {
			m := report.Moment{
				Kind: rapid.SampledFrom([]string{"command", "tokens", ""}).Draw(t, "kind"), Text: string(rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "text")),
				Log: rapid.SampledFrom([]string{"a.jsonl", "b.jsonl"}).Draw(t, "log"), Line: rapid.Int().Draw(t, "line"), Failed: rapid.Bool().Draw(t, "failed"),
			}
			if rapid.Bool().Draw(t, "timed") {
				seconds := rapid.OneOf(rapid.Int64Range(1_700_000_000, 1_700_000_100), rapid.Int64Range(-62_135_596_799, 253_402_300_799)).Draw(t, "seconds")
				m.At = time.Unix(seconds, rapid.OneOf(rapid.Int64Range(0, 999_999_999), rapid.Just[int64](250_000_000)).Draw(t, "nanoseconds")).UTC()
			}
			m.Used, m.Cached = count("used"), count("cached")
			moments = append(moments, m)
		}
		timeline := report.NewTimeline(moments...)
		if diff := cmp.Diff(moments, slices.Collect(timeline.All()), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		for m := range timeline.All() { // a reader may stop
			if diff := cmp.Diff(moments[0], m); diff != "" {
				t.Fatal(diff)
			}
			break
		}
	})
}
