package replay

import (
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/markdown"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeMarkdown(w io.Writer, r *Report) error {
	blocks := []markdown.Text{markdown.Line(r.scope())}
	applied := r.applied()
	switch {
	case r.View.List || r.View.Cases:
		blocks = append(blocks, markdownList(r))
	case len(applied) > 0:
		blocks = append(blocks, markdownTable(tableOf(applied)))
		for _, of := range applied {
			if list, more := r.fired(of); len(list) > 0 {
				blocks = append(blocks, "## "+markdown.Line(of.Name), firingsOf(r, list, more))
			}
		}
	}
	var notes []string
	if ids := r.silent(); len(ids) > 0 && r.Units > 0 {
		notes = append(notes, "never applied: "+strings.Join(ids, ", "))
	}
	if len(r.Skipped) > 0 {
		notes = append(notes, "not replayed: "+strings.Join(r.Skipped, ", "))
	}
	notes = append(notes, r.Notices...)
	for i := range r.Rules {
		if of := &r.Rules[i]; of.Unknown > 0 {
			notes = append(notes, of.ID+" could not be checked on "+report.Count(of.Unknown, "commit")+": "+of.Problem)
		}
	}
	notes = append(notes, r.unread()...)
	for _, p := range r.Errors {
		notes = append(notes, p.Error())
	}
	for _, note := range notes {
		blocks = append(blocks, markdown.Line(note))
	}
	blocks = append(blocks, markdown.Line(r.verdict()))
	return markdown.Fprint(w, markdown.Join(blocks, "\n\n")+"\n")
}

func markdownTable(table [][]string) markdown.Text {
	var heading, ruler []markdown.Text
	for _, name := range table[0] {
		heading, ruler = append(heading, markdown.Line(name)), append(ruler, "---")
	}
	lines := []markdown.Text{markdown.Row(heading...), markdown.Row(ruler...)}
	for _, row := range table[1:] {
		cells := []markdown.Text{markdown.Line(row[0])}
		for _, cell := range row[1:] {
			cells = append(cells, markdown.Line(cell))
		}
		lines = append(lines, markdown.Row(cells...))
	}
	return markdown.Join(lines, "\n")
}

func firingsOf(r *Report, list []Firing, more int) markdown.Text {
	var lines []markdown.Text
	for _, f := range list {
		lines = append(lines, "- "+commitLine(f.Commit))
		lines = append(lines, lackLines(r, f, "")...)
	}
	if more > 0 {
		lines = append(lines, markdown.Sprintf("- and %d more", more))
	}
	return markdown.Join(lines, "\n")
}

// markdownList lists the units in which rules fired, newest first.
func markdownList(r *Report) markdown.Text {
	var lines []markdown.Text
	unit := -1
	for _, f := range r.list() {
		if f.unit != unit {
			lines = append(lines, "- "+commitLine(f.Commit))
		}
		unit = f.unit
		if f.other != "" {
			lines = append(lines, "  - "+markdown.Line(f.of.ID)+": "+markdown.Line(string(f.other)))
		}
		lines = append(lines, lackLines(r, f.Firing, markdown.Line(f.of.ID)+": ")...)
	}
	return markdown.Join(lines, "\n")
}

// commitLine names a commit, with a link to its page if that is known.
func commitLine(c Commit) markdown.Text {
	id := markdown.Line(report.ShortCommit(c.ID))
	if link, ok := markdown.Link(id, c.URL); ok {
		id = link
	}
	return markdown.Sprintf("%s %s %s", id, day(c.Time), c.Subject)
}

func lackLines(r *Report, f Firing, rule markdown.Text) []markdown.Text {
	var lines []markdown.Text
	list, more := r.lacks(f)
	for _, lack := range list {
		files, expected, message := lack.words()
		item := "  - " + rule + markdown.Code(files)
		switch {
		case expected != "":
			item += " → " + markdown.Code(expected)
		case message != "":
			item += ": " + markdown.Line(message)
		}
		lines = append(lines, item)
	}
	if more > 0 {
		lines = append(lines, markdown.Sprintf("  - and %d more", more))
	}
	return lines
}
