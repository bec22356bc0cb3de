package report

import (
	"fmt"
	"strings"
)

// Belonging is why a session belongs to a change.
type Belonging struct {
	By      string   `json:"by"`                // commits, branch, pull_request, log or time
	Commits []string `json:"commits,omitempty"` // those of the change that it made
	// Uncertain is why it may belong to another change; empty: it does not.
	Uncertain string `json:"uncertain,omitempty"`
}

// BehindLine sums up the sessions that belong to the change: "this change: 7 sessions, 1.2 M tokens, 3.10 USD,
// 14 % of commands failed"; empty without any.
func (r *Report) BehindLine() string {
	var behind []Session
	unsure, promises, why := 0, 0, ""
	for s := range r.EachSession() {
		if s.Belongs == nil {
			continue
		}
		behind = append(behind, s)
		if s.Belongs.Uncertain != "" {
			unsure, why = unsure+1, s.Belongs.Uncertain
		}
		if s.Decisions != nil {
			promises += len(s.Decisions.Promised)
		}
	}
	if len(behind) == 0 {
		return ""
	}
	f := FiguresOf(behind, nil)
	sessions := Count(f.Sessions, "session")
	switch {
	case unsure == 1 && f.Sessions == 1:
		sessions += " (uncertain: " + why + ")"
	case unsure == 1:
		sessions += " (1 of them uncertain: " + why + ")"
	case unsure > 1:
		sessions += fmt.Sprintf(" (%d of them uncertain)", unsure)
	}
	parts := []string{sessions, f.shortTokens(), CostInWords(&f.Cost)}
	if share, ok := f.FailedShare(); ok {
		parts = append(parts, fmt.Sprintf("%d %% of commands failed", share))
	}
	if promises > 0 {
		parts = append(parts, Count(promises, "promise"))
	}
	return "this change: " + strings.Join(parts, ", ")
}

// shortTokens writes the input and output tokens in a sentence.
func (f Figures) shortTokens() string {
	if f.Unknown == f.Sessions {
		return "unknown tokens"
	}
	text := ShortNumber(*f.Tokens.Input+*f.Tokens.Output) + " tokens"
	if f.Unknown > 0 {
		return "at least " + text
	}
	return text
}

// ShortNumber writes a number with two or three digits: "1.2 M".
func ShortNumber(n int64) string {
	var unit int64
	var name string
	switch {
	case n < 10_000:
		return Number(n)
	case n < 1_000_000:
		unit, name = 1_000, "k"
	case n < 1_000_000_000:
		unit, name = 1_000_000, "M"
	default:
		unit, name = 1_000_000_000, "G"
	}
	if tenths := (n + unit/20) / (unit / 10); tenths < 100 {
		return fmt.Sprintf("%d.%d %s", tenths/10, tenths%10, name)
	}
	return fmt.Sprintf("%d %s", (n+unit/2)/unit, name)
}
