package session

import (
	"slices"
	"time"
)

// farApart is the distance at which a time cannot belong to the others of a log. Sessions
// are resumed after months, and clocks that were not set are decades off.
const farApart = 365 * 24 * time.Hour

// Clock collects the times of the rows of a session. The zero Clock has none.
type Clock struct{ spans []span }

// span holds times without a gap of farApart, and how many there are.
type span struct {
	start, end time.Time
	rows       int
}

// Add adds the time of a row. The zero time is ignored.
func (c *Clock) Add(at time.Time) {
	if !at.IsZero() {
		c.add(span{at, at, 1})
	}
}

// Merge adds the times of another Clock.
func (c *Clock) Merge(other Clock) {
	for _, s := range other.spans {
		c.add(s)
	}
}

// Cover adds the first and the last time of a session, which are close to each other however
// long it took. If one is the zero time, only the other is added.
func (c *Clock) Cover(start, end time.Time) {
	if start.IsZero() || end.IsZero() || end.Before(start) {
		c.Add(start)
		c.Add(end)
		return
	}
	c.add(span{start, end, 1})
}

func (c *Clock) add(s span) {
	for i := range c.spans {
		near := &c.spans[i]
		if s.start.After(near.end.Add(farApart)) || s.end.Before(near.start.Add(-farApart)) {
			continue
		}
		if len(c.spans) > 1 && (s.start.Before(near.start) || s.end.After(near.end)) {
			near.include(s) // it may now be near to another
			joined := *near
			c.spans = slices.Delete(c.spans, i, i+1)
			c.add(joined)
			return
		}
		near.include(s)
		return
	}
	c.spans = append(c.spans, s)
}

func (s *span) include(other span) {
	if other.start.Before(s.start) {
		s.start = other.start
	}
	if other.end.After(s.end) {
		s.end = other.end
	}
	s.rows += other.rows
}

// Span returns the first and the last time, without outliers: of times that are more than
// a year apart, those of most rows count, and of equally many the earlier ones.
func (c *Clock) Span() (start, end time.Time) {
	var largest span
	for _, s := range c.spans {
		if s.rows > largest.rows || s.rows == largest.rows && s.start.Before(largest.start) {
			largest = s
		}
	}
	return largest.start, largest.end
}

// Clip removes the times before an instant; the zero time removes all.
func (c *Clock) Clip(start time.Time) {
	c.spans = slices.DeleteFunc(c.spans, func(s span) bool { return start.IsZero() || s.end.Before(start) })
	for i := range c.spans {
		if c.spans[i].start.Before(start) {
			c.spans[i].start = start
		}
	}
}

// Outliers returns the number of rows whose times are not in the span.
func (c *Clock) Outliers() int {
	all, most := 0, 0
	for _, s := range c.spans {
		all, most = all+s.rows, max(most, s.rows)
	}
	return all - most
}

// IsOutlier reports whether a time is too far from the span.
func (c *Clock) IsOutlier(at time.Time) bool {
	start, end := c.Span()
	return !at.IsZero() && !start.IsZero() && (at.Before(start.Add(-farApart)) || at.After(end.Add(farApart)))
}
