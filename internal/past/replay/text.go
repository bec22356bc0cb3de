package replay

import (
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeText(w io.Writer, r *Report) error {
	var b textBuilder
	b.line("%s\n", r.scope())
	applied := r.applied()
	if len(applied) > 0 {
		table := tableOf(applied)
		rows := [][]plain.Text{append(texts(table[0]), "trend")}
		for i, of := range applied {
			rows = append(rows, append(texts(table[i+1]), plain.Line(of.trend())))
		}
		b.line("\n%s", plain.Table(rows))
	}
	for _, of := range applied {
		list, more := of.fired()
		if len(list) > 0 {
			b.line("\n%s\n", of.ID)
		}
		for _, f := range list {
			b.firing(f)
		}
		if len(list) > 0 && more > 0 {
			b.line("  and %d more\n", more)
		}
	}
	if ids := r.silent(); len(ids) > 0 && r.Units > 0 {
		b.line("\nnever applied: %s\n", strings.Join(ids, ", "))
	}
	if len(r.Skipped) > 0 {
		b.line("\nnot replayed: %s\n", strings.Join(r.Skipped, ", "))
	}
	for _, notice := range r.Notices {
		b.line("\nnotice: %s\n", notice)
	}
	for i := range r.Rules {
		if of := &r.Rules[i]; of.Unknown > 0 {
			b.line("\nerror: %s could not be checked on %s, the first because: %s\n", of.ID, report.Count(of.Unknown, "commit"), of.Problem)
		}
	}
	for _, p := range r.Errors {
		b.line("\nerror: %s\n", p.Error())
	}
	b.line("\n%s\n", r.verdict())
	return plain.Fprint(w, b.text)
}

// textBuilder collects a text.
type textBuilder struct{ text plain.Text }

func (b *textBuilder) line(format plain.Text, args ...any) { b.text += plain.Sprintf(format, args...) }

func (b *textBuilder) firing(f Firing) {
	b.line("  %s %s %s\n", report.ShortCommit(f.ID), day(f.Time), report.Truncate(f.Subject, 60))
	for i, lack := range f.Findings {
		if i == shownFirings {
			b.line("    and %d more\n", len(f.Findings)-i)
			return
		}
		files, expected := lack.missing()
		if expected != "" {
			b.line("    %s → %s\n", files, expected)
		} else {
			b.line("    %s\n", files)
		}
	}
}

func texts(list []string) []plain.Text {
	cells := make([]plain.Text, 0, len(list)+1)
	for _, s := range list {
		cells = append(cells, plain.Line(s))
	}
	return cells
}
