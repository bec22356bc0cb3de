package waiver

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/commits"
)

// trailerKey is the key of the trailer that waives findings.
const trailerKey = "Rulecheck-Waive"

// trailersIn returns the values of a message's trailers with this key, and the values of
// lines elsewhere that look like one. As git-interpret-trailers(1) defines, trailers are in
// the last paragraph, which is not the first, and which has nothing but trailers, or at
// least one that git itself writes and at least a quarter of trailers. A line that begins
// with a blank continues the line before.
func trailersIn(message, key string) (values, strays []string) {
	lines := strings.Split(message, "\n")
	from, to := commits.TrailerBlock(lines)
	for i := range lines {
		t, ok := commits.TrailerIn(lines[i])
		if !ok || !strings.EqualFold(t.Key, key) {
			continue
		}
		if i < from || i >= to {
			strays = append(strays, t.Value)
			continue
		}
		t, _ = t.With(lines, i+1, to)
		values = append(values, t.Value)
	}
	return values, strays
}
