package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/comment"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

func newAudit(p *process) *cobra.Command {
	f := &checkFlags{}
	var after, until instant
	workflow, before, noCache := "", "", false
	cmd := &cobra.Command{
		Use:   "audit [PATH…]",
		Short: "Check the logs of coding agents against session rules",
		Long: `audit checks sessions of coding agents: the logs at PATH, files or directories,
or "-" for standard input. Without PATH, it reads the logs listed under sessions in
the configuration, and those that agents on this machine keep for this repository.

Only logs are checked, against the session rules of the working tree and, with
--workflow, against those of a workflow's phases.`,
		Example: `  rulecheck audit                                   check what agents did in this repository
  rulecheck audit ~/archive --after 2026-05-01      check an archive, from a date on
  rulecheck audit --workflow .rulecheck/workflows/execution.yaml
  rulecheck audit --coverage                        report which tool calls the hooks checked
  rulecheck audit --format html=report.html --strict`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Logs.After, f.Logs.Until = after.Time, until.Time
			if f.Logs.Prices != "" {
				full, err := filepath.Abs(f.Logs.Prices)
				if err != nil {
					return err
				}
				f.Logs.Prices = full
			}
			cache := audit.Cache{}
			if !noCache {
				cache = p.auditCache()
			}
			earlier, err := earlierAudit(before)
			if err != nil {
				return err
			}
			return p.audit(cmd, f, args, workflow, earlier, cache)
		},
	}
	flags := cmd.Flags()
	flags.Var(&after, "after", "check only sessions that were active after `TIME`: 2026-05-01, 2026-05-01T10:00:00Z, or 72h for three days ago")
	flags.Var(&until, "until", "check only sessions that started before `TIME`")
	flags.StringSliceVar(&f.Logs.Of, "agent", nil, "check only the sessions of these `AGENTS`: "+strings.Join(profile.Names(), ", "))
	flags.StringVar(&workflow, "workflow", "", "also check the rules of the phases of `WORKFLOW`, a name or a file")
	flags.StringVar(&f.Logs.Prices, "prices", "", "take the prices of models from the table in `FILE`")
	flags.StringVar(&before, "compare", "", "compare the figures with those of the audit in `FILE`, which --format json wrote")
	flags.BoolVar(&f.Logs.Coverage, "coverage", false, "report which tool calls in the logs were checked by the hooks, by their journal")
	flags.BoolVar(&f.Logs.Strict, "strict", false, "fail with exit status 3 if a log lacks what a rule needs")
	flags.BoolVar(&noCache, "no-cache", false, "read all logs again, instead of using the result for logs that did not change")
	flags.IntVar(&f.Logs.Jobs, "jobs", 0, "read `N` files in parallel (default: one per processor)")
	flags.StringSliceVar(&f.Selection.Only, "only", nil, "check only the rules with these `IDS`")
	flags.StringSliceVar(&f.Selection.Skip, "skip", nil, "skip the rules with these `IDS` (also RULECHECK_SKIP)")
	flags.StringSliceVar(&f.Selection.Tags, "tag", nil, "check only rules with one of these `TAGS`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print complete lists, and each git process on standard error")
	f.registerOutput(cmd)
	return cmd
}

func (p *process) audit(cmd *cobra.Command, f *checkFlags, args []string, workflow string, before *report.Report, cache audit.Cache) error {
	repo, err := p.open(cmd.Context(), p.gitOptions(f))
	if err != nil {
		return err
	}
	o, err := p.options(f)
	if err != nil {
		return err
	}
	if err := p.auditedLogs(&f.Logs, repo, args); err != nil {
		return err
	}
	if workflow, err = p.workflowName(repo.Root(), workflow); err != nil {
		return err
	}
	bar := terminal.NewBar(p.stderr, p.getenv, "logs", f.quiet)
	f.Logs.Progress = bar.Draw
	cache.Reads = func() { debug.SetGCPercent(smallGCPercent) } // the result of an earlier audit is small
	rep, err := audit.Run(cmd.Context(), repo, audit.Options{
		User: o.User, Selection: o.Selection, Logs: f.Logs, Workflow: workflow, FailOn: o.FailOn, LineHashes: o.LineHashes, Version: o.Version, Cache: cache,
	})
	bar.Clear()
	if err == nil {
		rep.Before = before
	}
	return p.finish(rep, err, f)
}

