package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// explain prints what the tool rules see of a shell line, and what they say about it.
func (h *hookCall) explain(ctx context.Context, line string) error {
	d, ok := dialect.Named(cmp.Or(h.agent, "claude"))
	if !ok {
		return fmt.Errorf("unknown agent %q%s", h.agent, suggest.OneOf(h.agent, dialect.Names()))
	}
	here, err := os.Getwd()
	if err != nil {
		return evaluationError{err}
	}
	w := h.world(hook.Event{Cwd: here})
	if w == nil {
		return evaluationError{errors.New("no git repository here or above; there are no rules that decide on calls")}
	}
	w.Dir = here
	x, err := w.Explain(ctx, d, line, time.Now())
	if x.Effect != "" {
		if err := plain.Fprint(h.stdout, explained(x, d)); err != nil {
			return err
		}
	}
	return err
}

// explained returns an explanation as lines.
func explained(x toolcall.Explained, d dialect.Dialect) (text plain.Text) {
	part := func(title plain.Text, lines []plain.Text) {
		if len(lines) > 0 {
			text += title + ":\n"
		}
		for _, line := range lines {
			text += "  " + line + "\n"
		}
	}
	if !x.Line.Parsed {
		text += "The line is not one of a shell; patterns are searched in all of it.\n"
	}
	part("commands", explainedCommands(x.Line))
	part("writes", explainedWrites(x.Line))
	part("not read", explainedParts(x.Line))
	part("rules", explainedRules(x.Rules))
	text += plain.Sprintf("decision: %s", x.Effect)
	if x.Rule != nil {
		text += plain.Sprintf(", by the rule %s (%s:%d)", x.Rule.ID, x.Rule.File, max(1, x.Rule.Line))
	}
	if _, asks := d.ToolEvent(); x.Effect == toolcall.Ask && !asks {
		text += plain.Sprintf("; %s cannot ask, so the call is denied", d.Title)
	}
	return text + "\n"
}

func explainedRules(opinions []toolcall.Opinion) (lines []plain.Text) {
	for _, o := range opinions {
		line := plain.Sprintf("%s: %s", o.Rule.ID, o.Effect)
		switch {
		case o.Err != nil:
			line += plain.Sprintf(", because it could not be evaluated: %s", o.Err)
		case o.Effect == toolcall.Allow:
			line = plain.Sprintf("%s: does not apply", o.Rule.ID)
		case o.Unread:
			line += ", because it may apply"
		}
		lines = append(lines, line)
	}
	return lines
}

func explainedCommands(line fact.ShellLine) (lines []plain.Text) {
	for _, c := range line.Commands {
		lines = append(lines, plain.Line(c.Text))
		if c.Normal != "" && c.Normal != c.Text {
			lines = append(lines, plain.Sprintf("  normal form: %s", c.Normal))
		}
		if c.Dir != "" && c.Dir != "." {
			lines = append(lines, plain.Sprintf("  in: %s", c.Dir))
		}
		if len(c.Via) > 0 {
			lines = append(lines, plain.Sprintf("  run by: %s", strings.Join(c.Via, ", ")))
		}
	}
	return lines
}

func explainedWrites(line fact.ShellLine) (lines []plain.Text) {
	for _, w := range line.Writes {
		does := plain.Sprintf("by %s", w.By)
		if w.Deletes {
			does = "deleted " + does
		}
		if w.Recursive {
			does += ", with all below it"
		}
		lines = append(lines, plain.Sprintf("%s (%s; %s)", w.Path, w.Place, does))
	}
	return lines
}

func explainedParts(line fact.ShellLine) (lines []plain.Text) {
	for _, p := range line.Opaque {
		text := plain.Line(p.Reason)
		if p.Text != "" {
			text += plain.Sprintf(": %s", strings.Join(strings.Fields(p.Text), " "))
		}
		lines = append(lines, text)
	}
	return lines
}
