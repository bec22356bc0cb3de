package reply

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Status writes the state of a session.
func (w Writer) Status(s *phase.Status) error {
	if w.JSON {
		return w.json(s)
	}
	rows := [][]string{
		{"session", s.Session},
		{"workflow", s.Workflow},
		{"target", cmp.Or(s.Target, "none")},
		{"status", string(s.State.Status)},
		{"phase", fmt.Sprintf("%s, since %s", s.Phase, s.State.EnteredAt.Format(time.RFC3339))},
		{"completed", fmt.Sprintf("%s of %d", completed(s.Progress), s.Progress.Total)},
	}
	for _, id := range slices.Sorted(maps.Keys(s.State.Approvals)) {
		given := s.State.Approvals[id]
		text := id + ": " + string(given.Decision)
		if given.By != nil {
			text += ", " + given.By.String()
		}
		rows = append(rows, []string{"approval", text})
	}
	for _, name := range slices.Sorted(maps.Keys(s.State.Refusals)) {
		rows = append(rows, []string{"refused", fmt.Sprintf("%s in %s", report.Count(s.State.Refusals[name], "attempt"), name)})
	}
	for _, c := range s.State.Changes {
		rows = append(rows, []string{"changed", fmt.Sprintf("%s, requirements of %s", c.At.Format(time.RFC3339), strings.Join(changedPhases(c), ", "))})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Vars)) {
		value, err := json.Marshal(s.Vars[name])
		if err != nil {
			return err
		}
		rows = append(rows, []string{"variable", fmt.Sprintf("%s: %s", name, value)})
	}
	for _, c := range s.Conditions {
		rows = append(rows, []string{"condition", conditionText(c)})
	}
	return w.text(s.Notices, table(rows))
}

// conditionText returns what a condition leads to, and whether it holds.
func conditionText(c phase.Waiting) string {
	text := strings.Join(strings.Fields(c.Condition), " ")
	if c.To != "" {
		text += fmt.Sprintf(" leads to %q", c.To)
	} else {
		text = c.ID + ": " + text
	}
	switch {
	case c.Holds:
		return text + ": true"
	case c.Reason != "":
		text += ": " + c.Reason
	default:
		text += ": false"
	}
	if len(c.False) > 0 && (len(c.False) > 1 || c.False[0] != c.Condition) {
		text += "; not true: " + strings.Join(c.False, ", ")
	}
	return text
}

// changedPhases returns the phases whose requirements changed.
func changedPhases(c store.Change) []string {
	phases := slices.Clone(c.Altered)
	if len(c.Lost) > 0 {
		phases = append([]string{c.Phase}, phases...)
	}
	return phases
}

// List writes the workflows and the sessions.
func (w Writer) List(l *phase.List) error {
	if w.JSON {
		return w.json(l)
	}
	var rows [][]string
	for _, one := range l.Workflows {
		problems := ""
		if one.Problems > 0 {
			problems = "  (" + report.Count(one.Problems, "problem") + "; see rulecheck workflow lint " + shell.Quote(one.Name) + ")"
		}
		rows = append(rows, []string{one.Name, strings.Join(one.Phases, ", ") + problems})
	}
	if len(l.Sessions) > 0 {
		rows = append(rows, nil)
	}
	for _, s := range l.Sessions {
		row := []string{s.ID, string(s.Status), s.Workflow, s.Phase}
		if s.Target != "" {
			row = append(row, s.Target)
		}
		if s.Altered {
			row = append(row, "(requirements changed; see rulecheck workflow status --session "+s.ID+")")
		}
		rows = append(rows, row)
	}
	return w.text(l.Notices, table(rows))
}

// Hits writes the sections that a search found.
func (w Writer) Hits(hits []workflow.Hit) error {
	if w.JSON {
		return w.json(map[string][]workflow.Hit{"hits": append([]workflow.Hit{}, hits...)})
	}
	sections := make([]plain.Text, 0, len(hits))
	for _, h := range hits {
		sections = append(sections, plain.Sprintf("%s:%d: %s (%s)\n%s", h.File, h.Line, h.Heading, h.Phase, lines(strings.TrimSpace(h.Text))))
	}
	if len(hits) == 0 {
		return w.text(nil, "nothing found in the documents of the current and the completed phases\n")
	}
	return w.text(nil, plain.Join(sections, "\n"))
}

// Lint writes the problems of workflow files, to Notices as text, and the notes.
func (w Writer) Lint(l *phase.Lint) error {
	if w.JSON {
		return w.json(map[string][]finding.Problem{"errors": append([]finding.Problem{}, l.Problems...), "notices": append([]finding.Problem{}, l.Notes...)})
	}
	for _, problem := range l.Problems {
		if err := plain.Fprintf(w.Notices, "%s\n", problem.Error()); err != nil {
			return err
		}
	}
	for _, note := range l.Notes {
		if err := plain.Fprintf(w.Out, "notice: %s\n", note.Error()); err != nil {
			return err
		}
	}
	return nil
}

// Recovered writes what was repaired in each session.
func (w Writer) Recovered(recovered []store.Recovery) error {
	if w.JSON {
		return w.json(map[string][]store.Recovery{"sessions": append([]store.Recovery{}, recovered...)})
	}
	var text plain.Text
	for _, r := range recovered {
		for _, note := range r.Notes {
			text += plain.Sprintf("%s: %s\n", r.ID, note)
		}
	}
	return w.text(nil, cmp.Or(text, "nothing to recover\n"))
}

// Deleted writes the id of a session that was deleted.
func (w Writer) Deleted(d *phase.Deleted) error {
	if w.JSON {
		return w.json(d)
	}
	return w.text(nil, plain.Sprintf("%s: deleted\n", d.Session))
}

// Pruned writes the sessions that were deleted.
func (w Writer) Pruned(p *phase.Pruned) error {
	if w.JSON {
		return w.json(p)
	}
	var text plain.Text
	for _, s := range p.Deleted {
		text += plain.Sprintf("%s: deleted (%s, %s)\n", s.ID, s.Workflow, s.Status)
	}
	return w.text(p.Notices, cmp.Or(text, "nothing to delete\n"))
}

// Source writes the file of a workflow.
func (w Writer) Source(s *phase.Source) error {
	if w.JSON {
		return w.json(s)
	}
	return w.text(nil, plain.Block(s.Text))
}

// Failure writes an error as JSON.
func (w Writer) Failure(f *phase.Failure) error { return w.json(f) }

// table aligns the cells of rows.
func table(rows [][]string) plain.Text {
	list := make([][]plain.Text, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			list[i] = append(list[i], plain.Line(cell))
		}
	}
	return wrap.Table(list, 0)
}
