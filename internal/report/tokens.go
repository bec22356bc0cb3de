package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/session"
)

// SumTokens adds up the tokens of sessions. A part that no session knows stays
// nil; unknown counts the sessions without input or output tokens.
func SumTokens(sessions []Session) (sum session.TokenCount, unknown int) {
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
	s := r.Summary
	s.Errors, s.Warnings, s.Notes = 0, 0, 0
	for _, f := range r.Findings {
		if n := map[finding.Level]*int{finding.Error: &s.Errors, finding.Warning: &s.Warnings, finding.Note: &s.Notes}[f.Level]; n != nil && !f.Waived() {
			*n++
		}
	}
	s.Verdict, s.Exit = word(r.Passed()), r.Status(r.FailOn)
	if len(r.Sessions) > 0 {
		sum, _ := SumTokens(r.Sessions)
		s.Sessions, s.Tokens = len(r.Sessions), &sum
	}
	return s
}

// TokensLine states the tokens of all sessions; it is empty without sessions.
func (r *Report) TokensLine() string {
	if len(r.Sessions) == 0 {
		return ""
	}
	sum, unknown := SumTokens(r.Sessions)
	if sum == (session.TokenCount{}) {
		return "tokens: unknown"
	}
	line := "tokens: " + TokenCounts(sum)
	if unknown > 0 {
		line += fmt.Sprintf(" (unknown for %d of %s)", unknown, Count(len(r.Sessions), "session"))
	}
	return line
}

// TokenCounts lists all four token counts: "1,200 input, unknown output, …".
func TokenCounts(t session.TokenCount) string {
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
func InputAndOutput(t session.TokenCount) string {
	if t.Input == nil || t.Output == nil {
		return "unknown"
	}
	return Number(*t.Input + *t.Output)
}
