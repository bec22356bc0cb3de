package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/past/start"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func newInit(p *process) *cobra.Command {
	var o git.Options
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration, and the rules that this repository already follows",
		Long: `Write a configuration, the rules that past commits of this repository followed, and
the schemas that editors use.

The rules are mined from the history (see rulecheck suggest) or copied from the packs
that fit the files. Each rule is first replayed on the newest 1,000 commits, and only
written if they followed it: in 90 % of at least ten cases, or of the newest ten. No
rule is written with level error. The other rules are listed with the reason.`,
		Example: `  rulecheck init`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.init(cmd, o) },
	}
	cmd.Flags().BoolVar(&o.LazyFetch, "allow-lazy-fetch", false, "let a partial clone fetch missing objects")
	return cmd
}

func (p *process) init(cmd *cobra.Command, o git.Options) error {
	engine, err := p.open(cmd.Context(), o)
	if err != nil {
		return err
	}
	status := terminal.NewStatus(p.stderr, p.getenv, false)
	s, err := start.Init(cmd.Context(), engine, p.repo, start.Options{
		Version: version, Now: time.Now(), Agents: agents.Ring{},
		Progress: func(doing string, done, all int) {
			if all > 0 {
				doing = fmt.Sprintf("%s: %d of %d", doing, done, all)
			}
			status.Show(doing)
		},
	})
	status.End()
	if s != nil {
		p.printWritten(s.Written)
	}
	if err != nil {
		return classify(err)
	}
	head, err := engine.Head(cmd.Context(), diff.Worktree, "")
	if err != nil {
		return err
	}
	project, err := setup.Open(cmd.Context(), engine, head, agents.Ring{})
	if err != nil {
		return err
	}
	for _, notice := range project.Notices { // rules of other programs
		p.prose("notice: %s\n", notice)
	}
	p.printStart(s)
	return nil
}

// printStart prints what init found, and what it did not.
func (p *process) printStart(s *start.Start) {
	if s.Unread != "" {
		p.prose("\nNo rules were tried: %s\n", s.Unread)
	} else if s.Past == nil {
		p.prose("\n%s\n", s.Found.Summary())
	}
	written := 0
	if s.Past != nil {
		written = p.printTried(s)
	}
	p.printExamples(s.Examples)
	if written > 0 && len(s.Examples) == 0 {
		p.print("\nNo past commit broke these rules.\n")
	}
	p.print("\n")
	if written > 0 {
		p.prose("Read the rules, and what they would have found: rulecheck replay --list\nThen check your change: rulecheck\n")
		return
	}
	if len(s.Packs) > 0 {
		p.print("%s\n", wrap.Line(plain.Sprintf("Packs that fit: %s. To use them, uncomment \"extends\" in %s.", strings.Join(s.Packs, ", "), setup.ConfigFile), p.textWidth(), 0))
	}
	p.prose("Write a rule in .rulecheck/rules, or use a pack, then run: rulecheck\nExamples of each kind of rule: rulecheck rules modes MODE\n")
}

// mostLeft is how many rules that were not followed are listed.
const mostLeft = 12

// printTried prints the rules that were tried, and returns how many were written.
func (p *process) printTried(s *start.Start) (written int) {
	past := s.Past
	span := ""
	if past.Oldest != nil {
		span = fmt.Sprintf(", %s to %s", day(past.Oldest.Time), day(past.Newest.Time))
	}
	p.print("\nTried %s on the newest %s%s.\n", report.Count(len(s.Rules), "rule"), report.Count(past.Units, "commit"), span)
	var rows, left [][]plain.Text
	shared := map[string][]string{} // ids by reason
	for _, r := range s.Rules {
		switch r.Why {
		case "":
			followed := fmt.Sprintf("%d of %d", r.Count.Held, r.Count.Held+r.Count.Fired)
			rows = append(rows, []plain.Text{"  " + plain.Line(r.ID), plain.Line(followed), plain.Line(cmp.Or(r.Pack, "mined"))})
		case start.WhyAgents, start.WhyNoFile, start.WhyNeverApplied, start.WhyUnknown:
			shared[r.Why] = append(shared[r.Why], r.ID)
		default:
			left = append(left, []plain.Text{"  " + plain.Line(r.ID), plain.Line(report.Truncate(r.Why, 45))})
		}
	}
	if len(rows) == 0 {
		p.print("\nNone was followed often enough to be written.\n")
	} else {
		p.print("\nWritten, with how many commits followed them:\n%s", wrap.Table(rows, p.width))
	}
	if len(left) > 0 {
		p.print("\nNot written:\n%s", wrap.Table(left[:min(len(left), mostLeft)], p.width))
		if more := len(left) - mostLeft; more > 0 {
			p.print("  and %d more\n", more)
		}
	}
	paragraph := func(format plain.Text, args ...any) {
		p.print("\n%s\n", wrap.Line(plain.Sprintf(format, args...), p.textWidth(), 0))
	}
	if ids := shared[start.WhyUnknown]; len(ids) > 0 {
		paragraph("Not tried: %s: %s", strings.Join(ids, ", "), s.Problem)
	}
	if ids := shared[start.WhyNeverApplied]; len(ids) > 0 {
		paragraph("Never applied: %s.", strings.Join(ids, ", "))
	}
	if ids := shared[start.WhyNoFile]; len(ids) > 0 {
		paragraph("No file matches: %s.", strings.Join(ids, ", "))
	}
	if n := len(shared[start.WhyAgents]); n > 0 {
		paragraph("Not tried: %s about agents, which git does not record. To use them, uncomment \"extends\" in %s.", report.Count(n, "rule"), setup.ConfigFile)
	}
	if len(s.Exclude) > 0 {
		paragraph("No rule looks at vendored and generated files, and files in Git LFS: see \"exclude\" in %s.", setup.ConfigFile)
	}
	if n := s.Found.Weaker; n > 0 {
		paragraph("Weaker rules were mined too: %d. To see them, run: rulecheck suggest", n)
	}
	return len(rows)
}

// printExamples prints past commits in which rules fired.
func (p *process) printExamples(list []start.Example) {
	if len(list) == 0 {
		return
	}
	p.print("\nPast commits that they would have reported:\n")
	for _, x := range list {
		p.prose("  %s %s %s\n", report.ShortCommit(x.Commit.ID), day(x.Commit.Time), report.Truncate(x.Commit.Subject, 58))
		note := ""
		if x.Rule.Why != "" {
			note = " (not written)"
		}
		p.prose("    %s%s: %s\n", x.Rule.ID, note, x.Lack.Short())
		if x.Repaired != nil {
			p.prose("    followed in %s %s\n", report.ShortCommit(x.Repaired.ID), report.Truncate(x.Repaired.Subject, 54))
		}
	}
}
