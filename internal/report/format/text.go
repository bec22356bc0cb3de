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
	green  style = "1;32"
	yellow style = "1;33"
)

var levelStyles = map[finding.Level]style{finding.Error: red, finding.Warning: yellow, finding.Note: strong}

// painter adds ANSI colours; false leaves text as it is.
type painter bool

func (p painter) paint(s style, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// writeText writes sections separated by empty lines. The summary comes last,
// where it stays visible on a terminal.
func writeText(w io.Writer, r *report.Report, o Options) error {
	p := painter(o.Color)
	var all []string // lines
	section := func(lines []string) {
		if len(all) > 0 && len(lines) > 0 {
			all = append(all, "")
		}
		all = append(all, lines...)
	}
	groups, honoured, refused := r.ShortGroups()
	if o.Verbose {
		groups, honoured, refused = wholeGroups(r)
	}
	for _, g := range groups {
		section(p.group(g, o.Verbose))
	}
	if !o.Quiet {
		section(p.waivers("waived:", honoured))
		section(p.waivers("not waived:", refused))
		section(p.notices(r.Notices))
		section(p.logs(r, o.Verbose))
	}
	section(p.problems(r.Errors))
	if o.Verbose {
		section(append(p.rules(r.Rules), p.sandbox(r)...))
	}
	if !o.Quiet {
		section(append(p.baselines(r, o.Verbose), p.summary(r)...))
	}
	if len(all) == 0 {
		return nil
	}
	_, err := io.WriteString(w, withoutCommands(strings.Join(append(all, ""), "\n")))
	return err
}

func (p painter) group(g report.Group, verbose bool) []string {
	title := finding.Visible(g.Rule.Name)
	head := p.paint(levelStyles[g.Rule.Level], string(g.Rule.Level)+":") + " " + p.paint(strong, title)
	if title != finding.Visible(g.Rule.ID) {
		head += p.paint(faint, " ("+finding.Visible(g.Rule.ID)+")")
	}
	lines := []string{head}
	for n, part := range g.Parts {
		if n > 0 {
			lines = append(lines, "")
		}
		for _, e := range part.Entries {
			lines = append(lines, "  "+p.entry(e))
			if verbose && e.Session != nil {
				for _, event := range e.Session.Recent {
					lines = append(lines, "      "+p.paint(faint, finding.Visible(report.EventLine(event))))
				}
			}
		}
		if part.Body == "" {
			continue
		}
		lines = append(lines, "")
		for _, line := range report.VisibleLines(part.Body) {
			lines = append(lines, strings.TrimRight("    "+line, " \t"))
		}
	}
	return append(lines, p.more(g.More)...)
}

func (p painter) entry(e report.Entry) string {
	names := make([]string, 0, len(e.Files))
	for _, f := range e.Files {
		name := finding.Visible(f.Path)
		if f.Line > 0 {
			name += p.paint(faint, fmt.Sprintf(":%d", f.Line))
		}
		if f.Gone != "" {
			name += p.paint(faint, " ("+f.Gone+")")
		}
		names = append(names, name)
	}
	line := strings.Join(names, ", ") + report.AndMore(e.More)
	if len(e.Expected) > 0 {
		line += p.paint(faint, " → ") + visibleList(e.Expected) + report.AndMore(e.MoreExpected)
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

// wholeGroups returns the groups of a verbose report, which lists everything.
func wholeGroups(r *report.Report) (groups []report.Group, honoured, refused report.Waivers) {
	groups, waivers := r.Groups()
	for _, e := range waivers {
		if e.Waiver.NotHonoured == "" {
			honoured.Entries = append(honoured.Entries, e)
		} else {
			refused.Entries = append(refused.Entries, e)
		}
	}
	return groups, honoured, refused
}

// more returns the line for findings that are not listed.
func (p painter) more(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{p.paint(faint, fmt.Sprintf("  and %d more; --verbose lists them", n))}
}

// waivers lists waived findings; those with the same waiver share one line for it.
func (p painter) waivers(title string, w report.Waivers) []string {
	if len(w.Entries) == 0 {
		return nil
	}
	lines := []string{p.paint(strong, title)}
	for i, e := range w.Entries {
		lines = append(lines, "  "+finding.Visible(e.Rule)+": "+p.entry(e))
		if i+1 == len(w.Entries) || w.Entries[i+1].Rule != e.Rule || *w.Entries[i+1].Waiver != *e.Waiver {
			lines = append(lines, "    "+p.waiver(e.Waiver))
		}
	}
	return append(lines, p.more(w.More)...)
}

// waiver writes a waiver's reason, its source, and why it is not honoured.
func (p painter) waiver(w *finding.Waiver) string {
	text := finding.Visible(w.Reason) + p.paint(faint, " ("+finding.Visible(report.WaiverSource(w))+")")
	if w.NotHonoured != "" {
		text += "; not honoured: " + finding.Visible(w.NotHonoured)
	}
	return text
}

func (p painter) notices(notices []string) []string {
	lines := make([]string, 0, len(notices))
	for _, notice := range notices {
		lines = append(lines, p.paint(strong, "notice:")+" "+finding.Visible(notice))
	}
	return lines
}

func (p painter) problems(problems []finding.Problem) []string {
	lines := make([]string, 0, len(problems))
	for _, problem := range problems {
		where := cmp.Or(report.Position(problem.File, problem.Line, problem.Column), "error")
		lines = append(lines, p.paint(red, finding.Visible(where)+":")+" "+finding.Visible(problem.Message))
	}
	return lines
}

func (p painter) baselines(r *report.Report, verbose bool) []string {
	var lines []string
	for _, b := range r.Baselines {
		lines = append(lines, finding.Visible(b.String()))
		if !verbose {
			continue
		}
		for _, c := range r.Changes[b.ID] {
			lines = append(lines, p.change(c))
		}
	}
	return lines
}

func (p painter) change(c diff.Change) string {
	status := string(c.Status)
	if c.Untracked {
		status = "untracked"
	}
	line := "  " + p.paint(faint, fmt.Sprintf("%-12s", status)) + " "
	if c.OldPath != "" {
		line += finding.Visible(c.OldPath) + p.paint(faint, " → ")
	}
	return line + finding.Visible(c.Path)
}

// sandbox returns the line about the sandbox of commands, for a verbose run.
func (p painter) sandbox(r *report.Report) []string {
	if r.Sandbox == "" {
		return nil
	}
	return []string{p.paint(faint, "sandbox of commands:") + " " + r.Sandbox}
}

// rules lists the rules that were checked, for a verbose run.
func (p painter) rules(rules []report.Rule) []string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, p.paint(faint, "checked:")+" "+finding.Visible(r.ID)+p.paint(faint, " ("+finding.Visible(r.Mode)+")"))
	}
	return lines
}
