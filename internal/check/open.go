package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// The values of Options.RulesFrom that are no commits.
const (
	RulesFromBase     = "base"
	RulesFromWorktree = "worktree"
)

// run is one check with what it reads from.
type run struct {
	Options

	engine     diff.Engine
	head       diff.Head
	bases      *bases
	project    *setup.Project
	selected   setup.Selected
	nested     func() ([]string, error)          // files of head that may be rules of directories; nil: not listed yet
	workflows  func() ([]finding.Problem, error) // of the workflow files
	decider    Decider
	background *conc.WaitGroup
	// ofStack is true for one commit of a stack: what only describes a finding, its line and what
	// became of the files that it expects, is not looked up.
	ofStack bool
}

// open reads the project and starts what the verdicts will need.
func open(ctx context.Context, engine diff.Engine, o Options, background *conc.WaitGroup) (*run, error) {
	r := &run{Options: o, engine: engine, background: background}
	err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	listed := r.head // an index and its working tree have the same tracked files
	r.nested = async.Go(background, func() ([]string, error) { return engine.FilesIn(ctx, listed, setup.Dir) })
	unprepared := r.prepare(ctx) // while git compares the index
	left, err := r.leaveIndex(ctx)
	if err != nil {
		return nil, err
	}
	if left { // what was read of the index is not what is checked
		unprepared = r.prepare(ctx)
	}
	if unprepared != nil {
		return nil, unprepared
	}
	if left {
		r.project.Notices = append([]string{"nothing is staged: the working tree is checked, as without --staged"}, r.project.Notices...)
	}
	if o.Foreign != "" && o.RulesFrom == "" {
		r.project.Notices = append(r.project.Notices, "the code may be from someone else, and its own rules and commands check it: "+
			o.Foreign+"; use --rules-from base; if you trust it, name where its rules are, as in --rules-from HEAD")
	}
	r.workflows = async.Go(background, func() ([]finding.Problem, error) {
		if r.Draft != nil { // workflows name rules of the repository
			return nil, nil
		}
		return r.project.Inspect(ctx)
	})
	if slices.ContainsFunc(r.selected.Rules, (*rule.Rule).AsksExistence) {
		r.decider.Files = sync.OnceValues(func() ([]string, error) { return engine.Files(ctx, r.head) })
	}
	return r, nil
}

// prepare reads the project, selects its rules and makes them ready to decide.
func (r *run) prepare(ctx context.Context) (err error) {
	if r.project, err = r.readProject(ctx); err != nil {
		return err
	}
	if r.selected, err = r.project.Select(r.Selection); err != nil {
		return err
	}
	if err := r.keepOrganization(); err != nil {
		return err
	}
	r.selected.Rules = slices.DeleteFunc(slices.Clone(r.selected.Rules), func(of *rule.Rule) bool {
		return r.aboutTools(of) || r.Concerns != nil && !r.Concerns(of)
	})
	if err := r.project.CheckVersion(r.Version); err != nil {
		return err
	}
	aboutChanges := r.changeRules()
	bundle := r.project.Bundle // the project may be read again meanwhile
	// A run that no rule is about ends without the compiled policies, and does not wait for them.
	compiled := async.Go(new(conc.WaitGroup), func() (*policy.Engine, error) {
		return policy.NewFor(ctx, bundle, setup.ModesOf(aboutChanges))
	})
	r.decider = Decider{Details: r.engine, Project: r.project, Policies: compiled, Event: r.Event, Now: r.Now, Pending: r.pending()}
	if r.CI != nil && r.CI.AboutPullRequest() {
		r.decider.PullRequest = r.CI.PullRequest
	}
	if r.project.OwnPolicies {
		engine, err := compiled()
		if err != nil {
			return err
		}
		r.project.Problems = append(r.project.Problems, engine.Problems()...)
	}
	return nil
}

// keepOrganization refuses options that would leave out rules of the organization's pack.
func (r *run) keepOrganization() error {
	if strings.HasPrefix(r.Commands.Off, "--") { // an option of the user, and not what the run is about
		if err := r.project.KeepsOrganization(r.Commands.Off, func(of *rule.Rule) bool { return of.Action != nil }); err != nil {
			return err
		}
	}
	if r.NoSessions {
		return r.project.KeepsOrganization("--no-sessions", r.aboutSessions)
	}
	return nil
}

// readProject reads configuration, policies and rules at head, or where the options say, so
// that the author of a change does not choose the rules. The default branch is the one
// that the configuration names.
func (r *run) readProject(ctx context.Context) (*setup.Project, error) {
	p, err := r.openProject(ctx)
	if err != nil {
		return nil, err
	}
	if branch := p.Config.DefaultBranch; branch != "" && !r.overridesBase() {
		r.bases.setDefaultBranch(branch)
		r.bases.compare(ctx, diff.MergeBase)
	}
	own, err := policies.Load()
	if err != nil {
		return nil, err
	}
	p.ReadPolicies(own)
	if r.Draft != nil {
		p.ReadDraft(ctx, *r.Draft)
	} else if err := r.readRules(ctx, p); err != nil {
		return nil, err
	}
	err = p.CompileConditions(ctx)
	p.SetVars(r.Vars)
	return p, err
}

