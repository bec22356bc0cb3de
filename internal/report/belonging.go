package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
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
	n, unsure, known, commands, failed, promises := 0, 0, 0, 0, 0, 0
	var tokens fact.TokenCount
	var cost money.Cost
	why := ""
	for s := range r.EachSession() {
		if s.Belongs == nil {
			continue
		}
		n++
		if s.Belongs.Uncertain != "" {
			unsure, why = unsure+1, s.Belongs.Uncertain
		}
		if s.Tokens.Input != nil && s.Tokens.Output != nil {
			known++
		}
		tokens.Add(s.Tokens)
		cost.Add(s.CostOrUnknown())
		commands, failed = commands+s.Commands, failed+s.Failed
		if s.Decisions != nil {
			promises += len(s.Decisions.Promised)
		}
	}
	if n == 0 {
		return ""
	}
	sessions := Count(n, "session")
	switch {
	case unsure == 1 && n == 1:
		sessions += " (uncertain: " + why + ")"
	case unsure == 1:
		sessions += " (1 of them uncertain: " + why + ")"
	case unsure > 1:
		sessions += fmt.Sprintf(" (%d of them uncertain)", unsure)
	}
	parts := []string{sessions, shortTokens(tokens, known, n), shortCost(&cost)}
	if commands > 0 {
		parts = append(parts, fmt.Sprintf("%d %% of commands failed", (100*failed+commands/2)/commands))
	}
	if promises > 0 {
		parts = append(parts, Count(promises, "promise"))
	}
	return "this change: " + strings.Join(parts, ", ")
}

// shortTokens writes the input and output tokens of n sessions; known is the number of sessions that state them.
func shortTokens(t fact.TokenCount, known, n int) string {
	if known == 0 {
		return "unknown tokens"
	}
	text := ShortNumber(*t.Input+*t.Output) + " tokens"
	if known < n {
		return "at least " + text
	}
	return text
}

func shortCost(c *money.Cost) string {
	if text := ShortCost(c); text != "unknown" {
		return text
	}
	return "unknown cost"
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
