package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulecheck/rulecheck/cmd/rulecheck/terminal"
	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/doctor"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/internal/setup"
)

func newRules(p *process) *cobra.Command {
	rules := &cobra.Command{
		Use:   "rules",
		Short: "Inspect and test the rules",
		Example: `  rulecheck rules list
  rulecheck rules explain src/auth/login.py`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	rules.AddCommand(
		newRulesList(p),
		newRulesValidate(p),
		newRulesExplain(p),
		newRulesModes(p),
		newRulesTest(p),
		newRulesSchema(p),
		newRulesMigrate(p),
		newRulesTend(p),
	)
	return rules
}

func newRulesList(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the rules of the working tree",
		Long: `List the rules of the working tree: id, mode, level, what changes are compared to,
tier and name. If several rules have the same id, the first one applies, in this
order: the organization's pack, the project, the user, other packs, bundled packs.
The list names the rules that it shadows.`,
		Example: `  rulecheck rules list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := p.readRules(cmd)
			if err != nil {
				return err
			}
			var rows [][]plain.Text
			for _, r := range set.Rules {
				rows = append(rows, []plain.Text{
					plain.Line(r.ID), plain.Line(r.Mode), plain.Line(string(r.Level)), plain.Line(r.CompareTo), plain.Line(string(r.Tier)),
					plain.Line(r.Name) + remarks(r),
				})
			}
			p.print("%s", wrap.Table(rows, p.width))
			return p.printProblems(set)
		},
	}
}

// remarks names the pack of a git repository that a rule is from, marks disabled rules, and
// names the rules that a rule shadows.
func remarks(r *rule.Rule) plain.Text {
	var text plain.Text
	if r.Tier == rule.OrganizationTier || r.Tier == rule.PackTier {
		text = plain.Sprintf("  (from %s)", path.Base(path.Dir(path.Dir(r.File))))
	}
	if !r.Enabled {
		text += "  (disabled)"
	}
	for _, o := range r.Shadows {
		text += plain.Sprintf("  (shadows %s: %s)", o.Tier, o.File)
	}
	return text
}

func newRulesValidate(p *process) *cobra.Command {
	return &cobra.Command{
		Use:     "validate",
		Short:   "Report errors in the configuration and the rules",
		Example: `  rulecheck rules validate`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := p.readRules(cmd)
			if err != nil {
				return err
			}
			missing, err := set.MissingRules(cmd.Context())
			if err != nil {
				return evaluationError{err}
			}
			if missing != nil {
				set.Problems = append(set.Problems, *missing)
			}
			if err := p.printProblems(set); err != nil {
				return err
			}
			for _, notice := range doctor.ToolNotices(set.Root(), p.getenv("HOME"), set.Rules) {
				p.prose("notice: %s\n", notice)
			}
			if len(set.Problems) == 0 {
				p.print("%s, well-formed\n", counts(set))
			}
			return nil
		},
	}
}

// counts returns the number of rules of each tier.
func counts(set *setup.Project) string {
	n := map[rule.Tier]int{}
	nested := 0 // of those of the project
	for _, r := range set.Rules {
		n[r.Tier]++
		if r.Below != "" {
			nested++
		}
	}
	parts := []string{report.Count(n[rule.ProjectTier]-nested, "rule") + " in " + set.Config.RulesDir}
	if nested > 0 {
		parts = append(parts, report.Count(nested, "nested rule"))
	}
	for _, tier := range []rule.Tier{rule.OrganizationTier, rule.UserTier, rule.PackTier, rule.BundledTier} {
		if n[tier] > 0 {
			parts = append(parts, report.Count(n[tier], string(tier)+" rule"))
		}
	}
	return strings.Join(parts, ", ")
}

// readRules reads the rules of the working tree.
func (p *process) readRules(cmd *cobra.Command) (*setup.Project, error) {
	repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
	if err != nil {
		return nil, err
	}
	set, err := setup.Read(cmd.Context(), repo, p.user(false), agents.Ring{})
	if err != nil {
		return nil, evaluationError{err}
	}
	return set, nil
}

// printProblems prints each problem with its line.
func (p *process) printProblems(set *setup.Project) error {
	p.status = max(p.status, report.StatusOf(set.Problems))
	for _, problem := range set.Problems {
		p.warn("%s\n", problem.Error())
		source, err := set.Source(problem.File)
		if err != nil {
			continue // the problem already reports that the file is unreadable
		}
		p.warn("%s", plain.Block(problem.Excerpt(source)))
	}
	return nil
}

func newRulesTest(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "test [ID...]",
		Short: "Run the examples in the rules and the tests of policies",
		Long: `Run the examples in the rules of the working tree and in the METADATA of modes in
.rulecheck/policies, and the tests of policies: the rules test_* in
.rulecheck/policies/**/*_test.rego. With IDs, run only the examples of those rules.

An example is a fenced block "rulecheck" in a rule's body: the changes, "--", and
the expected findings.

Exit status: 0 all pass, 1 some fail, 2 something is malformed.`,
		Example: `  rulecheck rules test
  rulecheck rules test source-test readme`,
		RunE: func(cmd *cobra.Command, args []string) error {
			repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
			if err != nil {
				return err
			}
			status := terminal.NewStatus(p.stderr, p.getenv, false)
			status.Show("running the examples and tests")
			t, err := ruletest.Run(cmd.Context(), repo, args, version)
			status.End()
			if err != nil {
				return classify(err)
			}
			p.printTested(t)
			return p.printProblems(t.Project)
		},
	}
}

// printTested prints the failures and the counts.
func (p *process) printTested(t *ruletest.Outcome) {
	for _, f := range t.Failures {
		p.status = max(p.status, statusFindings)
		p.prose("%s:%d:%d: %s\n", f.File, f.Line, f.Column, f.Message)
		for _, line := range f.Details {
			p.prose("  %s\n", line)
		}
	}
	for _, notice := range t.Notices {
		p.prose("notice: %s\n", notice)
	}
	if n := len(t.Without); n > 0 {
		p.prose("%s without an example: %s\n", report.Count(n, "rule"), strings.Join(t.Without, ", "))
	}
	todo := ""
	if t.Skipped > 0 {
		todo = fmt.Sprintf(" (%d still to do)", t.Skipped)
	}
	p.prose("%s in %s, %s of policies%s, %d failed\n",
		report.Count(t.Examples, "example"), report.Count(t.Rules, "rule"), report.Count(t.Tests, "test"), todo, len(t.Failures))
}

func newRulesMigrate(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate ifttt",
		Short: "Rewrite the directives of other linters",
		Long: `Rewrite the directives LINT.IfChange and LINT.ThenChange in the files of the working
tree in the form that rules of the mode ifchange use: labels after ":" instead of "#",
no quotes, and blocks instead of LINT.Label. The command prints the files that it
rewrites.`,
		Example:   `  rulecheck rules migrate ifttt`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"ifttt"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := p.open(cmd.Context(), p.gitOptions(&checkFlags{}))
			if err != nil {
				return err
			}
			head, err := repo.Head(cmd.Context(), diff.Worktree, "")
			if err != nil {
				return evaluationError{err}
			}
			rewritten, err := ifchange.Migrate(cmd.Context(), repo, head, repo.Root())
			for _, name := range rewritten {
				p.print("%s\n", plain.Line(name))
			}
			if err != nil {
				return evaluationError{err}
			}
			p.print("%s rewritten\n", report.Count(len(rewritten), "file"))
			return nil
		},
	}
}
