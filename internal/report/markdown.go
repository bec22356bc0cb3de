package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
)

func writeMarkdown(w io.Writer, r *Report, _ Options) error {
	_, err := io.WriteString(w, markdown(r, ""))
	return err
}

// markdown is the report for agents and for rendering. Every entry begins with
// bullet: without one they are the plain lines agents read, each broken off from
// the next by two blanks, as a renderer would run them together.
func markdown(r *Report, bullet string) string {
	var blocks []string
	block := func(lines ...string) { blocks = append(blocks, strings.Join(lines, "\n")) }
	list := func(heading string, lines []string) {
		if len(lines) > 0 {
			block(append([]string{"## " + heading}, lines...)...)
		}
	}
	groups, waivers := grouped(r)
	block(opening(len(groups), len(r.Errors)))
	for _, g := range groups {
		heading := "## " + markdownText(g.rule.Name)
		if g.rule.Level != finding.Error {
			heading += fmt.Sprintf(" (%s)", g.rule.Level)
		}
		for _, p := range g.parts {
			var lines []string
			if heading != "" {
				lines = append(lines, heading)
				heading = ""
			}
			lines = append(lines, markdownEntries(p.entries, bullet)...)
			block(lines...)
			if p.body != "" {
				block(markdownBody(p.body))
			}
		}
	}
	list("Sessions", markdownSessions(r))
	list("Waivers", markdownWaivers(waivers))
	list("Notices", markdownItems(r.Notices))
	var problems []string
	for _, p := range r.Errors {
		message := p.Message
		if where := filePlace(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		problems = append(problems, message)
	}
	list("Errors", markdownItems(problems))
	list("Logs", markdownLogs(r))
	for _, b := range r.Baselines {
		block(markdownText(b.String()))
	}
	block(markdownText(r.summaryLine()))
	if tokens := r.tokensLine(); tokens != "" {
		block(tokens)
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

func opening(groups, problems int) string {
	switch {
	case groups > 0:
		return "The following rules require attention:"
	case problems > 0:
		return "No rule requires attention, but not all could be judged:"
	default:
		return "No rule requires attention."
	}
}

// markdownEntries are the lines of a part. Those of sessions are items, which can
// have their events below them.
func markdownEntries(entries []entry, bullet string) []string {
	var lines []string
	for i, e := range entries {
		switch {
		case e.session != nil:
			lines = append(lines, "- "+markdownEntry(e))
			lines = append(lines, markdownEvents(e.session)...)
		case bullet == "" && i+1 < len(entries):
			lines = append(lines, markdownEntry(e)+"  ")
		default:
			lines = append(lines, bullet+markdownEntry(e))
		}
	}
	return lines
}

func markdownEntry(e entry) string {
	names := make([]string, 0, len(e.files))
	for _, f := range e.files {
		name := markdownName(f.path)
		if f.line > 0 && e.message != "" {
			name += fmt.Sprintf(":%d", f.line)
		}
		if f.fate != "" {
			name += " (" + f.fate + ")"
		}
		names = append(names, name)
	}
	line := strings.Join(names, ", ") + andMore(e.more)
	if len(e.expected) > 0 {
		expected := make([]string, 0, len(e.expected))
		for _, path := range e.expected {
			expected = append(expected, markdownName(path))
		}
		line += " → " + strings.Join(expected, ", ")
	}
	if e.message != "" {
		line += ": " + markdownText(e.told())
	}
	return line
}

// markdownWaivers is a table of everything that excuses a finding, or was meant to.
func markdownWaivers(entries []entry) []string {
	if len(entries) == 0 {
		return nil
	}
	lines := []string{"", "| Rule | Files | Where | Commit | Reason |", "|---|---|---|---|---|"}
	for _, e := range entries {
		reason := e.waiver.Reason
		if e.waiver.NotHonoured != "" {
			reason += " (not honoured: " + e.waiver.NotHonoured + ")"
		}
		cells := []string{
			markdownName(e.rule), markdownEntry(e), markdownText(e.waiver.Source), shortened(e.waiver.Commit), markdownText(reason),
		}
		for i, c := range cells {
			cells[i] = cell.Replace(c)
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	return lines
}

// cell keeps a bar from ending the cell of a table. Behind a backslash another one
// would not: there it is written as a character reference.
var cell = strings.NewReplacer(`\|`, `\&#124;`, "|", `\|`)

func markdownItems(texts []string) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, "- "+markdownText(text))
	}
	return lines
}
