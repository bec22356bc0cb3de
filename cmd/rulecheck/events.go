package main

import (
	"bufio"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/events"
	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func newEvents(p *process) *cobra.Command {
	f := &checkFlags{}
	var after, until instant
	schema := false
	cmd := &cobra.Command{
		Use:   "events [PATH…]",
		Short: "Print sessions of coding agents as " + events.Schema,
		Long: `events reads the logs that an audit of PATH reads, of any agent, and prints their
sessions as ` + events.Schema + `: one JSON object per line and event. An audit of the
output has the same figures and findings as an audit of the logs.

Prompts and the output of tools are left out. Commands and paths are as in the logs,
including any secrets.`,
		Example: `  rulecheck events ~/.claude/projects > sessions.ndjson
  rulecheck events --after 72h | gzip > .rulecheck/sessions/week.ndjson.gz
  rulecheck events --schema > events.schema.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return p.printEventsSchema(args)
			}
			f.Logs.After, f.Logs.Until = after.Time, until.Time
			return p.events(cmd, f, args)
		},
	}
	flags := cmd.Flags()
	flags.Var(&after, "after", "print only sessions that were active after `TIME`: 2026-05-01, 2026-05-01T10:00:00Z, or 72h for three days ago")
	flags.Var(&until, "until", "print only sessions that started before `TIME`")
	flags.StringSliceVar(&f.Logs.Of, "agent", nil, "print only the sessions of these `AGENTS`: "+strings.Join(profile.Names(), ", "))
	flags.IntVar(&f.Logs.Jobs, "jobs", 0, "read `N` files in parallel (default: one per processor)")
	flags.BoolVar(&schema, "schema", false, "print the JSON Schema of a line instead")
	return cmd
}

func (p *process) printEventsSchema(args []string) error {
	if len(args) > 0 {
		return errors.New("--schema reads no logs; want no PATH with it")
	}
	return plain.WriteJSON(p.stdout, events.JSONSchema())
}

func (p *process) events(cmd *cobra.Command, f *checkFlags, args []string) error {
	repo, err := p.open(cmd.Context(), p.gitOptions(f))
	if err != nil {
		return err
	}
	if err := p.auditedLogs(&f.Logs, repo, args); err != nil {
		return err
	}
	debug.SetGCPercent(smallGCPercent)
	out := bufio.NewWriter(p.stdout)
	w := events.NewWriter(out)
	sessions := 0
	summary, err := audit.Export(cmd.Context(), repo, f.Logs, func(s *session.Session) error {
		sessions++
		return w.Session(s)
	})
	for _, d := range summary.Diagnostics {
		err = errors.Join(err, w.Diagnostic(d))
		if d.Loss {
			p.warn("rulecheck: %s\n", d)
			p.status = statusNotEvaluated
		}
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return evaluationError{err}
	}
	if sessions == 0 && p.status == 0 {
		p.warn("rulecheck: no session was found; name a log, or list logs with sessions in %s\n", setup.ConfigFile)
	}
	return nil
}
