package report

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// ActivityLines describes what the agent did in each session whose activity was asked for:
// "claude 1f3c2a40: 30 commands (15 failed), 15 edits of 4 files, 12 API calls, 2 commits".
func (r *Report) ActivityLines() []string {
	var lines []string
	for s := range r.EachSession() {
		if s.Activity != nil {
			lines = append(lines, strings.TrimSpace(s.Agent+" "+ShortID(s.ID))+": "+activityLine(&s)+", cost "+ShortCost(s.Cost))
		}
	}
	return lines
}

func activityLine(of *Session) string {
	a := of.Activity
	edits := outcomes(a.Total.Edits, "edit")
	if n := len(a.Edits); n > 0 {
		edits += " of " + Count(n, "file")
	}
	parts := []string{outcomes(a.Total.Commands, "command"), edits}
	if n := a.Total.MCP.All(); n > 0 {
		parts = append(parts, outcomes(a.Total.MCP, "MCP call"))
	}
	if a.APICalls != nil {
		parts = append(parts, Count(*a.APICalls, "API call"))
	} else {
		parts = append(parts, "API calls unknown")
	}
	if s := a.Subagents; s != nil {
		line := Count(s.Calls, "tool call") + " by subagents"
		if share, ok := FiguresOf([]Session{*of}, nil).SubagentShare(); ok {
			line += fmt.Sprintf(" with %d %% of the tokens", share)
		}
		parts = append(parts, line)
	}
	for _, optional := range []struct {
		n    *int
		name string
	}{{a.Commits, "commit"}, {a.Compactions, "compaction"}, {a.Interrupts, "interrupt"}} {
		if optional.n != nil && *optional.n > 0 {
			parts = append(parts, Count(*optional.n, optional.name))
		}
	}
	return strings.Join(parts, ", ")
}

// outcomes returns "30 commands (15 failed, 1 rejected)".
func outcomes(o fact.Outcomes, name string) string {
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{{o.Failed, "failed"}, {o.Rejected, "rejected"}, {o.Running, "without a result"}, {o.Unknown, "of unknown outcome"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.name))
		}
	}
	text := Count(o.All(), name)
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}
