// Package reply writes the answers of the workflow commands, as text or as JSON.
package reply

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// Writer writes answers. Its errors are those of Out and Notices.
type Writer struct {
	Out     io.Writer
	Notices io.Writer // so that notices do not mix with a prompt; unused in JSON
	JSON    bool
	// WithPrompt adds the phase's prompt to an interrupt, which otherwise replaces it.
	WithPrompt bool
}

// Start writes the id of a session on its own line, and the prompt.
func (w Writer) Start(r *phase.Started) error {
	if w.JSON {
		return w.json(r)
	}
	notices := r.Notices
	if r.Resumed {
		notices = append(slices.Clone(notices), "resumed the open session, in phase "+r.Phase)
	}
	return w.text(notices, r.Session+"\n\n"+endLine(r.Prompt)+evidence(r.CurrentContent))
}

// Step writes the answer to next, complete, continue or show: a refusal, the phase
// that was asked for, or the prompt or the interrupt in its place.
func (w Writer) Step(r *phase.Reply) error {
	if w.JSON {
		return w.json(r)
	}
	switch {
	case r.Refused:
		return w.text(r.Notices, refusal(r))
	case r.Shown != nil:
		return w.text(r.Notices, shown(r.Shown))
	case r.Interrupt != nil && w.WithPrompt:
		return w.text(r.Notices, report.InterruptWithPrompt(r.Interrupt.Text, endLine(r.Prompt)))
	case r.Interrupt != nil:
		return w.text(r.Notices, r.Interrupt.Text)
	case r.WorkflowComplete:
		return w.text(r.Notices, fmt.Sprintf("The workflow %s is complete.\n", finding.Visible(r.Workflow))+endLine(r.Prompt))
	case r.Moved != nil && !*r.Moved:
		return w.text(append(slices.Clone(r.Notices), stayNotice(r)), endLine(r.Prompt)+evidence(r.CurrentContent))
	case r.NextContent != nil:
		return w.text(r.Notices, endLine(r.Prompt)+evidence(r.NextContent))
	default:
		return w.text(r.Notices, endLine(r.Prompt)+evidence(r.CurrentContent))
	}
}

// stayNotice reports that a step did not leave the phase.
func stayNotice(r *phase.Reply) string {
	missing := "it has no transition"
	if len(r.Missing) > 0 {
		missing = strings.Join(r.Missing, "; ")
	}
	return fmt.Sprintf("the session stays in the phase %q: %s", r.Phase, missing)
}

// Abort writes the status of a session that was aborted.
func (w Writer) Abort(r *phase.Aborted) error {
	if w.JSON {
		return w.json(r)
	}
	return w.text(r.Notices, fmt.Sprintf("%s: %s\n", r.Session, r.Status))
}

// refusal explains why a step was refused, followed by the content of the current phase.
func refusal(r *phase.Reply) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
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
		line("Progress: %s of %d completed, now in %s", completed(r.Progress), r.Progress.Total, finding.Visible(r.Progress.Current))
	}
	switch {
	case r.Interrupt != nil:
		b.WriteString("\n---\n\n" + r.Interrupt.Text)
	case r.CurrentContent != nil && r.CurrentContent.Text != "":
		b.WriteString("\n---\n\n" + endLine(r.CurrentContent.Text))
	}
	return b.String()
}

// completed counts and names the completed phases.
func completed(progress *store.Progress) string {
	if len(progress.Completed) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%s)", len(progress.Completed), finding.Visible(strings.Join(progress.Completed, ", ")))
}

// shown writes a phase with the evidence that its gate requires, and the artifacts
// of earlier phases.
func shown(s *phase.Shown) string {
	var b strings.Builder
	b.WriteString(endLine(s.Text))
	b.WriteString(evidence(&s.Content))
	if len(s.FromPrevious) > 0 {
		fmt.Fprintf(&b, "\nArtifacts: %s\n", oneLine(s.FromPrevious))
	}
	fmt.Fprintf(&b, "\nSources: %s (about %s)\n", finding.Visible(strings.Join(s.Sources, ", ")), report.Count(s.TotalTokens, "token"))
	return b.String()
}

// maxEvidence limits the evidence that is listed as text.
const maxEvidence = 100

// evidence lists the evidence that the gate of a phase requires, if there is any.
func evidence(c *phase.Content) string {
	if c == nil || c.Criteria == nil || len(c.Criteria.RequiredEvidence) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nEvidence:\n")
	for i, name := range slices.Sorted(maps.Keys(c.Criteria.RequiredEvidence)) {
		if i == maxEvidence {
			fmt.Fprintf(&b, "  - and %d more; run: rulecheck workflow show --format json\n", len(c.Criteria.RequiredEvidence)-i)
			break
		}
		of := c.Criteria.RequiredEvidence[name]
		optional := ""
		if !of.Required {
			optional = ", optional"
		}
		fmt.Fprintf(&b, "  - %s: %s, %s%s%s\n", finding.Visible(name), of.Type, finding.Visible(of.Validator), optional, prefixed(": ", finding.Visible(of.Description)))
	}
	return b.String()
}

// text writes notices, each on its own line, and the text.
func (w Writer) text(notices []string, text string) error {
	for _, n := range notices {
		if _, err := fmt.Fprintln(w.Notices, "notice: "+finding.Visible(n)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w.Out, text)
	return err
}

func (w Writer) json(answer any) error {
	e := json.NewEncoder(w.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(answer)
}

// oneLine writes a value as JSON on one line.
func oneLine(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err.Error()
	}
	return finding.Visible(strings.TrimSuffix(b.String(), "\n"))
}

// endLine adds a line end to a text that has none, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// prefixed puts a prefix before a text that is not empty.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
