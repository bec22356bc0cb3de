package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// totals sums up tokens. A part that no session knows stays unknown; silent
// counts the sessions that do not tell how many went in and came out.
func totals(sessions []Session) (sum finding.Tokens, silent int) {
	for _, s := range sessions {
		sum = finding.Tokens{
			Input: plus(sum.Input, s.Tokens.Input), Output: plus(sum.Output, s.Tokens.Output),
			CacheRead: plus(sum.CacheRead, s.Tokens.CacheRead), CacheWrite: plus(sum.CacheWrite, s.Tokens.CacheWrite),
		}
		if s.Tokens.Input == nil || s.Tokens.Output == nil {
			silent++
		}
	}
	return sum, silent
}

// plus adds what is known of two numbers; nil: neither is.
func plus(a, b *int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := *a + *b
	return &sum
}

// summarised is the report's summary with what its sessions add.
func (r *Report) summarised() Summary {
	s := r.Summary
	if len(r.Sessions) > 0 {
		sum, _ := totals(r.Sessions)
		s.Sessions, s.Tokens = len(r.Sessions), &sum
	}
	return s
}

// tokensLine is what all sessions used; empty without sessions.
func (r *Report) tokensLine() string {
	if len(r.Sessions) == 0 {
		return ""
	}
	sum, silent := totals(r.Sessions)
	line := "tokens: " + amounts(sum)
	if sum == (finding.Tokens{}) {
		line = "tokens: unknown"
	}
	if silent > 0 {
		line += fmt.Sprintf(" (%s of %d without a word of tokens)", Count(silent, "session"), len(r.Sessions))
	}
	return line
}

// amounts lists the parts of a sum; those that are unknown, it says so.
func amounts(t finding.Tokens) string {
	parts := []struct {
		n    *int64
		name string
	}{{t.Input, "input"}, {t.Output, "output"}, {t.CacheRead, "cache read"}, {t.CacheWrite, "cache write"}}
	words := make([]string, 0, len(parts))
	for _, p := range parts {
		n := "unknown"
		if p.n != nil {
			n = thousands(*p.n)
		}
		words = append(words, n+" "+p.name)
	}
	return strings.Join(words, ", ")
}
