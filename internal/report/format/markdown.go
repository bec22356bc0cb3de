package format

import (
	"io"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeMarkdown(w io.Writer, r *report.Report, _ Options) error {
	return markdown.Fprint(w, document(r, "", false))
}

// document returns the report for agents and for rendering. Every entry begins
// with bullet. Without a bullet entries are plain lines for agents, which end in
// two blanks because a renderer would join them otherwise. If not all is labelled with its
// level, errors alone are not; next to others they need it.
func document(r *report.Report, bullet markdown.Text, labelled bool) markdown.Text {
	var blocks []markdown.Text
	block := func(lines ...markdown.Text) { blocks = append(blocks, markdown.Join(lines, "\n")) }
	list := func(heading markdown.Text, lines []markdown.Text) {
		if len(lines) > 0 {
			block(append([]markdown.Text{"## " + heading}, lines...)...)
		}
	}
	more := func(n int) {
		if n > 0 {
			block(markdown.Sprintf("and %d more", n))
		}
	}
	groups, honoured, refused := r.ShortGroups()
	block(opening(len(groups), len(r.Errors)))
	labelled = labelled || slices.ContainsFunc(groups, func(g report.Group) bool { return g.Rule.Level != finding.Error })
	for _, g := range groups {
		heading := "## " + markdown.Line(g.Rule.Name)
		if labelled {
			heading += markdown.Sprintf(" (%s)", g.Rule.Level)
		}
		for _, p := range g.Parts {
			var lines []markdown.Text
			if heading != "" {
				lines = append(lines, heading)
				heading = ""
			}
			lines = append(lines, markdownEntries(p.Entries, bullet)...)
			block(lines...)
			if len(g.Parts) == 1 {
				more(g.More)
			}
			if p.Body == "" {
				continue
			}
			body := markdown.Body(p.Body)
			if listed := bullet != "" || p.Entries[len(p.Entries)-1].Session != nil; listed && strings.HasPrefix(string(body), "-") {
				block("<!-- -->") // its list would continue that of the entries
			}
			block(body)
		}
		if len(g.Parts) > 1 {
			more(g.More)
		}
	}
	list("Stack, oldest commit first", markdownItems(stackLines(r)))
	list("Before and now", markdownCompared(r))
	list("Sessions", markdownSessions(r))
	list("Coverage", markdownCoverage(r))
	list("Waivers", markdownWaivers(refused, honoured))
	list("Notices", markdownItems(r.Notices))
	var problems []markdown.Text
	for _, p := range r.Errors {
		problems = append(problems, placed(report.Position(p.File, p.Line, p.Column), p.Message))
	}
	list("Errors", problems)
	list("Logs", markdownLogs(r))
	for _, b := range r.Baselines {
		block(markdown.Line(b.String()))
	}
	if decided := r.Decisions().Line(); decided != "" {
		block(markdown.Line(decided))
	}
	if behind := r.BehindLine(); behind != "" {
		block(markdown.Line(behind))
	}
	if tokens := r.TokensLine(); tokens != "" {
		block(markdown.Line(tokens))
	}
	block(markdown.Line(r.Verdict()))
	return markdown.Join(blocks, "\n\n") + "\n"
}

func opening(groups, problems int) markdown.Text {
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
func markdownEntries(entries []report.Entry, bullet markdown.Text) []markdown.Text {
	var lines []markdown.Text
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

func markdownEntry(e report.Entry) markdown.Text {
	names := make([]markdown.Text, 0, len(e.Files))
	for _, f := range e.Files {
		name := markdown.Code(f.Path)
		if f.Line > 0 && e.Message != "" {
			name = markdown.Code(report.Position(f.Path, f.Line))
		}
		if f.Gone != "" {
			name += markdown.Sprintf(" (%s)", f.Gone)
		}
		names = append(names, name)
	}
	line := markdown.Join(names, ", ") + andMore(e.More)
	if len(e.Expected) > 0 {
		expected := make([]markdown.Text, 0, len(e.Expected))
		for _, path := range e.Expected {
			expected = append(expected, markdown.Code(path))
		}
		var between markdown.Text = ", "
		if e.ExpectedAny {
			between = " or "
		}
		line += " → " + markdown.Join(expected, between) + andMore(e.MoreExpected)
	}
	if e.Commits != "" {
		line += " " + markdown.Line(e.Commits)
	}
	if e.Message != "" {
		line += ": " + markdown.Line(e.FullMessage())
	}
	return line
}

// andMore ends a list that leaves out n elements.
func andMore(n int) markdown.Text {
	if n == 0 {
		return ""
	}
	return markdown.Sprintf(" and %d more", n)
}

// markdownWaivers returns a table of waivers, and how many it leaves out.
func markdownWaivers(refused, honoured report.Waivers) []markdown.Text {
	entries := slices.Concat(refused.Entries, honoured.Entries)
	if len(entries) == 0 {
		return nil
	}
	lines := []markdown.Text{"", "| Rule | Files | Where | Commit | Reason |", "|---|---|---|---|---|"}
	for _, e := range entries {
		reason, where := e.Waiver.Reason, e.Waiver.Source
		if e.Waiver.Since != "" || e.Waiver.Source == finding.Repaired {
			where = report.WaiverSource(e.Waiver)
		}
		if e.Waiver.NotHonoured != "" {
			reason += " (not honoured: " + e.Waiver.NotHonoured + ")"
		}
		lines = append(lines, markdown.Row(
			markdown.Line(e.Rule), markdownEntry(e), markdown.Line(where), markdown.Line(report.ShortCommit(e.Waiver.Commit)), markdown.Line(reason),
		))
	}
	if more := refused.More + honoured.More; more > 0 {
		lines = append(lines, "", markdown.Sprintf("and %d more", more))
	}
	return lines
}

// stackLines describes the commits of a stack.
func stackLines(r *report.Report) []string {
	lines := make([]string, 0, len(r.Stack))
	for _, c := range r.Stack {
		lines = append(lines, c.Line())
	}
	return lines
}

// placed returns the item of a list with a message about a place, which may be empty.
func placed(where, message string) markdown.Text {
	if where == "" {
		return "- " + markdown.Line(message)
	}
	return "- " + markdown.Code(where) + ": " + markdown.Line(message)
}

func markdownItems(texts []string) []markdown.Text {
	var lines []markdown.Text
	for _, text := range texts {
		lines = append(lines, "- "+markdown.Line(text))
	}
	return lines
}
