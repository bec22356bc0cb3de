package ifchange_test

import (
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestBalance counts the lines of two texts as if each was counted alone.
func TestBalance(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "a", "b\r\n", " a \n", "\n", "a\u00a0b\n", "ab\n", "c\td\n", "\xe9\n"})
		texts := rapid.SliceOfN(line, 0, 8)
		shared := strings.Join(texts.Draw(t, "shared"), "")
		now := shared + strings.Join(texts.Draw(t, "now"), "") + shared
		before := shared + strings.Join(texts.Draw(t, "before"), "") + shared
		want := map[string]int{}
		count := func(text string, n int) {
			for line := range strings.SplitSeq(text, "\n") {
				want[strings.NewReplacer(" ", "", "\t", "", "\r", "").Replace(line)] += n
			}
		}
		count(now, 1)
		count(before, -1)
		maps.DeleteFunc(want, func(line string, n int) bool { return line == "" || n == 0 })
		if got := ifchange.Balance(now, before); !maps.Equal(got, want) {
			t.Fatalf("%q and %q: %v; want %v", now, before, got, want)
		}
	})
}
