package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc"
	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/cmd/rulecheck/usage"
	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/format"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// checkFlags are the flags of a check and of its output.
type checkFlags struct {
	check.Options

	Logs      audit.Logs
	attest    attestFlags
	stack     stackFlags
	outputs   []output
	sessions  []string // paths of logs
	quiet     bool
	noCommand bool
	verbose   bool
	lazyFetch bool
}

// subcommand is a row of the table of subcommands.
type subcommand struct {
	name  string
	build func(*process) *cobra.Command
}

var commandTable = []subcommand{
	{"audit", newAudit},
	{"baseline", newBaseline},
	{"check", newCheck},
	{"comment", newComment},
	{"doctor", newDoctor},
	{"events", newEvents},
	{"fleet", newFleet},
	{"hook", newHook},
	{"init", newInit},
	{"suggest", newSuggest},
	{"install", newInstall},
	{"lsp", newLSP},
	{"mcp", newMCP},
	{"packs", newPacks},
	{"recover", newRecover},
	{"replay", newReplay},
	{"rules", newRules},
	{"snapshot", newSnapshot},
	{"teach", newTeach},
	{"trust", newTrust},
	{"try", newTry},
	{"uninstall", newUninstall},
	{"untrust", newUntrust},
	{"verify", newVerify},
	{"version", newVersion},
	{"watch", newWatch},
	{"workflow", newWorkflow},
	{"journal", newJournal},
}

// named returns the subcommands among which those of a command line are: building all of them takes
// a tenth of the time of a short command. Help and completion list all.
func named(args []string) []subcommand {
	var list []subcommand
	for _, arg := range args {
		short := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--")
		switch name, _, _ := strings.Cut(arg, "="); {
		case short && strings.Contains(name, "h"), // may be -h among others
			slices.Contains([]string{"--help", "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, name):
			return commandTable
		}
		if i := slices.IndexFunc(commandTable, func(c subcommand) bool { return c.name == arg }); i >= 0 {
			list = append(list, commandTable[i])
		}
	}
	return list
}

// newRoot returns the command with some of its subcommands; of an unknown word, it suggests one of all.
func newRoot(p *process, subcommands []subcommand) *cobra.Command {
	f := &checkFlags{}
	showVersion := false
	root := &cobra.Command{
		Use:   "rulecheck [PATH…]",
		Short: "Check what changed against the rules in the repository",
		Long: `rulecheck checks what changed against the rules in .rulecheck/rules.

Without flags it compares the working tree, including untracked files, with the
merge base with the default branch. With PATHs, it reports only findings in these
files and directories.

Exit status: the highest of 0 clean, 1 findings, 2 wrong usage or malformed rules,
3 something could not be checked, and 130 interrupted.`,
		Example: `  rulecheck                      check this branch, including uncommitted changes
  rulecheck src/ docs/           report only findings in these directories
  rulecheck --since main         compare with another branch
  rulecheck --staged             check what will be committed
  rulecheck --staged --fix       also apply what rule commands change
  rulecheck --from v1.2 --to v1.3 --format markdown --format sarif=out.sarif`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if showVersion {
				return p.printVersion()
			}
			return p.check(cmd, f, paths)
		},
	}
	add := func(list []subcommand) {
		for _, c := range list {
			root.AddCommand(c.build(p))
		}
	}
	root.Args = func(_ *cobra.Command, args []string) error {
		return pathsOrNothing(root, args, func() { root.ResetCommands(); add(commandTable) })
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	f.register(root)
	f.registerOutput(root)
	f.attest.register(root)
	f.stack.register(root)
	p.registerEngine(root)
	if add(subcommands); root.HasSubCommands() {
		usage.RefuseUnknownTopics(root)
	}
	usage.RefuseEmpty(root)
	root.SetFlagErrorFunc(usage.BadFlag)
	return root
}

// noArguments rejects arguments of a command that has subcommands only, and
// suggests the closest one.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage.UnknownCommand(cmd, args[0], "")
}

// register adds the flags of a check.
func (f *checkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Since, "since", "", "compare with the merge base with `REF`")
	flags.StringVar(&f.From, "from", "", "compare with the commit `REF` itself, or with the snapshot prompt:ID")
	flags.StringVar(&f.To, "to", "", "check the commit `REF` instead of the working tree")
	flags.BoolVar(&f.Staged, "staged", false, "check the index: what will be committed")
	flags.StringVar(&f.RulesFrom, "rules-from", "", "read rules, policies and configuration at the commit `REF`, at \"base\" (the tip of the target branch, for untrusted changes), or in the \"worktree\"")
	flags.StringSliceVar(&f.Selection.Only, "only", nil, "check only the rules with these `IDS`")
	flags.StringSliceVar(&f.Selection.Skip, "skip", nil, "skip the rules with these `IDS` (also RULECHECK_SKIP)")
	flags.StringSliceVar(&f.Selection.Tags, "tag", nil, "check only rules with one of these `TAGS`")
	flags.StringVar(&f.Waivers.MessageFile, "message", "", "with --staged: read waivers from the commit message in `FILE`, for a commit-msg hook")
	flags.BoolVar(&f.Waivers.Off, "no-waivers", false, "ignore waivers, but report them")
	flags.BoolVar(&f.Commands.Fix, "fix", false, "apply what rule commands change to the working tree or, with --staged, to the index")
	flags.BoolVar(&f.noCommand, "no-commands", false, "do not run the commands of rules; the report counts them")
	flags.BoolVar(&f.Commands.Trust, "trust", false, "allow command settings from the change that the target branch does not allow, for CI on trusted code")
	flags.IntVar(&f.Commands.Jobs, "jobs", 0, "run `N` commands in parallel (default: one per processor, or jobs of the configuration)")
	flags.StringSliceVar(&f.sessions, "sessions", nil, "check the agent logs at these `PATHS` instead of those in the configuration; \"agents\": also those that agents on this machine keep")
	flags.BoolVar(&f.NoSessions, "no-sessions", false, "check no agent logs")
	flags.BoolVar(&f.Logs.Strict, "strict", false, "fail with exit status 3 if a log lacks what a rule needs")
	flags.BoolVar(&f.lazyFetch, "allow-lazy-fetch", false, "let a partial clone fetch missing objects")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print complete lists, and each git process on standard error")
	cmd.MarkFlagsMutuallyExclusive("since", "from")
	cmd.MarkFlagsMutuallyExclusive("staged", "to")
	cmd.MarkFlagsMutuallyExclusive("fix", "no-commands")
	cmd.MarkFlagsMutuallyExclusive("sessions", "no-sessions")
}

