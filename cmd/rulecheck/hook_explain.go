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
	"github.com/rulecheck/rulecheck/internal/finding"
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
	var b strings.Builder
	writeExplained(&b, x, d)
	if x.Effect != "" {
		if err := plain.Fprint(h.stdout, plain.Block(b.String())); err != nil {
			return err
		}
	}
	return err
}

// writeExplained writes an explanation as text.
func writeExplained(b *strings.Builder, x toolcall.Explained, d dialect.Dialect) {
	part := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(b, "%s:\n  %s\n", title, strings.Join(lines, "\n  "))
		}
	}
	if !x.Line.Parsed {
		b.WriteString("The line is not one of a shell; patterns are searched in all of it.\n")
	}
	part("commands", explainedCommands(x.Line))
	part("writes", explainedWrites(x.Line))
	part("not read", explainedParts(x.Line))
	var rules []string
	for _, o := range x.Rules {
		says := o.Effect
		switch {
		case o.Err != nil:
			says += ", because it could not be evaluated: " + finding.Visible(o.Err.Error())
		case o.Effect == toolcall.Allow:
			says = "does not apply"
		case o.Unread:
			says += ", because it may apply"
		}
		rules = append(rules, finding.Visible(o.Rule.ID)+": "+says)
	}
	part("rules", rules)
	b.WriteString("decision: " + x.Effect)
	if x.Rule != nil {
		fmt.Fprintf(b, ", by the rule %s (%s:%d)", finding.Visible(x.Rule.ID), finding.Printable(x.Rule.File), max(1, x.Rule.Line))
	}
	if _, asks := d.ToolEvent(); x.Effect == toolcall.Ask && !asks {
		fmt.Fprintf(b, "; %s cannot ask, so the call is denied", d.Title)
	}
	b.WriteString("\n")
}

func explainedCommands(line fact.ShellLine) []string {
	var lines []string
	for _, c := range line.Commands {
		text := finding.Visible(c.Text)
		if c.Normal != "" && c.Normal != c.Text {
			text += "\n    normal form: " + finding.Visible(c.Normal)
		}
		if c.Dir != "" && c.Dir != "." {
			text += "\n    in: " + finding.Visible(c.Dir)
		}
		if len(c.Via) > 0 {
			text += "\n    run by: " + finding.Visible(strings.Join(c.Via, ", "))
		}
		lines = append(lines, text)
	}
	return lines
}

func explainedWrites(line fact.ShellLine) []string {
	var lines []string
	for _, w := range line.Writes {
		does := "by " + w.By
		if w.Deletes {
			does = "deleted " + does
		}
		if w.Recursive {
			does += ", with all below it"
		}
		lines = append(lines, fmt.Sprintf("%s (%s; %s)", finding.Visible(w.Path), w.Place, finding.Visible(does)))
	}
	return lines
}

func explainedParts(line fact.ShellLine) []string {
	var lines []string
	for _, p := range line.Opaque {
		text := finding.Visible(p.Reason)
		if p.Text != "" {
			text += ": " + finding.Visible(strings.Join(strings.Fields(p.Text), " "))
		}
		lines = append(lines, text)
	}
	return lines
}
