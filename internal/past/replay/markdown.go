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
	if len(applied) > 0 {
		blocks = append(blocks, markdownTable(tableOf(applied)))
	}
	for _, of := range applied {
		if list, more := of.fired(); len(list) > 0 {
			blocks = append(blocks, "## "+markdown.Line(of.Name), firingsOf(list, more))
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
		cells := []markdown.Text{markdown.Name(row[0])}
		for _, cell := range row[1:] {
			cells = append(cells, markdown.Line(cell))
		}
		lines = append(lines, markdown.Row(cells...))
	}
	return markdown.Join(lines, "\n")
}

func firingsOf(list []Firing, more int) markdown.Text {
	var lines []markdown.Text
	for _, f := range list {
		lines = append(lines, markdown.Sprintf("- %s %s %s", report.ShortCommit(f.ID), day(f.Time), f.Subject))
		for i, lack := range f.Findings {
			if i == shownFirings {
				lines = append(lines, markdown.Sprintf("  - and %d more", len(f.Findings)-i))
				break
			}
			files, expected := lack.missing()
			item := "  - " + markdown.Code(files)
			if expected != "" {
				item += " → " + markdown.Code(expected)
			}
			lines = append(lines, item)
		}
	}
	if more > 0 {
		lines = append(lines, markdown.Sprintf("- and %d more", more))
	}
	return markdown.Join(lines, "\n")
}
