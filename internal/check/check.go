// Package check is the use case of judging a change: it gathers what changed
// and which rules there are, lets the policies decide, and places what they
// found. It is the only package that knows the whole.
package check

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/audit"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/staging"
	"github.com/rulecheck/rulecheck/internal/waiver"
	"github.com/rulecheck/rulecheck/policies"
)

// Options say what is judged. The zero value judges the working tree against
// the bases that its rules name.
type Options struct {
	Staged bool   // judge the index instead of the working tree
	To     string // judge this commit instead
	Since  string // one base for every rule: the merge base with this ref
	From   string // one base for every rule: this commit
	// CI is what a run on GitHub was started for; nil anywhere else.
	CI *diff.CI

	// Event is what policies may know of a run on GitHub.
	Event policy.Event

	// RulesFrom is where rules, policies and configuration are read: at head where it
	// is empty, at the base for RulesFromBase, else at this commit.
	RulesFrom string
	// User is the user's own configuration directory; nil where a verdict must
	// depend on the repository alone.
	User *rule.UserDir

	Selection setup.Selection
	Waivers   waiver.Options
	Commands  Commands
	Logs      audit.Logs
	FailOn    finding.Level // empty: what the configuration says

	Now        time.Time // for policies that ask for it
	LineHashes bool      // fill finding.LineHash, for formats that want it
	Version    string    // of this program: v1.2.3, or anything else for a build without one
}

// Run judges a change. What it could not judge in part, and what is wrong with
// the rules, is in the report; the error is what kept it from judging at all.
func Run(ctx context.Context, git diff.Engine, o Options) (*report.Report, error) {
	if o.Commands.Repo != nil {
		if err := staging.Pending(o.Commands.Repo); err != nil {
			return nil, err
		}
	}
	j, err := conclude(ctx, git, o, runCommands)
	if err != nil {
		return nil, err
	}
	return j.report(), nil
}

// conclude judges, up to the findings; run runs commands.
func conclude(ctx context.Context, git diff.Engine, o Options, run runner) (*judge, error) {
	var under conc.WaitGroup
	defer under.Wait() // for what is beside: it may have files to take away
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends git processes whose answer nobody needs any more
	j, err := prepare(ctx, git, o, &under)
	if err != nil {
		return nil, err
	}
	if err := j.decideAll(ctx); err != nil {
		return nil, err
	}
	ran, err := run(ctx, j)
	if err != nil {
		return nil, err
	}
	sessions, err := j.auditSessions(ctx)
	if err != nil {
		return nil, err
	}
	return j, j.findAll(ctx, ran, sessions)
}

// runner runs the commands that firing rules prescribe, and gives the findings
// that come of it by the id of their base.
type runner func(ctx context.Context, j *judge) (map[string][]finding.Finding, error)

// judge is one judgement under way.
type judge struct {
	options  Options
	git      diff.Engine
	head     diff.Head
	project  *setup.Project
	selected setup.Selected
	engine   func() (*policy.Engine, error) // of the modes of the selected rules
	// conditions are those of the rules; nil where none has one.
	conditions *condition.Set
	bases      *bases
	under      *conc.WaitGroup          // what goes on beside
	files      func() ([]string, error) // every file at head; nil where no rule asks

	linesAhead map[string]linesAhead // by base

	verdicts []verdict // in the order of the bases, then of the rules
	findings []finding.Finding
	outcomes []commands.Outcome
	notices  []string
	unjudged []finding.Problem // what could not be evaluated
	leftOut  int               // rules without a verdict

	sessions    []report.Session
	diagnostics []session.Diagnostic // of logs that belong to no session

}

// verdict is what a rule's policy said of one changeset.
type verdict struct {
	rule       *rule.Rule
	changeset  diff.Changeset
	facts      correspondence.Facts
	idle       bool // its condition does not hold
	unmatched  bool // nothing in the changeset concerns it, and its mode is the program's: it says nothing
	violations []policy.Violation
}

// commands reports whether the rule fires and has a command.
func (v verdict) commands() bool { return v.rule.Action != nil && len(v.violations) > 0 }

// prepare reads what the judge goes by, with every question to git that can be
// asked already under way. What is begun counts as under way.
func prepare(ctx context.Context, git diff.Engine, o Options, under *conc.WaitGroup) (*judge, error) {
	head, err := git.Head(ctx, o.headKind(), o.To)
	if err != nil {
		return nil, err
	}
	git.Expect(ctx, head)
	bases := newBases(ctx, git, head, o, under)
	// Most rules compare to it, and few configurations name a default branch.
	<-bases.begin(ctx, o.baseID(diff.MergeBase)) // nothing else may come before git's longest answer
	own, err := policies.Load()
	if err != nil {
		return nil, err
	}
	j := &judge{options: o, git: git, head: head, bases: bases, under: under, linesAhead: map[string]linesAhead{}}
	if j.project, err = readProject(ctx, git, bases, own); err != nil {
		return nil, err
	}
	if o.RulesFrom != "" && !j.project.Config.TrustWaivers {
		j.options.Waivers.Distrust = "the change may not waive: waivers.trust is not set where the rules come from"
	}
	if j.conditions, err = j.project.CompileConditions(ctx); err != nil {
		return nil, err
	}
	if j.selected, err = j.project.Select(o.Selection); err != nil {
		return nil, err
	}
	if err := j.project.CheckVersion(o.Version); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(j.selected.Rules, (*rule.Rule).AsksExistence) {
		j.files = async.Go(under, func() ([]string, error) { return git.Files(ctx, head) })
	}
	judging := slices.DeleteFunc(slices.Clone(j.selected.Rules), j.aboutSessions)
	j.engine = async.Go(under, func() (*policy.Engine, error) {
		return policy.NewFor(ctx, j.project.Bundle, setup.ModesOf(judging))
	})
	if !j.project.OwnPolicies {
		return j, nil
	}
	engine, err := j.engine()
	if err != nil {
		return nil, err
	}
	j.project.Problems = append(j.project.Problems, engine.Problems()...)
	return j, nil
}

func (o Options) headKind() diff.HeadKind {
	switch {
	case o.To != "":
		return diff.Commit
	case o.Staged:
		return diff.Index
	default:
		return diff.Worktree
	}
}

// First is what a judgement asks of git before anything else: the change that most
// rules are about.
func (o Options) First() diff.BaseRequest {
	return diff.BaseRequest{ID: o.baseID(diff.MergeBase), Ref: cmp.Or(o.Since, o.From), Head: diff.Head{Kind: o.headKind(), Ref: o.To}}
}

// now is the time as policies have it.
func (o Options) now() string { return o.Now.UTC().Format(time.RFC3339) }

func (o Options) overridesBase() bool { return o.Since != "" || o.From != "" }

// baseID is the base for a rule with this compare_to.
func (o Options) baseID(compareTo string) string {
	switch {
	case o.Since != "":
		return diff.Since
	case o.From != "":
		return diff.From
	default:
		return compareTo
	}
}
