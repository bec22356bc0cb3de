package report

import (
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// ContinueCommand is the command with which an agent continues despite an interrupt.
const ContinueCommand = "rulecheck workflow continue"

// maxInterruptEvents limits the recent events in an interrupt.
const maxInterruptEvents = 5

// Interrupt returns the text that replaces the prompt of a phase when a session rule
// fires. The phase may be empty. Times are times of day in UTC. Text from a log takes
// one line and is never expanded as a template.
func Interrupt(f finding.Finding, phase string) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, "") + "\n") }
	line("🚨 WORKFLOW INTERRUPT: ", f.Session.Title)
	line()
	line("Diagnostic: ", finding.Visible(f.Message))
	if f.Session.Pattern != "" {
		line("Pattern: ", finding.Visible(f.Session.Pattern))
	}
	for _, text := range evidenceLines(f.Session.Evidence) {
		line(text)
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
	line("  - Run: ", ContinueCommand)
	line("  - This will return the normal ", strings.TrimLeft(finding.Visible(strings.ToUpper(phase))+" ", " "), "phase prompt (bypassing rules this once)")
	line()
	line("If you need human help:")
	line("  - Explain what you've tried and why you're stuck")
	line("  - Wait for human guidance before proceeding")
	return b.String()
}

// InterruptWithPrompt appends the prompt that the interrupt otherwise replaces.
func InterruptWithPrompt(interrupt, prompt string) string { return interrupt + "\n---\n\n" + prompt }

// evidenceLines lists what was counted: the last events, the tokens, or the time.
func evidenceLines(f finding.Evidence) []string {
	switch {
	case len(f.Recent) > 0:
		return eventLines(f.Recent)
	case f.Snapshot.Tokens != nil:
		return tokenLines(f.Snapshot)
	case !f.Snapshot.Start.IsZero() && !f.Snapshot.Now.IsZero():
		return []string{
			"Phase start: " + clock(f.Snapshot.Start),
			"Current time: " + clock(f.Snapshot.Now),
			"Duration: " + Number(f.Snapshot.Count) + " seconds",
		}
	}
	return nil
}

func eventLines(events []fact.Event) []string {
	lines := []string{"Recent executions:"}
	if events[0].Tool != "" {
		lines[0] = "Recent edits:"
	}
	for _, e := range events[max(0, len(events)-maxInterruptEvents):] {
		text := finding.Visible(e.Text)
		if e.Tool != "" {
			text = finding.Visible(e.Tool) + " (" + text + ")"
		}
		lines = append(lines, "  - "+clock(e.At)+": "+text)
	}
	return lines
}

// tokenLines lists token counts; cache tokens only if the mode counts them.
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
		lines = append(lines, part.name+" tokens: "+Number(*part.n))
	}
	return lines
}

// clock returns the time of day in UTC; dashes if it is unknown.
func clock(at time.Time) string {
	if at.IsZero() {
		return "--:--:--"
	}
	return at.UTC().Format(time.TimeOnly)
}
