package replay

import (
	"io"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeText(w io.Writer, r *Report) error {
	b := textBuilder{width: r.View.Width}
	b.line("%s\n", r.scope())
	if r.View.List || r.View.Cases {
		b.list(r)
	} else {
		b.rules(r)
	}
	if address := r.forge.Commit("COMMIT"); address != "" && len(r.list()) > 0 {
		b.line("\nto see a commit: %s\n", address)
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
	for _, unread := range r.unread() {
		b.line("\nerror: %s\n", unread)
	}
	for _, p := range r.Errors {
		b.line("\nerror: %s\n", p.Error())
	}
	b.line("\n%s\n", r.verdict())
	return plain.Fprint(w, b.text)
}

// textBuilder collects a text.
type textBuilder struct {
	text  plain.Text
	width int // of a terminal; 0: nothing is wrapped
}

func (b *textBuilder) line(format plain.Text, args ...any) {
	lines := plain.Sprintf(format, args...).Split("\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(string(line), " ")) + 2
		lines[i] = wrap.Line(line, b.width, indent)
	}
	b.text += plain.Join(lines, "\n")
}

// rules writes the counts of each rule, and the newest units in which it fired.
func (b *textBuilder) rules(r *Report) {
	applied := r.applied()
	if len(applied) > 0 {
		table := tableOf(applied)
		rows := [][]plain.Text{append(texts(table[0]), "trend")}
		for i, of := range applied {
			rows = append(rows, append(texts(table[i+1]), plain.Line(of.trend())))
		}
		least := []plain.Text{"per 100", "trend", "last"}
		if !slices.ContainsFunc(applied, func(of *RuleHistory) bool { return of.Waived > 0 }) {
			least = slices.Insert(least, 0, "waived")
		}
		b.text += "\n" + wrap.Table(wrap.Fit(rows, r.View.Width, least...), r.View.Width)
	}
	for _, of := range applied {
		list, more := r.fired(of)
		if len(list) > 0 {
			b.line("\n%s\n", of.ID)
		}
		for _, f := range list {
			b.commit("  ", f.Commit)
			b.lacks(r, f, "    ", "")
		}
		if len(list) > 0 && more > 0 {
			b.line("  and %d more; to see them, add --all\n", more)
		}
	}
}

// list writes the units in which rules fired, newest first.
func (b *textBuilder) list(r *Report) {
	unit := -1
	for _, f := range r.list() {
		if f.unit != unit {
			b.line("\n")
			b.commit("", f.Commit)
		}
		unit = f.unit
		if f.other != "" {
			b.line("  %s: %s\n", f.of.ID, string(f.other))
		}
		b.lacks(r, f.Firing, "  ", f.of.ID+": ")
	}
}

func (b *textBuilder) commit(indent plain.Text, c Commit) {
	b.line("%s%s %s %s\n", indent, report.ShortCommit(c.ID), day(c.Time), report.Truncate(c.Subject, 60))
}

func (b *textBuilder) lacks(r *Report, f Firing, indent plain.Text, rule string) {
	list, more := r.lacks(f)
	for _, lack := range list {
		words := lack.textWords()
		words[0] = indent + plain.Line(rule) + words[0]
		b.text += wrap.Join(words, b.width, len(indent)+2) + "\n"
	}
	if more > 0 {
		b.line("%sand %d more\n", indent, more)
	}
}

func texts(list []string) []plain.Text {
	cells := make([]plain.Text, 0, len(list)+1)
	for _, s := range list {
		cells = append(cells, plain.Line(s))
	}
	return cells
}