// registerOutput adds the flags of the output.
func (f *checkFlags) registerOutput(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var((*outputs)(&f.outputs), "format", "write `NAME[=FILE]`, repeatable: "+strings.Join(format.Names(), ", "))
	flags.Var((*level)(&f.FailOn), "fail-on", "fail on findings of this `LEVEL` or higher: error, warning or note (default: error, or fail_on of the configuration)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only findings and errors")
	cmd.MarkFlagsMutuallyExclusive("quiet", "verbose")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatChoices(), cobra.ShellCompDirectiveNoSpace))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(levelChoices(), cobra.ShellCompDirectiveNoFileComp))
}

// gitOptions returns the options for git that the flags set.
func (p *process) gitOptions(f *checkFlags) git.Options {
	o := git.Options{LazyFetch: f.lazyFetch}
	if f.verbose {
		o.Trace = p.stderr
	}
	return o
}

// options completes the options of a check from the environment.
func (p *process) options(f *checkFlags) (check.Options, error) {
	o := f.Options
	p.frameworkRange(&o)
	o.Version, o.Now = version, time.Now()
	if f.noCommand {
		o.Commands.Off = "--no-commands"
	}
	o.Committing = p.getenv("GIT_INDEX_FILE") != "" || o.Waivers.MessageFile != ""
	o.User = p.user(o.Staged)
	o.Selection.SkipIfAny = strings.FieldsFunc(p.getenv("RULECHECK_SKIP"), func(r rune) bool { return r == ',' || r == ' ' })
	f.Logs.Activity = f.verbose
	for _, out := range f.outputs {
		o.LineHashes = o.LineHashes || out.format.LineHash
		o.Date = o.Date || out.format.Date
		o.Inside = o.Inside || out.format.Inside
		f.Logs.Timeline = f.Logs.Timeline || out.format.Timeline
		f.Logs.Activity = f.Logs.Activity || out.format.Activity
		f.Logs.Models = f.Logs.Models || out.format.Models
		f.Logs.Facts = f.Logs.Facts || out.format.Facts
		f.Logs.Part = f.Logs.Part || out.format.Part
	}
	o.Agents = agents.Ring{Logs: f.Logs}
	if err := p.ci(&o); err != nil {
		return o, err
	}
	return o, errors.Join(p.waivers(&o), p.commands(&o, f.quiet))
}

