package format

import (
	"cmp"
	"io"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
)

// ANSI attributes: the numbers between ESC [ and m.
const (
	strong plain.Text = "1"
	faint  plain.Text = "2"
	red    plain.Text = "1;31"
	green  plain.Text = "1;32"
	yellow plain.Text = "1;33"
	cyan   plain.Text = "1;36"
)

var levelStyles = map[finding.Level]plain.Text{finding.Error: red, finding.Warning: yellow, finding.Note: cyan}

// painter lays out lines for a terminal. The zero value has no colours and wraps nothing.
type painter struct {
	color bool
	width int // in columns; 0: lines are not wrapped
}

func (p painter) paint(style, text plain.Text) plain.Text {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// writeText writes sections separated by empty lines. The summary comes last,
// where it stays visible on a terminal.
func writeText(w io.Writer, r *report.Report, o Options) error {
	p := painter{o.Color, o.Width}
	var all []plain.Text // lines
	section := func(lines []plain.Text) {
		if len(all) > 0 && len(lines) > 0 {
			all = append(all, "")
		}
		all = append(all, lines...)
	}
	groups, honoured, refused := r.ShortGroups()
	if o.Verbose {
		groups, honoured, refused = wholeGroups(r)
	}
	brief := o.Hook && !o.Verbose && r.Passed() && r.Summary.Skipped+r.Summary.NotRun == 0 && !slices.ContainsFunc(r.Findings, ofHook)
	if !brief { // else the hook for the message reports what is left to it
		for _, g := range groups {
			section(p.group(g, o.Verbose))
		}
	}
	if !o.Quiet {
		section(p.stack(r))
		section(p.waivers(waivedTitle(r), honoured))
		section(p.waivers("not waived:", refused))
		section(p.notices(r.Notices))
		section(p.logs(r, o.Verbose))
		section(p.coverage(r, o.Verbose))
		section(p.compared(r))
	}
	section(p.problems(r.Errors))
	if o.Verbose {
		section(append(p.rules(r.Rules), p.sandbox(r)...))
		section(p.activity(r))
	}
	if !o.Quiet && !brief {
		section(append(p.baselines(r, o.Verbose), p.summary(r)...))
	}
	if len(all) == 0 {
		return nil
	}
	return plain.Fprint(w, plain.Join(append(all, ""), "\n"))
}

// ofHook reports whether a hook that lets the commit pass reports a finding: not one that is
// waived or left to the message.
func ofHook(f finding.Finding) bool { return !f.Waived() && !f.Deferred }

func (p painter) group(g report.Group, verbose bool) []plain.Text {
	head := p.paint(levelStyles[g.Rule.Level], plain.Sprintf("%s:", g.Rule.Level)) + " " + p.paint(strong, plain.Line(g.Rule.Name))
	if g.Rule.Name != g.Rule.ID {
		head += p.paint(faint, plain.Sprintf(" (%s)", g.Rule.ID))
	}
	lines := []plain.Text{wrap.Line(head, p.width, 2)}
	for n, part := range g.Parts {
		if n > 0 {
			lines = append(lines, "")
		}
		for _, e := range part.Entries {
			lines = append(lines, wrap.Join(p.entry("  ", e), p.width, 6))
			if verbose && e.Session != nil {
				for _, event := range e.Session.Recent {
					lines = append(lines, "      "+p.paint(faint, plain.Line(report.EventLine(event))))
				}
			}
		}
		if len(g.Parts) == 1 {
			lines = append(lines, p.more(g.More)...)
		}
		if part.Body == "" {
			continue
		}
		lines = append(append(lines, ""), wrap.Block(plain.Lines(part.Body), p.width, 4)...)
	}
	if len(g.Parts) > 1 {
		lines = append(lines, p.more(g.More)...)
	}
	return lines
}

// entry returns the words of an entry, in which a path is one word, after a prefix.
func (p painter) entry(prefix plain.Text, e report.Entry) []plain.Text {
	var words []plain.Text
	for i, f := range e.Files {
		name := plain.Line(f.Path)
		if f.Line > 0 {
			name += p.paint(faint, plain.Sprintf(":%d", f.Line))
		}
		if f.Gone != "" {
			name += p.paint(faint, plain.Sprintf(" (%s)", f.Gone))
		}
		if i < len(e.Files)-1 {
			name += ","
		}
		words = append(words, name)
	}
	words = append(words, more(e.More)...)
	if len(e.Expected) > 0 {
		words = append(words, p.paint(faint, "→"))
		for i, path := range e.Expected {
			name := plain.Line(path)
			switch {
			case i == len(e.Expected)-1:
			case e.ExpectedAny:
				words = append(words, name)
				name = "or"
			default:
				name += ","
			}
			words = append(words, name)
		}
		words = append(words, more(e.MoreExpected)...)
	}
	if e.Commits != "" {
		words = append(words, p.paint(faint, plain.Line(e.Commits)))
	}
	if e.Message != "" {
		words[len(words)-1] += ":"
		words = append(words, wrap.Words(plain.Line(e.FullMessage()))...)
	}
	words[0] = prefix + words[0]
	return words
}

// more returns the words that end a list which leaves out n elements.
func more(n int) []plain.Text {
	if n == 0 {
		return nil
	}
	return []plain.Text{plain.Sprintf("and %d more", n)}
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
func (p painter) more(n int) []plain.Text {
	if n == 0 {
		return nil
	}
	return []plain.Text{p.paint(faint, plain.Sprintf("  and %d more; --verbose lists them", n))}
}

// waivedTitle is the title of the findings that do not count.
func waivedTitle(r *report.Report) plain.Text {
	switch r.Summary.Repaired {
	case 0:
		return "waived:"
	case r.Summary.Waived:
		return "repaired in the stack:"
	default:
		return "waived, or repaired in the stack:"
	}
}

// stack lists the commits of a stack with their verdicts.
func (p painter) stack(r *report.Report) []plain.Text {
	if len(r.Stack) == 0 {
		return nil
	}
	lines := []plain.Text{p.paint(strong, "stack, oldest first:")}
	for _, c := range r.Stack {
		lines = append(lines, wrap.Line("  "+plain.Line(c.Line()), p.width, 4))
	}
	return lines
}

// waivers lists waived findings; those with the same waiver share one line for it.
func (p painter) waivers(title plain.Text, w report.Waivers) []plain.Text {
	if len(w.Entries) == 0 {
		return nil
	}
	lines := []plain.Text{p.paint(strong, title)}
	for i, e := range w.Entries {
		lines = append(lines, wrap.Join(p.entry("  "+plain.Line(e.Rule)+": ", e), p.width, 6))
		if i+1 == len(w.Entries) || w.Entries[i+1].Rule != e.Rule || *w.Entries[i+1].Waiver != *e.Waiver {
			lines = append(lines, wrap.Line("    "+p.waiver(e.Waiver), p.width, 4))
		}
	}
	return append(lines, p.more(w.More)...)
}

// waiver writes a waiver's reason, its source, and why it is not honoured.
func (p painter) waiver(w *finding.Waiver) plain.Text {
	text := plain.Line(w.Reason) + p.paint(faint, plain.Sprintf(" (%s)", report.WaiverSource(w)))
	if w.NotHonoured != "" {
		text += "; not honoured: " + plain.Line(w.NotHonoured)
	}
	return text
}

func (p painter) notices(notices []string) []plain.Text {
	lines := make([]plain.Text, 0, len(notices))
	for _, notice := range notices {
		lines = append(lines, wrap.Line(p.paint(strong, "notice:")+" "+plain.Line(notice), p.width, 2))
	}
	return lines
}

func (p painter) problems(problems []finding.Problem) []plain.Text {
	lines := make([]plain.Text, 0, len(problems))
	for _, problem := range problems {
		where := cmp.Or(report.Position(problem.File, problem.Line, problem.Column), "error")
		lines = append(lines, wrap.Join(append([]plain.Text{p.paint(red, plain.Line(where)+":")}, wrap.Words(plain.Line(problem.Message))...), p.width, 2))
	}
	return lines
}

func (p painter) baselines(r *report.Report, verbose bool) []plain.Text {
	var lines []plain.Text
	for _, b := range r.Baselines {
		lines = append(lines, wrap.Line(plain.Line(b.String()), p.width, 2))
		if !verbose {
			continue
		}
		for _, c := range r.Changes[b.ID] {
			lines = append(lines, p.change(c))
		}
	}
	return lines
}

func (p painter) change(c diff.Change) plain.Text {
	status := string(c.Status)
	if c.Untracked {
		status = "untracked"
	}
	line := "  " + p.paint(faint, plain.Sprintf("%-12s", status)) + " "
	if c.OldPath != "" {
		line += plain.Line(c.OldPath) + p.paint(faint, " → ")
	}
	return line + plain.Line(c.Path)
}

// sandbox returns the line about the sandbox of commands, for a verbose run.
func (p painter) sandbox(r *report.Report) []plain.Text {
	if r.Sandbox == "" {
		return nil
	}
	return []plain.Text{p.paint(faint, "sandbox of commands:") + " " + plain.Line(r.Sandbox)}
}

// rules lists the rules that were checked, for a verbose run.
func (p painter) rules(rules []report.Rule) []plain.Text {
	var lines []plain.Text
	for _, r := range rules {
		lines = append(lines, p.paint(faint, "checked:")+" "+plain.Line(r.ID)+p.paint(faint, plain.Sprintf(" (%s)", r.Mode)))
	}
	return lines
}
