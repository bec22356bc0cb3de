package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/interrupt"
	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// tellJSON prints an answer for programs.
func (p *process) tellJSON(answer any) error {
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(answer)
}

// tellStart prints the id of a session on a line of its own, and the prompt.
func (p *process) tellStart(f *flowFlags, r *phase.Reply) error {
	if f.format == flowJSON {
		return p.tellJSON(r)
	}
	if r.Resumed {
		r.Notices = append(r.Notices, "the session was open already, in phase "+r.Phase)
	}
	p.tellNotices(r.Notices)
	fmt.Fprintf(p.stdout, "%s\n\n%s", r.Session, lines(r.Prompt))
	return nil
}

// tellReply prints an answer: a refusal, a phase, or the prompt or what is in
// its place.
func (p *process) tellReply(f *flowFlags, r *phase.Reply) error {
	if r.Refused {
		p.status = max(p.status, statusFindings)
	}
	if f.format == flowJSON {
		return p.tellJSON(r)
	}
	p.tellNotices(r.Notices)
	switch {
	case r.Refused:
		p.tellRefusal(r)
	case r.Shown != nil:
		p.tellShown(r)
	case r.Interrupt != nil && f.withPrompt:
		fmt.Fprint(p.stdout, interrupt.WithPrompt(r.Interrupt.Text, lines(r.Prompt)))
	case r.Interrupt != nil:
		fmt.Fprint(p.stdout, r.Interrupt.Text)
	default:
		if r.WorkflowComplete {
			fmt.Fprintf(p.stdout, "The workflow %s is complete.\n", finding.Visible(r.Workflow))
		}
		fmt.Fprint(p.stdout, lines(r.Prompt))
	}
	return nil
}

// tellRefusal prints why nothing came about, and the content of the phase that
// one is in.
func (p *process) tellRefusal(r *phase.Reply) {
	line := func(format string, args ...any) { fmt.Fprintf(p.stdout, format+"\n", args...) }
	line("%s", finding.Visible(r.Message))
	for _, more := range []string{r.Reason, r.RequiredAction} {
		if more != "" {
			line("%s", finding.Visible(more))
		}
	}
	for _, missing := range r.MissingEvidence {
		line("  - %s", finding.Visible(missing))
	}
	for _, u := range r.Unmet {
		line("  - %s (%s): %s", finding.Visible(u.ID), u.Kind, finding.Visible(u.Reason))
	}
	if len(r.Examples) > 0 {
		line("Example: %s", oneLine(r.Examples))
	}
	if r.Progress != nil {
		line("Progress: %s of %d completed, now in %s", completedOf(r.Progress), r.Progress.Total, finding.Visible(r.Progress.Current))
	}
	switch {
	case r.Interrupt != nil:
		fmt.Fprintf(p.stdout, "\n---\n\n%s", r.Interrupt.Text)
	case r.CurrentContent != nil && r.CurrentContent.Text != "":
		fmt.Fprintf(p.stdout, "\n---\n\n%s", lines(r.CurrentContent.Text))
	}
}

func completedOf(progress *store.Progress) string {
	if len(progress.Completed) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%s)", len(progress.Completed), finding.Visible(strings.Join(progress.Completed, ", ")))
}

// tellShown prints a phase with what its gate asks for, and what earlier ones
// hand on.
func (p *process) tellShown(r *phase.Reply) {
	fmt.Fprint(p.stdout, lines(r.Text))
	if r.Criteria != nil && len(r.Criteria.RequiredEvidence) > 0 {
		fmt.Fprintln(p.stdout, "\nEvidence:")
		for _, name := range slices.Sorted(maps.Keys(r.Criteria.RequiredEvidence)) {
			of := r.Criteria.RequiredEvidence[name]
			optional := ""
			if !of.Required {
				optional = ", optional"
			}
			fmt.Fprintf(p.stdout, "  - %s: %s, %s%s%s\n", finding.Visible(name), of.Type, finding.Visible(of.Validator), optional, finding.Visible(after(": ", of.Description)))
		}
	}
	if len(r.FromPrevious) > 0 {
		fmt.Fprintf(p.stdout, "\nArtifacts: %s\n", oneLine(r.FromPrevious))
	}
	fmt.Fprintf(p.stdout, "\nSources: %s (about %s)\n", finding.Visible(strings.Join(r.Sources, ", ")), report.Count(r.TotalTokens, "token"))
}