// waivers reads waivers from the environment and the commit message.
func (p *process) waivers(o *check.Options) error {
	o.Waivers.Environment = p.getenv("RULECHECK_WAIVE")
	o.Waivers.Hook = p.getenv("GIT_INDEX_FILE") != ""
	if o.Waivers.MessageFile == "" {
		return nil
	}
	if !o.Staged {
		return errors.New("--message is for the commit being made; add --staged")
	}
	text, err := regular.ReadAtMost(o.Waivers.MessageFile, regular.Most)
	if err != nil {
		return fmt.Errorf("--message: %w; want the file that git passes to a commit-msg hook", err)
	}
	o.Waivers.Message = string(text)
	return nil
}

func (p *process) check(cmd *cobra.Command, f *checkFlags, paths []string) error {
	var background conc.WaitGroup
	defer background.Wait()
	async.Go(&background, policies.Load) // what rules are read with, while git says where the repository is
	repo, err := p.open(cmd.Context(), p.gitOptions(f))
	if err != nil {
		return err
	}
	o, err := p.options(f)
	if err != nil {
		return err
	}
	o.SilentRules, o.Logs = !o.Staged, len(f.sessions) > 0
	for _, arg := range paths {
		path, err := placeInRepository(repo.Root(), arg)
		if err != nil {
			return err
		}
		o.Paths = append(o.Paths, path)
	}
	if err := errors.Join(f.attest.check(o), f.stack.valid(o)); err != nil {
		return err
	}
	if f.attest.to != "" {
		o.User = nil // the statement is about the rules of the repository
	}
	if err := p.checkedLogs(&f.Logs, repo, f.sessions); err != nil {
		return err
	}
	o.Agents = agents.Ring{Logs: f.Logs}
	status := terminal.NewStatus(p.stderr, p.getenv, f.quiet || f.verbose)
	o.Progress = status.Show
	result, err := f.stack.check(cmd.Context(), p, repo, o)
	status.End()
	if err != nil {
		return classify(err)
	}
	if rep := result.Report; o.Date && p.repo != nil {
		rep.Remote = p.repo.RemoteURL(cmd.Context())
		switch { // the working tree of a CI run is that of its commit
		case o.CI != nil && o.To == "":
			rep.FilesAt = p.repo.Head
		case len(rep.Baselines) > 0 && git.IsObjectID(rep.Baselines[0].Head):
			rep.FilesAt = rep.Baselines[0].Head
		}
	}
	if err := p.finish(result.Report, nil, f); err != nil {
		return err
	}
	if err := f.attest.write(cmd.Context(), p.repo, result, o.To); err != nil {
		return evaluationError{err}
	}
	return nil
}

// finish writes the report and sets the exit status.
func (p *process) finish(rep *report.Report, err error, f *checkFlags) error {
	if err != nil {
		return classify(err)
	}
	p.reported = true
	if err := p.write(rep, f); err != nil {
		return evaluationError{err}
	}
	p.status = rep.Status(rep.FailOn)
	return nil
}

// classify returns errors of the user as they are, and marks all others as
// evaluation errors.
func classify(err error) error {
	if errors.As(err, new(*setup.SelectionError)) {
		return err
	}
	return evaluationError{err}
}

// level is the value of --fail-on.
type level finding.Level

func (l *level) Set(value string) error {
	parsed, err := finding.ParseLevel(value)
	*l = level(parsed)
	return err
}

func (*level) Type() string { return "LEVEL" }

func (l *level) String() string { return string(*l) }

func formatChoices() []string {
	var names []string
	for _, f := range format.All() {
		names = append(names, f.Name+"\t"+f.Title)
	}
	return names
}

func levelChoices() []string {
	var names []string
	for _, l := range finding.Levels() {
		names = append(names, string(l))
	}
	return names
}
