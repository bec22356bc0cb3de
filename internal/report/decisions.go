package report

import (
	"fmt"
	"slices"
	"strings"
)

// Decisions counts what the hooks decided in a session, by its journal. What was only
// recorded does not count.
type Decisions struct {
	Denied   int      `json:"denied,omitempty"`   // calls
	Asked    int      `json:"asked,omitempty"`    // calls
	Refused  int      `json:"refused,omitempty"`  // stops
	Promised []string `json:"promised,omitempty"` // the ids of rules, once for each promise
}

// Decisions returns what the hooks decided in all sessions.
func (r *Report) Decisions() Decisions {
	var sum Decisions
	for s := range r.EachSession() {
		if d := s.Decisions; d != nil {
			sum.Denied, sum.Asked, sum.Refused = sum.Denied+d.Denied, sum.Asked+d.Asked, sum.Refused+d.Refused
			sum.Promised = append(sum.Promised, d.Promised...)
		}
	}
	return sum
}

// Counts returns the counts as text, without zeros: "12 calls were denied, 3 stops refused, 1
// promise"; empty if there are none.
func (d Decisions) Counts() string {
	var parts []string
	add := func(n int, noun, verb string) {
		switch {
		case n < 1:
			return
		case len(parts) == 0 && n == 1 && verb != "":
			verb = " was" + verb
		case len(parts) == 0 && verb != "":
			verb = " were" + verb
		}
		parts = append(parts, Count(n, noun)+verb)
	}
	add(d.Denied, "call", " denied")
	add(d.Asked, "call", " asked about")
	add(d.Refused, "stop", " refused")
	add(len(d.Promised), "promise", "")
	return strings.Join(parts, ", ")
}

// Rules returns the ids of the rules that were promised, the first few, and how many more
// there are.
func (d Decisions) Rules() (ids []string, more int) {
	ids = slices.Compact(slices.Sorted(slices.Values(d.Promised)))
	more = max(0, len(ids)-MaxListed)
	return ids[:len(ids)-more], more
}

// Line returns the counts and the promised rules; empty if there is nothing to count.
func (d Decisions) Line() string {
	line := d.Counts()
	ids, more := d.Rules()
	if len(ids) == 0 {
		return line
	}
	line += ": " + strings.Join(ids, ", ")
	if more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}