// after is a text behind a separator; nothing, if it is empty.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// tellStatus prints how a session stands.
func (p *process) tellStatus(f *flowFlags, s *phase.Status) error {
	if f.format == flowJSON {
		return p.tellJSON(s)
	}
	p.tellNotices(s.Notices)
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	row := func(name, value string) { fmt.Fprintf(w, "%s\t%s\n", name, finding.Visible(value)) }
	row("session", s.Session)
	row("workflow", s.Workflow)
	row("target", cmp.Or(s.Target, "none"))
	row("status", string(s.State.Status))
	row("phase", fmt.Sprintf("%s, since %s", s.Phase, s.State.EnteredAt.Format(time.RFC3339)))
	row("completed", fmt.Sprintf("%s of %d", completedOf(s.Progress), s.Progress.Total))
	for _, id := range slices.Sorted(maps.Keys(s.State.Approvals)) {
		row("approval", id+": "+string(s.State.Approvals[id].Decision))
	}
	return w.Flush()
}

func (p *process) tellList(f *flowFlags, l *phase.List) error {
	if f.format == flowJSON {
		return p.tellJSON(l)
	}
	p.tellNotices(l.Notices)
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, one := range l.Workflows {
		problems := ""
		if one.Problems > 0 {
			problems = "  (" + report.Count(one.Problems, "problem") + "; see rulecheck workflow lint " + one.Name + ")"
		}
		fmt.Fprintf(w, "%s\t%s%s\n", finding.Visible(one.Name), finding.Visible(strings.Join(one.Phases, ", ")), finding.Visible(problems))
	}
	if len(l.Sessions) > 0 {
		fmt.Fprintln(w)
	}
	for _, s := range l.Sessions {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s%s\n", s.ID, s.Status, finding.Visible(s.Workflow), finding.Visible(s.Phase), after("\t", finding.Visible(s.Target)))
	}
	return w.Flush()
}

func (p *process) tellHits(f *flowFlags, hits []workflow.Hit) error {
	if f.format == flowJSON {
		return p.tellJSON(map[string][]workflow.Hit{"hits": append([]workflow.Hit{}, hits...)})
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		fmt.Fprintf(p.stdout, "%s:%d: %s (%s)\n%s", finding.Visible(h.File), h.Line, finding.Visible(h.Heading), finding.Visible(h.Phase), lines(strings.TrimSpace(h.Text)))
	}
	if len(hits) == 0 {
		fmt.Fprintln(p.stdout, "nothing found in the documents of the current phase and those completed")
	}
	return nil
}

// tellLint prints what is wrong with workflows, and what may be.
func (p *process) tellLint(f *flowFlags, l *phase.Lint) error {
	if len(l.Problems) > 0 {
		p.status = statusUsage
	}
	if f.format == flowJSON {
		return p.tellJSON(map[string][]finding.Problem{"errors": append([]finding.Problem{}, l.Problems...), "notices": append([]finding.Problem{}, l.Notes...)})
	}
	for _, problem := range l.Problems {
		fmt.Fprintln(p.stderr, finding.Visible(problem.Error()))
	}
	for _, note := range l.Notes {
		fmt.Fprintln(p.stdout, "notice: "+finding.Visible(note.Error()))
	}
	return nil
}

func (p *process) tellRecovered(f *flowFlags, recovered []store.Recovery) error {
	if f.format == flowJSON {
		return p.tellJSON(map[string][]store.Recovery{"sessions": append([]store.Recovery{}, recovered...)})
	}
	mended := 0
	for _, r := range recovered {
		for _, note := range r.Notes {
			mended++
			fmt.Fprintf(p.stdout, "%s: %s\n", r.ID, finding.Visible(note))
		}
	}
	if mended == 0 {
		fmt.Fprintln(p.stdout, "nothing to recover")
	}
	return nil
}

// oneLine is a value as JSON, on one line.
func oneLine(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err.Error()
	}
	return finding.Visible(strings.TrimSuffix(b.String(), "\n"))
}

// lines is a text that ends with a line's end, if it is any.
func lines(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
