package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Coverage is which tool calls of a session the hooks checked.
type Coverage struct {
	fact.Coverage

	// Gaps are the calls that were not checked or are unknown.
	Gaps []coverage.Call `json:"gaps"`
}

// NewCoverage sums up the calls of a session.
func NewCoverage(calls []coverage.Call) *Coverage {
	return &Coverage{
		Coverage: coverage.Count(calls, func(coverage.Call) bool { return true }),
		Gaps:     slices.DeleteFunc(slices.Clone(calls), func(c coverage.Call) bool { return c.Verdict == coverage.Checked }),
	}
}

// MaxGaps is how many kinds of gaps of a session short reports list.
const MaxGaps = 10

// Gap is the gaps of a session that have the same tool and reason.
type Gap struct {
	Tool   string
	Reason coverage.Reason
	Count  int
	First  fact.Place
}

// ByReason returns the gaps by reason and tool, in the order of the reasons and of their
// first calls.
func (c *Coverage) ByReason() []Gap {
	var gaps []Gap
	for _, reason := range coverage.Reasons() {
		from := len(gaps)
		for _, call := range c.Gaps {
			if call.Reason != reason {
				continue
			}
			at := slices.IndexFunc(gaps[from:], func(g Gap) bool { return g.Tool == call.Tool })
			if at < 0 {
				gaps = append(gaps, Gap{Tool: call.Tool, Reason: reason, First: call.Place})
				at = len(gaps) - 1 - from
			}
			gaps[from+at].Count++
		}
	}
	return gaps
}

// Line returns the counts as text: "8 of 10 tool calls checked, 1 not checked, 1 unknown".
func (c *Coverage) Line() string {
	parts := []string{fmt.Sprintf("%d of %s checked", c.Checked, Count(c.Calls, "tool call"))}
	if c.Observed > 0 {
		parts[0] += fmt.Sprintf(" (%d only observed)", c.Observed)
	}
	if c.NotChecked > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", c.NotChecked))
	}
	if c.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d unknown", c.Unknown))
	}
	return strings.Join(parts, ", ")
}

// Line returns a gap as text: "2 × write_stdin: the agent fires …; the first is at log:3".
func (g Gap) Line() string {
	return fmt.Sprintf("%d × %s: %s; the first is at %s:%d", g.Count, g.Tool, g.Reason.Text(), g.First.File, g.First.Line)
}

// CoverageOf is the coverage of one session in words.
type CoverageOf struct {
	Session string // agent and id
	Line    string
	Gaps    []string
	More    int // kinds of gaps that are not listed
}

// CoverageLines returns the coverage of all sessions in one line, empty if it was not asked
// for, and of each session with gaps. Short lists leave out what they count.
func (r *Report) CoverageLines(short bool) (total string, sessions []CoverageOf, more int) {
	sum := Coverage{}
	audited := 0
	for s := range r.EachSession() {
		c := s.Coverage
		if c == nil {
			continue
		}
		audited++
		sum.Calls, sum.Checked, sum.Observed = sum.Calls+c.Calls, sum.Checked+c.Checked, sum.Observed+c.Observed
		sum.NotChecked, sum.Unknown = sum.NotChecked+c.NotChecked, sum.Unknown+c.Unknown
		switch {
		case len(c.Gaps) == 0:
			continue
		case short && len(sessions) == MaxListed:
			more++
			continue
		}
		of := CoverageOf{Session: strings.TrimSpace(s.Agent + " " + ShortID(s.ID)), Line: c.Line()}
		for _, g := range c.ByReason() {
			if short && len(of.Gaps) == MaxGaps {
				of.More++
				continue
			}
			of.Gaps = append(of.Gaps, g.Line())
		}
		sessions = append(sessions, of)
	}
	if audited == 0 {
		return "", nil, 0
	}
	return sum.Line() + " in " + Count(audited, "session"), sessions, more
}
