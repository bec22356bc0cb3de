package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// style is an ANSI attribute: the numbers between ESC [ and m.
type style string

const (
	strong style = "1"
	faint  style = "2"
	red    style = "1;31"
	purple style = "1;35"
)

// Yellow and cyan cannot be read on a light background; compilers paint
// warnings purple for that reason.
var levelStyles = map[finding.Level]style{finding.Error: red, finding.Warning: purple, finding.Note: strong}

// ink paints text where colour is wanted.
type ink bool

func (i ink) paint(s style, text string) string {
	if !i || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// writeText writes sections with an empty line between them; what people look
// for first, the summary, comes last, where a terminal leaves the eye.
func writeText(w io.Writer, r *report.Report, o Options) error {
	i := ink(o.Color)
	var all []string // lines
	section := func(lines []string) {
		if len(all) > 0 && len(lines) > 0 {
			all = append(all, "")
		}
		all = append(all, lines...)
	}
	groups, waivers := r.Groups()
	for _, g := range groups {
		section(i.group(g, o.Verbose))
	}
	if !o.Quiet {
		honoured, refused := byHonour(waivers)
		section(i.waivers("waived:", honoured))
		section(i.waivers("not waived:", refused))
		section(i.notices(r.Notices))
		section(i.logs(r, o.Verbose))
	}
	section(i.problems(r.Errors))
	if o.Verbose {
		section(i.judged(r.Rules))
	}
	if !o.Quiet {
		section(append(i.baselines(r, o.Verbose), i.summary(r)...))
	}
	if len(all) == 0 {
		return nil
	}
	_, err := io.WriteString(w, inert(strings.Join(append(all, ""), "\n")))
	return err
}

func (i ink) group(g report.Group, verbose bool) []string {
	title := finding.Visible(g.Rule.Name)
	head := i.paint(levelStyles[g.Rule.Level], string(g.Rule.Level)+":") + " " + i.paint(strong, title)
	if title != finding.Visible(g.Rule.ID) {
		head += i.paint(faint, " ("+finding.Visible(g.Rule.ID)+")")
	}
	lines := []string{head}
	for n, p := range g.Parts {
		if n > 0 {
			lines = append(lines, "")
		}
		for _, e := range p.Entries {
			lines = append(lines, "  "+i.entry(e))
			if verbose && e.Session != nil {
				for _, event := range e.Session.Recent {
					lines = append(lines, "      "+i.paint(faint, finding.Visible(report.EventLine(event))))
				}
			}
		}
		if p.Body == "" {
			continue
		}
		lines = append(lines, "")
		for _, line := range report.VisibleLines(p.Body) {
			lines = append(lines, strings.TrimRight("    "+line, " \t"))
		}
	}
	return lines
}

func (i ink) entry(e report.Entry) string {
	names := make([]string, 0, len(e.Files))
	for _, f := range e.Files {
		name := finding.Visible(f.Path)
		if f.Line > 0 {
			name += i.paint(faint, fmt.Sprintf(":%d", f.Line))
		}
		if f.Gone != "" {
			name += i.paint(faint, " ("+f.Gone+")")
		}
		names = append(names, name)
	}
	line := strings.Join(names, ", ") + report.AndMore(e.More)
	if len(e.Expected) > 0 {
		line += i.paint(faint, " → ") + visibleList(e.Expected)
	}
	if e.Message != "" {
		line += ": " + finding.Visible(e.FullMessage())
	}
	return line
}

func visibleList(paths []string) string {
	names := make([]string, 0, len(paths))
	for _, path := range paths {
		names = append(names, finding.Visible(path))
	}
	return strings.Join(names, ", ")
}

// byHonour parts the waivers that count from those that do not.
func byHonour(waivers []report.Entry) (honoured, refused []report.Entry) {
	for _, e := range waivers {
		if e.Waiver.NotHonoured == "" {
			honoured = append(honoured, e)
		} else {
			refused = append(refused, e)
		}
	}
	return honoured, refused
}

func (i ink) waivers(title string, entries []report.Entry) []string {
	if len(entries) == 0 {
		return nil
	}
	lines := []string{i.paint(strong, title)}
	for _, e := range entries {
		lines = append(
			lines,
			"  "+finding.Visible(e.Rule)+": "+i.entry(e),
			"    "+i.excuse(e.Waiver),
		)
	}
	return lines
}

// excuse is a waiver's reason, where it was found, and why it does not count.
func (i ink) excuse(w *finding.Waiver) string {
	text := finding.Visible(w.Reason) + i.paint(faint, " ("+finding.Visible(report.WaiverSource(w))+")")
	if w.NotHonoured != "" {
		text += "; not honoured: " + finding.Visible(w.NotHonoured)
	}
	return text
}

func (i ink) notices(notices []string) []string {
	lines := make([]string, 0, len(notices))
	for _, notice := range notices {
		lines = append(lines, i.paint(strong, "notice:")+" "+finding.Visible(notice))
	}
	return lines
}

func (i ink) problems(problems []finding.Problem) []string {
	lines := make([]string, 0, len(problems))
	for _, p := range problems {
		where := cmp.Or(report.Position(p.File, p.Line, p.Column), "error")
		lines = append(lines, i.paint(red, finding.Visible(where)+":")+" "+finding.Visible(p.Message))
	}
	return lines
}

func (i ink) baselines(r *report.Report, verbose bool) []string {
	var lines []string
	for _, b := range r.Baselines {
		lines = append(lines, finding.Visible(b.String()))
		if !verbose {
			continue
		}
		for _, c := range r.Changes[b.ID] {
			lines = append(lines, i.change(c))
		}
	}
	return lines
}

func (i ink) change(c diff.Change) string {
	status := string(c.Status)
	if c.Untracked {
		status = "untracked"
	}
	line := "  " + i.paint(faint, fmt.Sprintf("%-12s", status)) + " "
	if c.OldPath != "" {
		line += finding.Visible(c.OldPath) + i.paint(faint, " → ")
	}
	return line + finding.Visible(c.Path)
}

// judged lists the rules that were judged, for a verbose run.
func (i ink) judged(rules []report.Rule) []string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, i.paint(faint, "judged:")+" "+finding.Visible(r.ID)+i.paint(faint, " ("+finding.Visible(r.Mode)+")"))
	}
	return lines
}
