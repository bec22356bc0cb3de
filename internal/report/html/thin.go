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
		used, cached = used+m.Used, cached+m.Cached
		if i+1 < len(curve) && (i+1)*limit/len(curve) == i*limit/len(curve) {
			continue // merged into the next point
		}
		t.TokensAt, t.Spent, t.Cached = append(t.TokensAt, since(m.At)), append(t.Spent, used), append(t.Cached, cached)
	}
}

// thinOut keeps at most n events, in place: first those that findings mention, then others, both at even
// distances.
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
	wanted := 0
	for i := range moments {
		if mentioned[moments[i].At.UnixNano()] {
			wanted++
		}
	}
	first := spread{all: wanted, picked: min(wanted, n)}
	others := spread{all: len(moments) - wanted, picked: n - first.picked}
	return slices.DeleteFunc(moments, func(m report.Moment) bool {
		if mentioned[m.At.UnixNano()] {
			return !first.picks()
		}
		return !others.picks()
	})
}

// spread picks some of all elements of a list, at even distances.
type spread struct{ all, picked, seen, taken int }

// picks reports whether the next element is picked.
func (s *spread) picks() bool {
	picks := s.taken < s.picked && s.seen == s.taken*s.all/s.picked
	s.seen++
	if picks {
		s.taken++
	}
	return picks
}
