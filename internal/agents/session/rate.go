package session

import (
	"cmp"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// million is the rate if every command failed.
const million = 1_000_000

// failureRate returns the share of commands that failed of those until now, and the highest that it
// was. A command without an outcome did not fail for certain. Commands that are missing may have
// succeeded, so that without them there is no rate.
func (s *Session) failureRate(v Visit, m Measure, now time.Time) (current fact.Metrics, highest Record) {
	highest.of = Rate
	current = m.describe(nil)
	current.At, current.Start, current.End = now, v.Start, v.End
	current.Incomplete = s.incompleteReasons(v, m, false)
	highest.Metrics = current
	highest.At = time.Time{}
	if current.Incomplete != "" {
		return current, highest
	}
	var failed, unknown, most int64
	actions := m.actions(m.countable(v), cmp.Or(m.Root, s.Cwd))
	for i, a := range actions {
		if a.At.After(now) {
			break
		}
		current.Total++
		switch a.Status { //nolint:exhaustive // the others did not fail
		case fact.Error:
			failed++
			current.Events = append(current.Events, fact.Event{At: a.At, Text: mask.Excerpt(a.text)})
			current.Events = current.Events[max(0, len(current.Events)-5):]
		case fact.Running, fact.Unknown:
			unknown++
		}
		together := i+1 < len(actions) && !a.At.IsZero() && actions[i+1].At.Equal(a.At)
		if together || current.Total < m.Least {
			continue
		}
		current.Count = share(failed, current.Total)
		most = max(most, share(failed+unknown, current.Total))
		if current.Count > last(highest.highs).count && m.isFresh(a.Old) {
			highest.highs = append(highest.highs, high{count: current.Count, at: a.At, place: a.Place})
			highest.Metrics = current
			highest.At = a.At
			highest.Events = append([]fact.Event{}, current.Events...)
		}
	}
	if most > highest.Count {
		highest.Incomplete = s.incompleteReasons(v, m, true)
	}
	if share(failed+unknown, max(current.Total, 1)) > current.Count && current.Total >= m.Least {
		current.Incomplete = s.incompleteReasons(v, m, true)
	}
	return current, highest
}

// share returns n of all in millionths, rounded up, so that what is above a limit never equals it.
func share(n, all int64) int64 { return (n*million + all - 1) / all }
