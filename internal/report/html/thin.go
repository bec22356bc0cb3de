package html

import (
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// A page has room for about maxPagePoints events, and as many points of curves. One
// session shows at most maxPoints: more cannot be distinguished.
const (
	maxPagePoints        = 90_000
	maxPoints, minPoints = 400, 10
)

// pointsOf returns the number of points that each session may have.
func pointsOf(sessions int) int {
	return min(maxPoints, max(minPoints, maxPagePoints/max(sessions, 1)))
}

// addTokens adds the curves of tokens used so far, with at most limit points
// including the last.
func (t *timeline) addTokens(curve []report.Moment, since func(time.Time) int64, limit int) {
	var used, cached int64
	for i, m := range curve {
		used += known(m.Tokens.Input) + known(m.Tokens.Output)
		cached += known(m.Tokens.CacheRead) + known(m.Tokens.CacheWrite)
		if i+1 < len(curve) && (i+1)*limit/len(curve) == i*limit/len(curve) {
			continue // merged into the next point
		}
		t.TokensAt, t.Spent, t.Cached = append(t.TokensAt, since(m.At)), append(t.Spent, used), append(t.Cached, cached)
	}
}

func known(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// thinOut keeps at most n events: first those that findings mention, then others
// at even distances.
func thinOut(moments []report.Moment, findings []finding.Finding, n int) []report.Moment {
	if len(moments) <= n {
		return moments
	}
	mentioned := map[int64]bool{}
	for _, f := range findings {
		mentioned[f.Session.FirstAt.UnixNano()], mentioned[f.Session.PeakAt.UnixNano()] = true, true
		for _, e := range f.Session.Recent {
			mentioned[e.At.UnixNano()] = true
		}
	}
	var wanted, others []int
	for i, m := range moments {
		if mentioned[m.At.UnixNano()] {
			wanted = append(wanted, i)
		} else {
			others = append(others, i)
		}
	}
	wanted = spread(wanted, n)
	kept := slices.Sorted(slices.Values(append(wanted, spread(others, n-len(wanted))...)))
	list := make([]report.Moment, 0, len(kept))
	for _, i := range kept {
		list = append(list, moments[i])
	}
	return list
}

// spread picks at most n elements of a list at even distances.
func spread(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	picked := make([]int, 0, n)
	for i := range n {
		picked = append(picked, list[i*len(list)/n])
	}
	return picked
}