// earlierAudit reads the report of an audit; nil without a file.
func earlierAudit(file string) (*report.Report, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // nothing is compared
	}
	text, err := regular.ReadAtMost(file, regular.Most)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w; want a report of an audit in the format json", err)
	}
	before, err := comment.Read(text)
	if err == nil && before.Command != report.Audit {
		err = fmt.Errorf("it is a report of %q; want one of an audit", before.Command)
	}
	if err != nil {
		return nil, fmt.Errorf("--compare %s: %w", file, err)
	}
	return before, nil
}

// checkedLogs sets the paths of the logs that a check reads. The word "agents" adds those that the agents on
// this machine keep.
func (p *process) checkedLogs(logs *audit.Logs, repo diff.Engine, named []string) error {
	paths := slices.DeleteFunc(slices.Clone(named), func(name string) bool { return name == "agents" })
	if len(named) == 0 {
		return p.logs(logs, repo.Root(), paths)
	}
	return p.logsOfTrees(logs, repo, paths, len(paths) < len(named))
}

// auditedLogs sets the paths of the logs that an audit reads: without args, also those that
// the agents on this machine keep of all working trees of the repository.
func (p *process) auditedLogs(logs *audit.Logs, repo diff.Engine, args []string) error {
	return p.logsOfTrees(logs, repo, args, len(args) == 0)
}

// logsOfTrees sets the paths of logs that may be of any working tree of the repository, and, if kept
// is true, of those that the agents on this machine keep of them.
func (p *process) logsOfTrees(logs *audit.Logs, repo diff.Engine, paths []string, kept bool) error {
	logs.Others = gitfile.WorkTrees(repo.GitDir())
	if kept {
		roots := []string{repo.Root()}
		for _, other := range logs.Others {
			roots = append(roots, other.Root)
		}
		logs.Agents = p.agentLogs(roots...)
	}
	return p.logs(logs, repo.Root(), paths)
}

// logs sets the time and the paths of logs: relative to the root for those in the repository.
func (p *process) logs(logs *audit.Logs, root string, args []string) error {
	logs.Now = time.Now()
	for _, name := range logs.Of {
		if _, ok := profile.Named(name); !ok {
			return fmt.Errorf("unknown agent %q%s", name, suggest.OneOf(name, profile.Names()))
		}
	}
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

// workflowName returns the name of a workflow as it is, a file of the repository
// relative to its root, and any other file with its full path.
func (p *process) workflowName(root, arg string) (string, error) {
	if !strings.ContainsAny(arg, `/.\`) {
		return arg, nil
	}
	if _, err := os.Stat(arg); err != nil {
		return "", fmt.Errorf("%w; want a workflow file or the name of a workflow", err)
	}
	if path, err := inRepository(root, arg); err == nil {
		return path, nil
	}
	return filepath.Abs(arg)
}

// agentLogs returns the logs that agents keep on this machine of working trees and of
// directories in them.
func (p *process) agentLogs(roots ...string) []agentlog.Kept {
	return agentlog.KeptOn(profile.Machine{OS: runtime.GOOS, Getenv: p.getenv}, roots...)
}

// instant is a flag value that is a time.
type instant struct{ time.Time }

func (i *instant) Set(value string) error {
	if days, ok := strings.CutSuffix(value, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil && n > 0 {
			i.Time = time.Now().AddDate(0, 0, -int(n))
			return nil
		}
	}
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
	return errors.New("want a date such as 2026-05-01, a time such as 2026-05-01T10:00:00Z, or an age such as 72h or 30d")
}

func (*instant) Type() string { return "TIME" }

func (i *instant) String() string {
	if i.IsZero() {
		return ""
	}
	return i.Format(time.RFC3339)
}

// auditCache returns where results of audits are kept: in the user's cache directory. Without
// one, none are.
func (p *process) auditCache() audit.Cache {
	home := p.getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(home) {
		var err error
		if home, err = os.UserCacheDir(); err != nil {
			return audit.Cache{}
		}
	}
	return audit.Cache{Dir: filepath.Join(home, "rulecheck", "audit"), Program: programID()}
}

// programID identifies this build of the program; empty if it cannot be known.
func programID() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	build, ok := debug.ReadBuildInfo()
	if err != nil || !ok {
		return ""
	}
	return fmt.Sprintf("%s %d %d %s %s", version, info.Size(), info.ModTime().UnixNano(), build.GoVersion, build.Main.Sum)
}
