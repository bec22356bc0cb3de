// Package reply writes the answers of the workflow commands, as text or as JSON.
package reply

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
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
	return w.text(notices, plain.Line(r.Session)+"\n\n"+lines(r.Prompt)+evidence(r.CurrentContent))
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
		return w.text(r.Notices, plain.Block(report.InterruptWithPrompt(r.Interrupt.Text, endLine(r.Prompt))))
	case r.Interrupt != nil:
		return w.text(r.Notices, plain.Block(r.Interrupt.Text))
	case r.WorkflowComplete:
		return w.text(r.Notices, plain.Sprintf("The workflow %s is complete.\n", r.Workflow)+lines(r.Prompt))
	case r.Moved != nil && !*r.Moved && !r.Repeated:
		return w.text(append(slices.Clone(r.Notices), stayNotice(r)), lines(r.Prompt)+evidence(r.CurrentContent))
	case r.NextContent != nil:
		return w.text(r.Notices, lines(r.Prompt)+evidence(r.NextContent))
	default:
		return w.text(r.Notices, lines(r.Prompt)+evidence(r.CurrentContent))
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
	return w.text(r.Notices, plain.Sprintf("%s: %s\n", r.Session, r.Status))
}

// refusal explains why a step was refused, followed by the content of the current phase.
func refusal(r *phase.Reply) plain.Text {
	var text plain.Text
	line := func(format plain.Text, args ...any) { text += plain.Sprintf(format, args...) + "\n" }
	line("%s", r.Message)
	for _, more := range []string{r.Reason, r.RequiredAction} {
		if more != "" {
			line("%s", more)
		}
	}
	for _, missing := range r.MissingEvidence {
		line("  - %s", missing)
	}
	for _, u := range r.Unmet {
		line("  - %s (%s): %s", u.ID, u.Kind, u.Reason)
	}
	if len(r.Examples) > 0 {
		line("Example: %s", oneLine(r.Examples))
	}
	if r.Progress != nil {
		line("Progress: %s of %d completed, now in %s", completed(r.Progress), r.Progress.Total, r.Progress.Current)
	}
	switch {
	case r.Interrupt != nil:
		return text + "\n---\n\n" + plain.Block(r.Interrupt.Text)
	case r.CurrentContent != nil && r.CurrentContent.Text != "":
		return text + "\n---\n\n" + lines(r.CurrentContent.Text)
	}
	return text
}

// completed counts and names the completed phases.
func completed(progress *store.Progress) string {
	if len(progress.Completed) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%s)", len(progress.Completed), strings.Join(progress.Completed, ", "))
}

// shown writes a phase with the evidence that its gate requires, and the artifacts
// of earlier phases.
func shown(s *phase.Shown) plain.Text {
	text := lines(s.Text) + evidence(&s.Content)
	if len(s.FromPrevious) > 0 {
		text += plain.Sprintf("\nArtifacts: %s\n", oneLine(s.FromPrevious))
	}
	return text + plain.Sprintf("\nSources: %s (about %s)\n", strings.Join(s.Sources, ", "), report.Count(s.TotalTokens, "token"))
}

// maxEvidence limits the evidence that is listed as text.
const maxEvidence = 100

// evidence lists the evidence that the gate of a phase requires, if there is any.
func evidence(c *phase.Content) plain.Text {
	if c == nil || c.Criteria == nil || len(c.Criteria.RequiredEvidence) == 0 {
		return ""
	}
	text := plain.Text("\nEvidence:\n")
	for i, name := range slices.Sorted(maps.Keys(c.Criteria.RequiredEvidence)) {
		if i == maxEvidence {
			return text + plain.Sprintf("  - and %d more; run: rulecheck workflow show --format json\n", len(c.Criteria.RequiredEvidence)-i)
		}
		of := c.Criteria.RequiredEvidence[name]
		optional := ""
		if !of.Required {
			optional = ", optional"
		}
		text += plain.Sprintf("  - %s: %s, %s%s%s\n", name, of.Type, of.Validator, optional, prefixed(": ", of.Description))
	}
	return text
}

// text writes notices, each on its own line, and the text.
func (w Writer) text(notices []string, text plain.Text) error {
	for _, n := range notices {
		if err := plain.Fprintf(w.Notices, "notice: %s\n", n); err != nil {
			return err
		}
	}
	return plain.Fprint(w.Out, text)
}

func (w Writer) json(answer any) error { return plain.WriteJSON(w.Out, answer) }

// oneLine writes a value as JSON on one line.
func oneLine(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// endLine adds a line end to a text that has none, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// lines returns a text of several lines, each with its line end.
func lines(text string) plain.Text { return plain.Block(endLine(text)) }

// prefixed puts a prefix before a text that is not empty.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
