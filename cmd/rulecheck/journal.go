package main

import (
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
)

func newJournal(p *process) *cobra.Command {
	var format replyFormat
	cmd := &cobra.Command{
		Use:   "journal [SESSION]",
		Short: "List the decisions of agents' hooks, and what agents promised",
		Long: `journal lists the sessions of agents in this working tree, the newest first, with how
many calls were denied or asked about, how many stops were refused, and the rules that
the agent promised to follow. With SESSION, an id or its beginning, it lists each of
these decisions. It reads the journal that the hooks of agents keep in the git
directory.`,
		Example: `  rulecheck journal
  rulecheck journal 3f2a
  rulecheck journal 3f2a --format json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.journal(cmd, format, args)
		},
	}
	cmd.Flags().Var(&format, "format", "write `NAME`: json or text (default text)")
	return cmd
}

func (p *process) journal(cmd *cobra.Command, format replyFormat, args []string) error {
	repo, err := p.open(cmd.Context(), git.Options{})
	if err != nil {
		return err
	}
	sessions, unread, err := audit.DecidedIn(cmd.Context(), repo.GitDir())
	if err != nil {
		return evaluationError{err}
	}
	for _, d := range unread {
		if d.Loss {
			p.warn("rulecheck: %s\n", d)
			p.status = statusNotEvaluated
		}
	}
	if len(args) == 0 {
		return p.printSessions(sessions, format)
	}
	of, err := audit.FindDecided(sessions, args[0])
	if err != nil {
		return err
	}
	if format == jsonFormat {
		return plain.WriteJSON(p.stdout, of)
	}
	rows := make([][]plain.Text, 0, len(of.List))
	for _, d := range of.List {
		rows = append(rows, []plain.Text{plain.Line(report.Time(d.At)), plain.Line(string(d.Kind)), plain.Line(d.Rule), aboutCall(d)})
	}
	p.printTable(rows, "nothing was denied, asked, refused or promised")
	return nil
}

// printSessions lists the sessions with their counts.
func (p *process) printSessions(sessions []audit.Decided, format replyFormat) error {
	if format == jsonFormat {
		for i := range sessions {
			sessions[i].List = nil
		}
		return plain.WriteJSON(p.stdout, map[string]any{"sessions": sessions})
	}
	rows := make([][]plain.Text, 0, len(sessions))
	for _, of := range sessions {
		rows = append(rows, []plain.Text{plain.Line(of.Session), plain.Line(of.Agent), plain.Line(report.Time(of.End)), plain.Line(of.Line())})
	}
	p.printTable(rows, "the hooks of agents recorded no session")
	return nil
}

// printTable prints rows, or a text if there are none.
func (p *process) printTable(rows [][]plain.Text, none plain.Text) {
	if len(rows) == 0 {
		p.print(none + "\n")
	}
	for _, line := range wrap.Table(rows, p.width).Split("\n") {
		if line != "" {
			p.print("%s\n", line.TrimRight(" "))
		}
	}
}

// aboutCall describes the call that a decision is about.
func aboutCall(d session.Decision) plain.Text {
	text := plain.Line(d.Tool)
	if d.Target != "" {
		text += " " + plain.Line(d.Target)
	}
	if d.Observed {
		text += " (only recorded)"
	}
	return text
}
