package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/propose"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// suggestFlags are the flags of suggest.
type suggestFlags struct {
	propose.Options

	since  instant
	write  bool
	format string
}

func newSuggest(p *process) *cobra.Command {
	f := &suggestFlags{}
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Suggest rules that past commits followed",
		Long: `Suggest rules that the commits of the main line followed: files that changed
together, files that came with new ones, and files that changed in every commit of a
kind, such as all except chores. Each commit counts with everything that it merged.

Rules are mined from the older four fifths of the commits, and only suggested if they
held in the newest fifth as well. A rule is suggested if the share of commits in which
it holds is at least --min with a confidence of 95 %, or 0.05 lower for patterns backed
by several files. Rules about code that is generated from sources come first, rules
about other generated files and lock files last. The figures are those of rulecheck
replay for the rule on the same commits.

With --from, it reads documents instead, such as contribution guides, instructions of
agents and CI workflows, and suggests the rules that they state and past commits
followed. A statement counts as a few additional commits that followed the rule.

At a terminal, suggest asks which rules to write. With --write it writes all of them.

Exit status: 0 done, 2 wrong usage or malformed rules, 3 history could not be read.`,
		Example: `  rulecheck suggest
  rulecheck suggest --no-lock --min 0.9
  rulecheck suggest --since 730d --write
  rulecheck suggest --to v1.2
  rulecheck suggest --from CONTRIBUTING.md,AGENTS.md,.github`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.suggest(cmd, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.Limit, "limit", 10, "suggest at most `N` rules; 0: all")
	flags.Float64Var(&f.Min, "min", 0.85, "suggest rules that hold in at least this `SHARE` of commits")
	flags.IntVarP(&f.Commits, "number", "n", propose.Commits, "read at most the newest `N` commits; 0: all")
	flags.Var(&f.since, "since", "read the commits since `TIME`: 2026-05-01, 2026-05-01T10:00:00Z, or 365d for a year ago")
	flags.StringVar(&f.To, "to", "", "read the commits up to `REV` (default: HEAD)")
	flags.BoolVar(&f.NoLock, "no-lock", false, "leave out rules about manifests and lock files")
	flags.BoolVar(&f.Humans, "humans", false, "mine no rules from the commits of bots")
	flags.StringSliceVar(&f.From, "from", nil, "suggest the rules that the documents `FILE,...` state; a directory is all documents in it")
	flags.BoolVar(&f.write, "write", false, "write the rules without asking")
	flags.StringVar(&f.format, "format", "text", "print the rules as `NAME`: text, json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(suggestFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var suggestFormats = []string{"text", "json"}

func (f *suggestFlags) check() error {
	switch {
	case !slices.Contains(suggestFormats, f.format):
		return fmt.Errorf("--format: unknown format %q%s", f.format, suggest.OneOf(f.format, suggestFormats))
	case f.Min <= 0 || f.Min >= 1:
		return fmt.Errorf("--min %v; want a share between 0 and 1, such as 0.85", f.Min)
	}
	return nil
}

func (p *process) suggest(cmd *cobra.Command, f *suggestFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	project, err := p.openProject(cmd, f.write)
	if err != nil {
		return err
	}
	defer project.close()
	f.Since = f.since.Time
	project.complete(&f.Options)
	debug.SetGCPercent(smallGCPercent)
	status := terminal.NewStatus(p.stderr, p.getenv, false)
	status.Show("reading past commits")
	found, err := propose.Find(cmd.Context(), project.engine, p.repo, f.Options)
	status.End()
	if err != nil {
		return unproposed(err)
	}
	chosen, err := p.present(found, f)
	if err != nil || len(chosen) == 0 && !f.write {
		return err
	}
	if !f.write { // not while a person decides
		unlock, err := p.lockRules(cmd.Context(), project.engine)
		if err != nil {
			return err
		}
		defer unlock()
	}
	return p.writeRules(project, chosen, f.format)
}

// unproposed classifies the reason why no rules could be proposed.
func unproposed(err error) error {
	if errors.As(err, new(*propose.InputError)) {
		return err
	}
	return classify(evaluationError{err})
}

// openedProject is a project whose rules are added or edited.
type openedProject struct {
	*setup.Project

	engine diff.Engine
	root   *os.Root
	close  func()
}

// complete adds to options what is known of the project.
func (p *openedProject) complete(o *propose.Options) {
	o.Known, o.Taken, o.Tree = propose.KnownIn(p.Rules), propose.TakenBy(p.Rules), regular.RootFS(p.root)
	o.Config, o.Version, o.Now, o.Agents = p.Config, version, time.Now(), agents.Ring{}
}

// openProject reads the rules of the project; no other process changes them until it is closed if
// they are to be written.
func (p *process) openProject(cmd *cobra.Command, write bool) (*openedProject, error) {
	engine, err := p.open(cmd.Context(), git.Options{})
	if err != nil {
		return nil, err
	}
	if p.repo == nil {
		return nil, evaluationError{errors.New(cmd.Name() + " reads the past with the git program; install git, or leave out --git embedded")}
	}
	unlock := func() {}
	if write {
		if unlock, err = p.lockRules(cmd.Context(), engine); err != nil {
			return nil, err
		}
	}
	project, err := setup.Read(cmd.Context(), engine, nil, agents.Ring{})
	if err != nil {
		unlock()
		return nil, evaluationError{err}
	}
	if err := p.printProblems(project); err != nil {
		unlock()
		return nil, err
	}
	root, err := os.OpenRoot(engine.Root())
	if err != nil {
		unlock()
		return nil, evaluationError{err}
	}
	return &openedProject{project, engine, root, func() { _ = root.Close(); unlock() }}, nil
}

// writeRules writes rules into the directory of the project's rules.
func (p *process) writeRules(project *openedProject, rules []propose.Proposed, format string) error {
	written, err := propose.Write(project.root, project.Config.RulesDir, rules)
	if format == "text" {
		p.printWritten(written)
	}
	if err != nil {
		return evaluationError{err}
	}
	return nil
}

// lockRules waits until no other process changes rules or known findings. What is changed
// must be read after that.
func (p *process) lockRules(ctx context.Context, engine diff.Engine) (unlock func(), err error) {
	dir := filepath.Join(engine.GitDir(), "rulecheck")
	if err := regular.Directories(dir); err != nil {
		return nil, evaluationError{err}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, evaluationError{err}
	}
	if unlock, err = atomicfile.Lock(ctx, filepath.Join(dir, "rules.lock")); err != nil {
		return nil, evaluationError{fmt.Errorf("wait for another rulecheck that changes rules or known findings: %w", err)}
	}
	return unlock, nil
}

// present prints what was found and returns the rules to write.
func (p *process) present(found *propose.Proposal, f *suggestFlags) ([]propose.Proposed, error) {
	if f.format == "json" {
		if err := p.printJSON("suggest", found); err != nil {
			return nil, err
		}
	} else {
		p.printProposal(found)
		p.prose("%s\n", found.Summary())
		if len(found.Rules) == 0 {
			p.print("Try your own with: rulecheck try 'set: [\"src/{name}.py\", \"tests/test_{name}.py\"]' --past\n")
		}
	}
	switch {
	case f.write:
		return found.Rules, nil
	case len(found.Rules) == 0 || f.format == "json":
		return nil, nil
	case !terminal.Interactive(p.stdin, p.stdout):
		p.print("Write them with: rulecheck suggest --write\n")
		return nil, nil
	}
	return p.choose(found.Rules)
}

// choose asks which rules to write.
func (p *process) choose(rules []propose.Proposed) ([]propose.Proposed, error) {
	answers := bufio.NewReader(p.stdin)
	for {
		p.print("Write which rules? Numbers such as 1 3, \"all\", or nothing: ")
		line, err := answers.ReadString('\n')
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return nil, err
		}
		chosen, bad := propose.Choose(line, rules)
		if ended {
			p.print("\n")
		}
		if bad == "" || ended {
			return chosen, nil
		}
		p.print("%q is not the number of a rule.\n", bad)
	}
}

// printProposal prints each rule with its evidence.
func (p *process) printProposal(found *propose.Proposal) {
	for i, r := range found.Rules {
		p.prose("%d. %s: %s (%s, %s)\n", i+1, r.ID, r.Name, r.Label, r.Level)
		for _, line := range r.Describe() {
			p.prose("   %s\n", line)
		}
		for _, line := range r.Evidence(found) {
			p.prose("   %s\n", line)
		}
		for _, c := range r.Firings {
			p.prose("   fired in %.12s of %s: %s%s\n", c.Commit, day(c.Time), c.File, without(c.Missing))
		}
		for _, c := range r.Examples {
			p.prose("   held in %.12s of %s: %s with %s\n", c.Commit, day(c.Time), c.File, strings.Join(c.With, ", "))
		}
		p.print("\n")
	}
}

// printJSON prints what a command found as data.
func (p *process) printJSON(command string, found *propose.Proposal) error {
	return plain.WriteJSON(p.stdout, struct {
		Version int    `json:"version"`
		Command string `json:"command"`
		*propose.Proposal
	}{1, command, found})
}

// without names the counterparts that a change lacked; of some, no file is known.
func without(missing []string) string {
	if len(missing) == 0 {
		return ""
	}
	return " without " + strings.Join(missing, ", ")
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