// readRules reads the rules of all tiers and of workflows, and the known findings.
func (r *run) readRules(ctx context.Context, p *setup.Project) error {
	if err := p.ReadRules(ctx, r.User); err != nil {
		return err
	}
	p.ReadPhaseRules()
	p.ReadKnown()
	return r.requireRules(ctx, p)
}

// requireRules adds the problem that there are no rules. The target of a change that brings
// the first ones has none, and that is no fault of the change.
func (r *run) requireRules(ctx context.Context, p *setup.Project) error {
	if !p.LacksRules() {
		return nil
	}
	if elsewhere, err := r.rulesAtTarget(ctx, p); elsewhere != nil || err != nil {
		if err == nil {
			p.Problems = append(p.Problems, *elsewhere)
		}
		return err
	}
	if r.RulesFrom == RulesFromBase {
		if p.HasNested() {
			return nil
		}
		p.Notices = append(p.Notices, fmt.Sprintf(
			"NO RULES OF THIS REPOSITORY APPLY: %s has none in %s, and the rules of the change do not count", p.Head.Commit, p.Config.RulesDir))
		return nil
	}
	missing, err := p.MissingRules(ctx)
	if err == nil && missing == nil && (p.HasNested() || p.OnlyPhaseRules()) && r.removesRules(ctx, p) {
		missing = p.RemovedRules()
	}
	if err == nil && missing != nil {
		p.Problems = append(p.Problems, *missing)
	}
	return err
}

// removesRules reports whether the change removes rules. A base that is not found is
// reported with the comparison.
func (r *run) removesRules(ctx context.Context, p *setup.Project) bool {
	set, err := r.bases.compare(ctx, r.baseID(diff.MergeBase)).changes()
	return err == nil && slices.ContainsFunc(set.Changes, func(c diff.Change) bool {
		name := c.OldPath
		if c.Status == diff.Deleted {
			name = c.Path
		}
		return path.Dir(name) == p.Config.RulesDir && rule.IsRuleFile(path.Base(name))
	})
}

// rulesAtTarget returns the problem that rules were read at a commit that has none, while
// the tip of the target branch has some; nil if it has none or is not known.
func (r *run) rulesAtTarget(ctx context.Context, p *setup.Project) (*finding.Problem, error) {
	if !r.distrustsChange() {
		return nil, nil
	}
	request := r.bases.request
	request.Head.Commit = "" // not the merge that GitHub made
	there, base, err := setup.OpenTarget(ctx, r.engine, request, r.Agents)
	switch {
	case errors.As(err, new(*diff.NoVerdictError)):
		return nil, nil
	case err != nil || base.Commit == p.Head.Commit:
		return nil, err
	}
	return p.RulesAt(ctx, there, base)
}

// begin finds head and starts to compare it with the base that most rules compare to: git
// works while the rules are read.
func (r *run) begin(ctx context.Context) (err error) {
	if r.head, err = r.engine.Head(ctx, r.headKind(), r.To); err != nil {
		return err
	}
	if r.bases == nil {
		r.bases = newBases(r.engine, r.head, r.Options, r.background)
	} else {
		r.bases.compareInstead(r.head)
	}
	r.bases.compare(ctx, r.baseID(diff.MergeBase))
	return nil
}

// leaveIndex makes a check of the index one of the working tree if nothing is staged and
// no commit is being made. An index that cannot be compared is left to the check.
func (r *run) leaveIndex(ctx context.Context) (bool, error) {
	if !r.Staged || r.Committing {
		return false, nil
	}
	if c, err := r.engine.Staged(ctx); err != nil || len(c.Changes) > 0 {
		return false, ctx.Err()
	}
	r.Staged = false
	return true, r.begin(ctx)
}

// openProject reads the configuration where the options say: for RulesFromBase at the tip
// of the target branch.
func (r *run) openProject(ctx context.Context) (*setup.Project, error) {
	from, err := r.head, error(nil)
	switch r.RulesFrom {
	case "":
	case RulesFromWorktree:
		from, err = r.engine.Head(ctx, diff.Worktree, "")
	case RulesFromBase:
		p, _, err := setup.OpenTarget(ctx, r.engine, r.bases.request, r.Agents)
		return p, err
	default:
		from, err = r.engine.Head(ctx, diff.Commit, r.RulesFrom)
	}
	if err != nil {
		return nil, err
	}
	p, err := setup.Open(ctx, r.engine, from, r.Agents)
	if err == nil && r.RulesFrom == "" {
		p.NestedFiles = r.nested
	}
	return p, err
}

// aboutSessions reports whether a rule is about sessions.
func (r *run) aboutSessions(of *rule.Rule) bool { return r.project.Modes.Of(of.Mode).Session() }

// changeRules returns the selected rules about changes.
func (r *run) changeRules() []*rule.Rule {
	return slices.DeleteFunc(slices.Clone(r.selected.Rules), r.aboutSessions)
}

// aboutTools reports whether a rule is about the tool calls of agents, which no change has.
func (r *run) aboutTools(of *rule.Rule) bool { return r.project.Modes.Of(of.Mode).Tool() }

// failOn returns the lowest level that fails the run.
func (r *run) failOn() finding.Level { return cmp.Or(r.FailOn, r.project.Config.FailOn) }
