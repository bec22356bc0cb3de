package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/internal/audit"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
)

func newAudit(p *process) *cobra.Command {
	f := &checkFlags{}
	var after, until instant
	cmd := &cobra.Command{
		Use:   "audit [PATH…]",
		Short: "Judge the logs of coding agents by the rules about sessions",
		Long: `audit judges sessions of coding agents: the logs at PATH, files or directories,
or "-" for standard input. Without PATH it judges the logs that sessions of the
configuration names and those that the agents of this machine keep of this
repository.

Nothing but the logs is judged, by the rules of the working tree whose mode is
about sessions, and with --workflow by those of a workflow's phases.`,
		Example: `  rulecheck audit                                   what agents did in this repository
  rulecheck audit ~/archive --after 2026-05-01      an archive, from a day on
  rulecheck audit --workflow .rulecheck/workflows/execution.yaml
  rulecheck audit --format html=report.html --strict`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Logs.After, f.Logs.Until = after.Time, until.Time
			return p.audit(cmd, f, args)
		},
	}
	flags := cmd.Flags()
	flags.Var(&after, "after", "judge only sessions that were under way after `TIME`: 2026-05-01, 2026-05-01T10:00:00Z, or 72h for three days ago")
	flags.Var(&until, "until", "judge only sessions that began before `TIME`")
	flags.StringSliceVar(&f.Logs.Of, "agent", nil, "judge only the sessions of these `AGENTS`, such as "+strings.Join(agentlog.Agents(), " or "))
	flags.StringVar(&f.Logs.Workflow, "workflow", "", "judge by the rules of the phases of `WORKFLOW`, too: a name or a file")
	flags.BoolVar(&f.Logs.Strict, "strict", false, "fail where a log does not hold what a rule needs (exit status 3)")
	flags.IntVar(&f.Logs.Jobs, "jobs", 0, "read `N` files at a time (default one per processor)")
	flags.StringSliceVar(&f.Selection.Only, "only", nil, "judge only by the rules with these `IDS`")
	flags.StringSliceVar(&f.Selection.Skip, "skip", nil, "leave out the rules with these `IDS` (also RULECHECK_SKIP)")
	flags.StringSliceVar(&f.Selection.Tags, "tag", nil, "judge only by rules with one of these `TAGS`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell more, and each git process on standard error")
	f.registerOutput(cmd)
	return cmd
}

func (p *process) audit(cmd *cobra.Command, f *checkFlags, args []string) error {
	repo, err := p.open(cmd.Context(), p.gitOptions(f))
	if err != nil {
		return err
	}
	o, err := p.judged(f)
	if err != nil {
		return err
	}
	if err := p.logs(&o.Logs, repo.Root(), args); err != nil {
		return err
	}
	if len(args) == 0 {
		o.Logs.Agents = p.agentLogs(repo.Root())
	}
	if o.Logs.Workflow, err = p.workflowName(repo.Root(), o.Logs.Workflow); err != nil {
		return err
	}
	debug.SetGCPercent(auditGCPercent)
	bar := p.readingBar()
	o.Logs.Progress = bar.draw
	rep, err := audit.Run(cmd.Context(), repo, audit.Options{
		User: o.User, Selection: o.Selection, Logs: o.Logs, FailOn: o.FailOn, LineHashes: o.LineHashes, Version: o.Version,
	})
	bar.clear()
	return p.conclude(rep, err, f)
}

// logs names logs as the judge wants them: those of the repository from its root.
func (p *process) logs(logs *audit.Logs, root string, args []string) error {
	for _, arg := range args {
		if arg == "-" {
			logs.Stdin = p.stdin
			continue
		}
		if _, err := os.Stat(arg); err != nil {
			return fmt.Errorf("%w; want a log or a directory of logs", err)
		}
		if path, err := inRepository(root, arg); err == nil {
			logs.Paths = append(logs.Paths, path)
			continue
		}
		full, err := filepath.Abs(arg)
		if err != nil {
			return err
		}
		logs.Paths = append(logs.Paths, full)
	}
	return nil
}

// workflowName gives a workflow as the judge wants it: a name as it is, a file of
// the repository from its root, any other file with its full path.
func (p *process) workflowName(root, arg string) (string, error) {
	if !strings.ContainsAny(arg, `/.\`) {
		return arg, nil
	}
	if _, err := os.Stat(arg); err != nil {
		return "", fmt.Errorf("%w; want a workflow file, or the name of a workflow", err)
	}
	if path, err := inRepository(root, arg); err == nil {
		return path, nil
	}
	return filepath.Abs(arg)
}

// agentLogs returns the directories that exist of those in which agents keep logs of the
// repository.
func (p *process) agentLogs(root string) []string {
	return slices.DeleteFunc(agentlog.Folders(p.getenv, root), func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
}

// instant is the value of a flag that is a time.
type instant struct{ time.Time }

func (i *instant) Set(value string) error {
	if ago, err := time.ParseDuration(value); err == nil && ago > 0 {
		i.Time = time.Now().Add(-ago)
		return nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, value); err == nil {
			i.Time = t
			return nil
		}
	}
	return errors.New("want a day such as 2026-05-01, a time such as 2026-05-01T10:00:00Z, or how long ago, such as 72h")
}

func (*instant) Type() string { return "TIME" }

func (i *instant) String() string {
	if i.IsZero() {
		return ""
	}
	return i.Format(time.RFC3339)
}
