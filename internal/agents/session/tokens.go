package session

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// sumTokens adds up the tokens of a visit until now and returns the record counts. If the
// log holds only the sum of the phase, that is the count.
func (s *Session) sumTokens(v Visit, m Measure, now time.Time) (fact.Metrics, []high) {
	x := m.describe(nil)
	x.At, x.Start, x.End = now, v.Start, v.End
	calls := v.Tokens
	if v.Phase != nil && v.Phase.Totals != nil {
		calls, x.At = []Tokens{{TokenCount: *v.Phase.Totals, Place: v.Phase.Place, Old: v.Phase.Old}}, time.Time{}
	}
	parts := m.parts()
	highs := make([]high, 0, len(calls))
	unknown := ""
	var sum tally
	for i := range calls {
		t := &calls[i]
		if t.At.After(now) {
			break
		}
		sum.add(&t.TokenCount)
		if m.Of == Cost {
			cost := m.Price(t)
			x.Count, unknown = fact.SaturatedSum(x.Count, int64(cost.USD)), cmp.Or(unknown, cost.Why)
			parts = nil
		}
		n, missing := addedUp(&t.TokenCount, parts)
		x.Count, unknown = fact.SaturatedSum(x.Count, n), cmp.Or(unknown, missing)
		if x.Count > last(highs).count && m.isFresh(t.Old) {
			highs = append(highs, high{count: x.Count, at: t.At, place: t.Place})
		}
	}
	if s.TokensKnown {
		x.Tokens = new(sum.count())
	}
	tooLarge := ""
	if x.Count == math.MaxInt64 {
		tooLarge = TooManyTokens
	}
	x.Incomplete = joinReasons(s.incompleteReasons(v, m, false), unknown, tooLarge)
	return x, highs
}

// parts returns the kinds of tokens that count.
func (m Measure) parts() []string {
	if m.Parts == nil {
		return []string{"input", "output"}
	}
	return m.Parts
}

// addedUp adds up parts of the tokens of a call; missing is why the sum may be too low.
func addedUp(t *fact.TokenCount, parts []string) (sum int64, missing string) {
	for _, name := range parts {
		if n := t.Part(name); n != nil {
			sum = fact.SaturatedSum(sum, *n)
		} else {
			missing = "some calls of the model do not record their " + strings.Join(parts, ", ") + " tokens"
		}
	}
	return sum, missing
}

// TooManyTokens is the message of the diagnostic about a sum of tokens that is only known
// to be at least [math.MaxInt64].
const TooManyTokens = "the tokens add up to more than can be counted" //nolint:gosec // no credentials

// Sum adds up the tokens of several calls. A sum that is too large is [math.MaxInt64].
func Sum(tokens []Tokens) fact.TokenCount {
	var sum tally
	for i := range tokens {
		sum.add(&tokens[i].TokenCount)
	}
	return sum.count()
}

// tally adds up many counts. A part is known if one of them states it.
type tally struct {
	sums  [5]int64
	known [5]bool
}

func (t *tally) add(c *fact.TokenCount) {
	for i, n := range c.Parts() {
		if *n != nil {
			t.sums[i], t.known[i] = fact.SaturatedSum(t.sums[i], **n), true
		}
	}
}

func (t *tally) count() (c fact.TokenCount) {
	sums := t.sums
	for i, part := range c.Parts() {
		if t.known[i] {
			*part = &sums[i]
		}
	}
	return c
}
