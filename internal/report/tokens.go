package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// SumTokens adds up the tokens of sessions. A part that no session knows stays
// nil; unknown counts the sessions without input or output tokens.
func SumTokens(sessions []Session) (sum fact.TokenCount, unknown int) {
	for _, s := range sessions {
		sum.Add(s.Tokens)
		if s.Tokens.Input == nil || s.Tokens.Output == nil {
			unknown++
		}
	}
	return sum, unknown
}

// FullSummary returns the report's summary with its verdict, and the sums over its findings
// and sessions.
func (r *Report) FullSummary() Summary {
	s, t := r.Summary, r.tally()
	s.Errors, s.Warnings, s.Notes = t.Levels[finding.Error], t.Levels[finding.Warning], t.Levels[finding.Note]
	s.Verdict, s.Exit = passedOrFailed(r.Passed()), r.Status(r.FailOn)
	if t.Sessions > 0 {
		s.Sessions, s.Tokens = t.Sessions, &t.Tokens
		if t.Cost != (fact.Cost{}) {
			s.Cost = &t.Cost
		}
	}
	return s
}

func passedOrFailed(passed bool) string {
	if passed {
		return "passed"
	}
	return "failed"
}

// TokensLine states the tokens of all sessions; it is empty without sessions.
func (r *Report) TokensLine() string {
	t := r.tally()
	if t.Sessions == 0 {
		return ""
	}
	if t.Tokens == (fact.TokenCount{}) {
		return "tokens: unknown"
	}
	line := "tokens: " + TokenCounts(t.Tokens)
	if t.Unknown > 0 {
		line += fmt.Sprintf(" (unknown for %d of %s)", t.Unknown, Count(t.Sessions, "session"))
	}
	if cost := CostOf(t.Cost); cost != "" {
		line += "; cost: " + cost
	}
	return line
}

// CostOf states a cost, and what it does not contain; it is empty if no price is known.
func CostOf(c fact.Cost) string {
	if c.USD == 0 {
		return ""
	}
	text := c.USD.String()
	if c.Unpriced > 0 {
		text += fmt.Sprintf(" without %s that are not priced: %s", Count(c.Unpriced, "call"), c.Why)
	}
	if c.Late {
		text += "; some calls are newer than the table of prices"
	}
	return text
}

// TokenCounts lists all four token counts: "1,200 input, unknown output, …".
func TokenCounts(t fact.TokenCount) string {
	parts := []struct {
		n    *int64
		name string
	}{{t.Input, "input"}, {t.Output, "output"}, {t.CacheRead, "cache read"}, {t.CacheWrite, "cache write"}}
	words := make([]string, 0, len(parts))
	for _, p := range parts {
		n := "unknown"
		if p.n != nil {
			n = Number(*p.n)
		}
		words = append(words, n+" "+p.name)
	}
	return strings.Join(words, ", ")
}

// InputAndOutput writes the sum of input and output tokens, or "unknown".
func InputAndOutput(t fact.TokenCount) string {
	if t.Input == nil || t.Output == nil {
		return "unknown"
	}
	return Number(*t.Input + *t.Output)
}
