package format

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeMarkdown(w io.Writer, r *report.Report, _ Options) error {
	_, err := io.WriteString(w, markdown(r, ""))
	return err
}

// markdown returns the report for agents and for rendering. Every entry begins
// with bullet. Without a bullet entries are plain lines for agents, which end in
// two blanks because a renderer would join them otherwise.
func markdown(r *report.Report, bullet string) string {
	var blocks []string
	block := func(lines ...string) { blocks = append(blocks, strings.Join(lines, "\n")) }
	list := func(heading string, lines []string) {
		if len(lines) > 0 {
			block(append([]string{"## " + heading}, lines...)...)
		}
	}
	groups, honoured, refused := r.ShortGroups()
	block(opening(len(groups), len(r.Errors)))
	for _, g := range groups {
		heading := "## " + markdownText(g.Rule.Name)
		if g.Rule.Level != finding.Error {
			heading += fmt.Sprintf(" (%s)", g.Rule.Level)
		}
		for _, p := range g.Parts {
			var lines []string
			if heading != "" {
				lines = append(lines, heading)
				heading = ""
			}
			lines = append(lines, markdownEntries(p.Entries, bullet)...)
			block(lines...)
			if p.Body != "" {
				block(markdownBody(p.Body))
			}
		}
		if g.More > 0 {
			block(fmt.Sprintf("and %d more", g.More))
		}
	}
	list("Sessions", markdownSessions(r))
	list("Waivers", markdownWaivers(refused, honoured))
	list("Notices", markdownItems(r.Notices))
	var problems []string
	for _, p := range r.Errors {
		message := p.Message
		if where := report.Position(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		problems = append(problems, message)
	}
	list("Errors", markdownItems(problems))
	list("Logs", markdownLogs(r))
	for _, b := range r.Baselines {
		block(markdownText(b.String()))
	}
	if tokens := r.TokensLine(); tokens != "" {
		block(tokens)
	}
	block(markdownText(r.Verdict()))
	return strings.Join(blocks, "\n\n") + "\n"
}

func opening(groups, problems int) string {
	switch {
	case groups > 0:
		return "The following rules require attention:"
	case problems > 0:
		return "No rule requires attention, but not everything could be evaluated:"
	default:
		return "No rule requires attention."
	}
}

// markdownEntries returns the lines of a part. Entries of sessions are list items,
// with their events nested below.
func markdownEntries(entries []report.Entry, bullet string) []string {
	var lines []string
	for i, e := range entries {
		switch {
		case e.Session != nil:
			lines = append(lines, "- "+markdownEntry(e))
			lines = append(lines, markdownEvents(e.Session)...)
		case bullet == "" && i+1 < len(entries):
			lines = append(lines, markdownEntry(e)+"  ")
		default:
			lines = append(lines, bullet+markdownEntry(e))
		}
	}
	return lines
}

func markdownEntry(e report.Entry) string {
	names := make([]string, 0, len(e.Files))
	for _, f := range e.Files {
		name := markdownName(f.Path)
		if f.Line > 0 && e.Message != "" {
			name += fmt.Sprintf(":%d", f.Line)
		}
		if f.Gone != "" {
			name += " (" + f.Gone + ")"
		}
		names = append(names, name)
	}
	line := strings.Join(names, ", ") + report.AndMore(e.More)
	if len(e.Expected) > 0 {
		expected := make([]string, 0, len(e.Expected))
		for _, path := range e.Expected {
			expected = append(expected, markdownName(path))
		}
		line += " → " + strings.Join(expected, ", ") + report.AndMore(e.MoreExpected)
	}
	if e.Message != "" {
		line += ": " + markdownText(e.FullMessage())
	}
	return line
}

// markdownWaivers returns a table of waivers, and how many it leaves out.
func markdownWaivers(refused, honoured report.Waivers) []string {
	entries := slices.Concat(refused.Entries, honoured.Entries)
	if len(entries) == 0 {
		return nil
	}
	lines := []string{"", "| Rule | Files | Where | Commit | Reason |", "|---|---|---|---|---|"}
	for _, e := range entries {
		reason := e.Waiver.Reason
		if e.Waiver.NotHonoured != "" {
			reason += " (not honoured: " + e.Waiver.NotHonoured + ")"
		}
		cells := []string{
			markdownName(e.Rule), markdownEntry(e), markdownText(e.Waiver.Source), report.ShortCommit(e.Waiver.Commit), markdownText(reason),
		}
		for i, c := range cells {
			cells[i] = cell.Replace(c)
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	if more := refused.More + honoured.More; more > 0 {
		lines = append(lines, "", fmt.Sprintf("and %d more", more))
	}
	return lines
}

// cell escapes bars inside a table cell. A bar after a backslash becomes a
// character reference: a second backslash would not escape it.
var cell = strings.NewReplacer(`\|`, `\&#124;`, "|", `\|`)

func markdownItems(texts []string) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, "- "+markdownText(text))
	}
	return lines
}
