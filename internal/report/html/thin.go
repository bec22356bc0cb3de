package html

import (
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// A page shows about allPoints events, and as many points of curves, of all its
// sessions, and of one at most maxPoints: so many it can hold, and more cannot
// be told apart.
const (
	allPoints            = 90_000
	maxPoints, minPoints = 400, 10
)

// pointsOf is how many points each of so many sessions may have.
func pointsOf(sessions int) int {
	return min(maxPoints, max(minPoints, allPoints/max(sessions, 1)))
}

// addTokens adds the curves of tokens used so far, with at most limit points and
// the last of them always.
func (t *timeline) addTokens(curve []report.Moment, since func(time.Time) int64, limit int) {
	var used, cached int64
	for i, m := range curve {
		used += known(m.Tokens.Input) + known(m.Tokens.Output)
		cached += known(m.Tokens.CacheRead) + known(m.Tokens.CacheWrite)
		if i+1 < len(curve) && (i+1)*limit/len(curve) == i*limit/len(curve) {
			continue // the next one stands for this one too
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

// thinned keeps at most n events: those that findings speak of first, then
// others at even distances.
func thinned(moments []report.Moment, findings []finding.Finding, n int) []report.Moment {
	if len(moments) <= n {
		return moments
	}
	spoken := map[int64]bool{}
	for _, f := range findings {
		spoken[f.Session.FirstAt.UnixNano()], spoken[f.Session.PeakAt.UnixNano()] = true, true
		for _, e := range f.Session.Recent {
			spoken[e.At.UnixNano()] = true
		}
	}
	var wanted, others []int
	for i, m := range moments {
		if spoken[m.At.UnixNano()] {
			wanted = append(wanted, i)
		} else {
			others = append(others, i)
		}
	}
	wanted = evenly(wanted, n)
	kept := slices.Sorted(slices.Values(append(wanted, evenly(others, n-len(wanted))...)))
	list := make([]report.Moment, 0, len(kept))
	for _, i := range kept {
		list = append(list, moments[i])
	}
	return list
}

// evenly picks at most n of a list at even distances.
func evenly(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	picked := make([]int, 0, n)
	for i := range n {
		picked = append(picked, list[i*len(list)/n])
	}
	return picked
}
