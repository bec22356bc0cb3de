package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/past/tend"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// replayedUnits is how many commits are replayed if no range is given.
const replayedUnits = 1000

func newReplay(p *process) *cobra.Command {
	f := &checkFlags{}
	var o replay.Options
	var since instant
	var outputs replayOutputs
	asTended := false
	cmd := &cobra.Command{
		Use:   "replay [RULE…]",
		Short: "Try rules on past commits, and report how often they held",
		Long: `Check past commits with the rules of the working tree, or only those with the ids
RULE: each commit of the main line (its first parents) with everything that it
merged, compared with the commit before it.

For each rule, the report shows in how many commits it applied, held, fired and was
waived, the trend, and the newest commits in which it fired. The rate is the share
of commits in which the rule held among those in which it held or fired. Session
rules, tool rules and the commands of rules are left out.

Exit status: 0 done, 1 a rule held less often than --fail-under, 2 wrong usage or
malformed rules, 3 something could not be checked.`,
		Example: `  rulecheck replay                               try all rules on the last 1,000 commits
  rulecheck replay source-test -n 0              try one rule on all commits
  rulecheck replay --from v1.2 --to v1.3
  rulecheck replay --since 365d --fail-under 0.9
  rulecheck replay --format html=replay.html`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			o.Range.Since = since.Time
			if !cmd.Flags().Changed("number") && (o.From != "" || !since.IsZero()) {
				o.Range.Max = 0
			}
			f.Selection.Only = ids
			run := replay.Run
			if asTended {
				if o.Range.Commits || f.RulesFrom != check.RulesFromWorktree {
					return errors.New("--as-tended: rules are tended in the working tree, by the commits of the main line; leave out --commits and --rules-from")
				}
				run = replayTended
			}
			return p.replay(cmd, f, o, outputs, run)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.From, "from", "", "replay the commits after `REF`")
	flags.StringVar(&o.To, "to", "", "replay up to `REF` (default: HEAD)")
	flags.IntVarP(&o.Range.Max, "number", "n", replayedUnits, "replay at most the newest `N` commits; 0: all, as with --from or --since")
	flags.Var(&since, "since", "replay the commits since `TIME`: 2026-05-01, 2026-05-01T10:00:00Z, or 365d for a year ago")
	flags.IntVar(&o.MaxFiles, "max-files", replay.DefaultMaxFiles, "leave out commits that change more than `N` files, such as imports; 0: no limit")
	flags.BoolVar(&o.Range.Commits, "commits", false, "replay every single commit except merges, not only those of the main line")
	flags.Var((*share)(&o.FailUnder), "fail-under", "fail if a rule held in less than this `SHARE` of the commits, such as 0.9")
	flags.StringVar(&f.RulesFrom, "rules-from", check.RulesFromWorktree, "read rules, policies and configuration at the commit `REF`, or in the \"worktree\"")
	flags.StringSliceVar(&f.Selection.Skip, "skip", nil, "skip the rules with these `IDS` (also RULECHECK_SKIP)")
	flags.StringSliceVar(&f.Selection.Tags, "tag", nil, "replay only rules with one of these `TAGS`")
	flags.BoolVar(&f.Waivers.Off, "no-waivers", false, "ignore waivers")
	flags.BoolVar(&f.lazyFetch, "allow-lazy-fetch", false, "let a partial clone fetch missing objects")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print each git process on standard error")
	flags.BoolVar(&asTended, "as-tended", false, "edit the rules of the repository at the end of each month as \"rules tend\" would have, and count what they would have reported")
	registerView(cmd, &o.View)
	flags.Var(&outputs, "format", "write `NAME[=FILE]`, repeatable: "+strings.Join(replayFormats(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(replayFormats(), cobra.ShellCompDirectiveNoSpace))
	return cmd
}

// registerView adds the flags that select what the formats for people show.
func registerView(cmd *cobra.Command, v *replay.View) {
	cmd.Flags().BoolVar(&v.List, "list", false, "list each commit in which a rule fired, newest first, and what was missing")
	cmd.Flags().BoolVar(&v.Cases, "cases", false, "also list the commits in which a rule held, was waived or did not apply, and add them to JSON")
	cmd.Flags().BoolVar(&v.All, "all", false, "show all commits in which a rule fired and all findings, instead of three")
}

// replayer replays rules; see [replay.Run].
type replayer func(context.Context, diff.Engine, *git.Repo, replay.Options) (*replay.Report, error)

// replayTended replays the rules of the repository as tended.
func replayTended(ctx context.Context, engine diff.Engine, repo *git.Repo, o replay.Options) (*replay.Report, error) {
	project, err := setup.Read(ctx, engine, nil, o.Check.Agents)
	if err != nil {
		return nil, err
	}
	return tend.Replay(ctx, engine, repo, project, o)
}

func (p *process) replay(cmd *cobra.Command, f *checkFlags, o replay.Options, outputs replayOutputs, run replayer) error {
	if f.RulesFrom == check.RulesFromBase {
		return errors.New("--rules-from base: past commits have no target branch; want a commit, or \"worktree\"")
	}
	result, err := p.replayed(cmd, f, o, run)
	if err != nil {
		return err
	}
	return p.writeReplay(result, outputs)
}

// ofPast adds the options of a check of past commits.
func (p *process) ofPast(f *checkFlags, o replay.Options) (replay.Options, error) {
	var err error
	o.Check, err = p.options(f)
	o.Check.CI, o.Check.Waivers = nil, waiver.Options{Off: f.Waivers.Off}
	return o, err
}

// replayed replays rules with the options of a check.
func (p *process) replayed(cmd *cobra.Command, f *checkFlags, o replay.Options, run replayer) (*replay.Report, error) {
	engine, err := p.open(cmd.Context(), p.gitOptions(f))
	if err != nil {
		return nil, err
	}
	if o, err = p.ofPast(f, o); err != nil {
		return nil, err
	}
	bar := terminal.NewBar(p.stderr, p.getenv, "commits", false)
	if bar.Shown() {
		o.Progress = bar.Draw
	}
	result, err := run(cmd.Context(), engine, p.repo, o)
	bar.Clear()
	if wrong, ok := errors.AsType[*setup.SelectionError](err); ok {
		return nil, usage.AboutRules(cmd, f.Selection.Only, wrong)
	}
	if err != nil {
		return nil, classify(err)
	}
	return result, nil
}

// writeReplay writes a report in each format, as text if none is given.
func (p *process) writeReplay(result *replay.Report, outputs replayOutputs) error {
	if len(outputs) == 0 {
		if err := outputs.Set("text"); err != nil {
			return err
		}
	}
	for _, out := range outputs {
		write := func(w io.Writer) error {
			result.View.Width = 0
			if out.file == "" {
				result.View.Width = p.width
			}
			return out.format.Write(w, result)
		}
		if err := p.writeOutput(out.format.Name, out.file, write); err != nil {
			return evaluationError{err}
		}
	}
	p.status = result.Status()
	return nil
}

// replayOutput is one --format NAME[=FILE].
type replayOutput struct {
	format replay.Format
	file   string // empty: standard output
}

// replayOutputs is the value of --format.
type replayOutputs []replayOutput

func (o *replayOutputs) Set(value string) error {
	name, file, err := nameAndFile(value)
	if err != nil {
		return err
	}
	f, err := replay.LookupFormat(name)
	if err != nil {
		return err
	}
	*o = append(*o, replayOutput{f, file})
	return nil
}

func (*replayOutputs) Type() string { return "FORMAT" }

func (*replayOutputs) String() string { return "" }

func replayFormats() []string {
	var names []string
	for _, f := range replay.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// share is a flag value between 0 and 1.
type share float64

func (s *share) Set(value string) error {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v > 0 && v <= 1) {
		return errors.New("want a number above 0 and up to 1, such as 0.9")
	}
	*s = share(v)
	return nil
}

func (*share) Type() string { return "SHARE" }

func (s *share) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*s), 'g', -1, 64)
}
