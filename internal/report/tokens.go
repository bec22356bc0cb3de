package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// SumTokens adds up the tokens of sessions. A part that no session knows stays
// nil; unknown counts the sessions without input or output tokens.
func SumTokens(sessions []Session) (sum finding.Tokens, unknown int) {
	for _, s := range sessions {
		sum = finding.Tokens{
			Input: add(sum.Input, s.Tokens.Input), Output: add(sum.Output, s.Tokens.Output),
			CacheRead: add(sum.CacheRead, s.Tokens.CacheRead), CacheWrite: add(sum.CacheWrite, s.Tokens.CacheWrite),
		}
		if s.Tokens.Input == nil || s.Tokens.Output == nil {
			unknown++
		}
	}
	return sum, unknown
}

// add adds two numbers, nil being unknown: the sum of a known and an unknown
// number is the known one.
func add(a, b *int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := *a + *b
	return &sum
}

// FullSummary returns the report's summary with the sums over its sessions.
func (r *Report) FullSummary() Summary {
	s := r.Summary
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
	line := "tokens: " + TokenCounts(sum)
	if sum == (finding.Tokens{}) {
		line = "tokens: unknown"
	}
	if unknown > 0 {
		line += fmt.Sprintf(" (%s of %d without a word of tokens)", Count(unknown, "session"), len(r.Sessions))
	}
	return line
}

// TokenCounts lists all four token counts: "1,200 input, unknown output, …".
func TokenCounts(t finding.Tokens) string {
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
func InputAndOutput(t finding.Tokens) string {
	if t.Input == nil || t.Output == nil {
		return "unknown"
	}
	return Number(*t.Input + *t.Output)
}
