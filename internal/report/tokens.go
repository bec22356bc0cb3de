package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/money"
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
		if t.Cost != (money.Cost{}) {
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
	known := t.Tokens != (fact.TokenCount{})
	line := "tokens: unknown"
	switch {
	case t.Sessions == 0:
		return ""
	case known:
		line = "tokens: " + TokenCounts(t.Tokens)
	case t.Cost.USD == 0:
		return line
	}
	if known && t.Unknown > 0 {
		line += fmt.Sprintf(" (unknown for %d of %s)", t.Unknown, Count(t.Sessions, "session"))
	}
	line += "; cost: " + ShortCost(&t.Cost)
	if note := CostNote(&t.Cost); note != "" {
		line += " (" + note + ")"
	}
	return line
}

// CostOrUnknown returns what a session cost.
func (s *Session) CostOrUnknown() money.Cost {
	if s.Cost == nil {
		return money.Cost{Unknown: 1, Why: "the session has no cost in the report"}
	}
	return *s.Cost
}

// CostNote states what a cost does not contain.
func CostNote(c *money.Cost) string {
	var notes []string
	if c.Unknown > 0 {
		notes = append(notes, fmt.Sprintf("%s of unknown price: %s", Count(c.Unknown, "session"), c.Why))
	}
	if c.Late {
		notes = append(notes, "some calls are newer than the table of prices")
	}
	return strings.Join(notes, "; ")
}

// ShortCost writes the known part of a cost.
func ShortCost(c *money.Cost) string {
	switch {
	case c == nil || c.Unknown > 0 && c.USD == 0:
		return "unknown"
	case c.Unknown > 0:
		return "at least " + c.USD.String()
	}
	return c.USD.String()
}

// CostInWords writes a cost in a sentence: as [ShortCost], or "unknown cost".
func CostInWords(c *money.Cost) string {
	if text := ShortCost(c); text != "unknown" {
		return text
	}
	return "unknown cost"
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
