// Package interrupt writes the text that replaces the prompt of a phase when a session rule
// fires.
package interrupt

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Continue is the command with which an agent continues without a check.
const Continue = "rulecheck workflow continue"

const mostEvents = 5

// Text returns the interrupt for a finding of a session rule in a phase, whose name may
// be empty. Times are times of day in UTC. Text from a log takes one line and is never
// expanded as a template.
func Text(f finding.Finding, phase string) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, "") + "\n") }
	line("🚨 WORKFLOW INTERRUPT: ", f.Session.Title)
	line()
	line("Diagnostic: ", finding.Visible(f.Message))
	if f.Session.Pattern != "" {
		line("Pattern: ", finding.Visible(f.Session.Pattern))
	}
	for _, fact := range counted(f.Session.Evidence) {
		line(fact)
	}
	line()
	line("Suggestion: ", strings.TrimRight(f.Body, "\n"))
	line()
	line("---")
	line()
	line("REFLECT AND DECIDE:")
	line()
	line("Can you resolve this issue autonomously, or do you need human assistance?")
	line()
	line("If you can fix this yourself:")
	line("  - Explain your corrective approach briefly")
	line("  - Run: ", Continue)
	line("  - This will return the normal ", strings.TrimLeft(finding.Visible(strings.ToUpper(phase))+" ", " "), "phase prompt (bypassing rules this once)")
	line()
	line("If you need human help:")
	line("  - Explain what you've tried and why you're stuck")
	line("  - Wait for human guidance before proceeding")
	return b.String()
}

// WithPrompt appends the replaced prompt to an interrupt.
func WithPrompt(interrupt, prompt string) string { return interrupt + "\n---\n\n" + prompt }

// counted returns the lines with the evidence: the last events, the token counts, or the
// times.
func counted(f finding.Evidence) []string {
	switch {
	case len(f.Recent) > 0:
		return recent(f.Recent)
	case f.Snapshot.Tokens != nil:
		return tokenLines(f.Snapshot)
	case !f.Snapshot.Start.IsZero() && !f.Snapshot.Now.IsZero():
		return []string{
			"Phase start: " + clock(f.Snapshot.Start),
			"Current time: " + clock(f.Snapshot.Now),
			fmt.Sprintf("Duration: %s seconds", number(f.Snapshot.Count)),
		}
	}
	return nil
}

func recent(events []session.Event) []string {
	lines := []string{"Recent executions:"}
	if events[0].Tool != "" {
		lines[0] = "Recent edits:"
	}
	for _, e := range events[max(0, len(events)-mostEvents):] {
		text := finding.Visible(e.Text)
		if e.Tool != "" {
			text = finding.Visible(e.Tool) + " (" + text + ")"
		}
		lines = append(lines, "  - "+clock(e.At)+": "+text)
	}
	return lines
}

// tokenLines lists the token counts; those of the cache only if they are part of the sum.
func tokenLines(s finding.Snapshot) []string {
	var lines []string
	var sum int64
	for _, part := range []struct {
		name string
		n    *int64
	}{
		{"Input", s.Tokens.Input}, {"Output", s.Tokens.Output}, {"Cache read", s.Tokens.CacheRead}, {"Cache write", s.Tokens.CacheWrite},
	} {
		cached := strings.HasPrefix(part.name, "Cache")
		if part.n == nil || cached && sum == s.Count {
			continue
		}
		if !cached {
			sum += *part.n
		}
		lines = append(lines, part.name+" tokens: "+number(*part.n))
	}
	return lines
}

// clock formats the time of day; a time need not be known.
func clock(at time.Time) string {
	if at.IsZero() {
		return "--:--:--"
	}
	return at.UTC().Format(time.TimeOnly)
}

// number puts a comma between every three digits of a count.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
