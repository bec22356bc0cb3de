package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Decider asks the policies of a project about changes.
type Decider struct {
	Details  establish.Source // of the changes and the files at head
	Project  *setup.Project
	Policies func() (*policy.Engine, error) // compiled for the modes of the rules
	Files    func() ([]string, error)       // every file at head; nil if no rule asks
	// Matcher has the patterns of the rules; nil: they are indexed for one changeset.
	Matcher *correspondence.Matcher
	// Pending returns the commit that is being made; nil: none is.
	Pending func(context.Context) (commits.Commit, error)
	Event   policy.GitHubEvent
	// PullRequest is the one that the changes are of, as far as it is known.
	PullRequest diff.PullRequest
	Now         time.Time

	ahead func([]Verdict) // called with the facts before the policies are waited for; may be nil
}

// Verdict is the outcome of one rule for one changeset.
type Verdict struct {
	Rule       *rule.Rule
	Changeset  diff.Changeset
	Facts      correspondence.Facts
	Made       establish.Made
	Unmet      []*rule.Condition // because of which the rule does not apply
	Violations []policy.Violation

	lines   map[string]int // of rules with the key "lines": the first matching line, by trigger
	noMatch bool           // nothing in the changeset can make the rule fire
	err     error          // why there is no verdict
}

// Failure is the reason why a rule has no verdict.
type Failure struct {
	Rule *rule.Rule
	Err  error
}

// Decide returns the verdicts of rules on one changeset, in the order of the rules, and
// the failures of rules that have none.
func (d *Decider) Decide(ctx context.Context, rules []*rule.Rule, c diff.Changeset) (verdicts []Verdict, failures []Failure, err error) {
	sources := establish.NewSources(ctx, d.Details, c, d.Pending)
	all, err := d.match(ctx, rules, c, sources)
	if err != nil {
		return nil, nil, err
	}
	iter.ForEach(all, func(v *Verdict) {
		if v.open() {
			v.makeFacts(ctx, sources, d.Project.Modes.Of(v.Rule.Mode))
		}
	})
	if slices.ContainsFunc(all, Verdict.open) {
		if d.ahead != nil {
			d.ahead(all)
		}
		engine, err := d.Policies()
		if err != nil {
			return nil, nil, err
		}
		decide := func(v *Verdict) ([]policy.Violation, error) { return engine.Decide(ctx, d.input(v)) }
		iter.ForEach(all, func(v *Verdict) {
			if v.open() {
				v.err = v.evaluate(ctx, d.Project.Modes.Of(v.Rule.Mode), sources.Edits, decide)
				v.nameTriggers()
			}
		})
	}
	for _, v := range all {
		if v.err == nil {
			verdicts = append(verdicts, v)
		} else {
			failures = append(failures, Failure{v.Rule, v.err})
		}
	}
	if len(failures) > 0 && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return verdicts, failures, nil
}

// match evaluates the conditions of rules, and finds the changed files that concern those that
// apply.
func (d *Decider) match(ctx context.Context, rules []*rule.Rule, c diff.Changeset, sources *establish.Sources) ([]Verdict, error) {
	conditions := d.Conditions(ctx, rules, c, sources)
	all := make([]Verdict, len(rules))
	for i, r := range rules {
		result := conditions[r.ID]
		all[i] = Verdict{Rule: r, Changeset: c, Unmet: result.Unmet, err: result.Err}
	}
	matcher := d.Matcher
	if matcher == nil {
		matcher = correspondence.NewMatcher(rules, d.Project.Modes)
	}
	facts, unread, err := matcher.Match(c.Changes).Read(ctx, d.Details, c, d.Files, func(i int) bool { return all[i].Applies() && all[i].err == nil })
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Facts = facts[i]
		if err := unread[i]; err != nil {
			all[i].err = ofRule(rules[i], err)
		}
	}
	return all, nil
}

// Applies reports whether the conditions of the rule let it apply.
func (v Verdict) Applies() bool { return len(v.Unmet) == 0 }

// open reports whether the policy may find a violation, as far as is known.
func (v Verdict) open() bool { return v.Applies() && !v.noMatch && v.err == nil }

// makeFacts makes the facts that the rule's mode asks for, unless none can make it fire.
func (v *Verdict) makeFacts(ctx context.Context, from *establish.Sources, mode policies.Mode) {
	alone := mode.Alone()
	if v.noMatch = alone == "" && cannotFire(mode, v.Facts); v.noMatch {
		return
	}
	made, err := from.Make(ctx, establish.Subject{Rule: v.Rule, Mode: mode, Facts: v.Facts})
	if err != nil {
		v.err = ofRule(v.Rule, err)
		return
	}
	v.Made, v.noMatch = made, alone != "" && made.Lacks(alone)
}

func ofRule(r *rule.Rule, err error) error { return fmt.Errorf("rule %s: %w", r.ID, err) }

// nameTriggers makes the changed file that a violation is in its trigger if the policy
// names none. Without a trigger, a violation would belong to no commit and to no command.
func (v *Verdict) nameTriggers() {
	unnamed := func(x policy.Violation) bool { return len(x.TriggerFiles) == 0 && x.Path != "" }
	if !slices.ContainsFunc(v.Violations, unnamed) {
		return // most rules: the names of all changes are many
	}
	changed := map[string]bool{}
	for _, c := range v.Changeset.Changes {
		changed[c.Path], changed[c.OldPath] = true, true
	}
	for i := range v.Violations {
		if x := &v.Violations[i]; unnamed(*x) && changed[x.Path] {
			x.TriggerFiles = []string{x.Path}
		}
	}
}

// Conditions evaluates the conditions of rules on one changeset, by the rules' ids.
func (d *Decider) Conditions(ctx context.Context, rules []*rule.Rule, c diff.Changeset, sources *establish.Sources) map[string]condition.Answer {
	var conditional []rule.Info
	for _, r := range rules {
		if r.Conditional() {
			conditional = append(conditional, r.Info)
		}
	}
	if len(conditional) == 0 {
		return nil
	}
	results := map[string]condition.Answer{}
	for i, result := range d.Project.Conditions.OnChange(ctx, d.facts(c), sources, conditional) {
		results[conditional[i].ID] = result
	}
	return results
}

// facts returns the facts about a change that conditions read.
func (d *Decider) facts(c diff.Changeset) policy.Input {
	return policy.Input{Base: c.Base, Head: policy.HeadFacts{Head: c.Head, GitHubEvent: d.Event}, Changes: c.Changes, PR: d.PullRequest, Now: d.now()}
}

// input returns the facts that a policy sees.
func (d *Decider) input(v *Verdict) policy.Input {
	return policy.Input{
		Rule:            v.Rule.Info,
		Base:            v.Changeset.Base,
		Head:            policy.HeadFacts{Head: v.Changeset.Head, GitHubEvent: d.Event},
		Changes:         v.Facts.Changes,
		Matches:         v.Facts.Matches,
		Correspondences: v.Facts.Correspondences,
		Made:            v.Made,
		PR:              d.PullRequest,
		Now:             d.now(),
	}
}

func (d *Decider) now() string { return d.Now.UTC().Format(time.RFC3339) }

// cannotFire reports whether the policy of a mode cannot find a violation in facts. That
// is known only of built-in modes, which depend on triggers alone.
func cannotFire(mode policies.Mode, facts correspondence.Facts) bool {
	return !mode.Always() && !facts.Triggered(mode)
}

// unevaluated are the problems of rules that have no verdict, and the number of rules.
type unevaluated struct {
	problems []finding.Problem
	rules    int
}

// decide adds the verdicts to changes.
func (r *run) decide(ctx context.Context, changes []*change) (unevaluated, error) {
	var u unevaluated
	for _, c := range changes {
		if c.missing != nil {
			u.problems = append(u.problems, setup.NotEvaluated(c.missing))
			u.rules += len(c.rules)
			continue
		}
		decider := r.decider
		decider.ahead = func(all []Verdict) { r.askAhead(ctx, c, all) }
		verdicts, failures, err := decider.Decide(ctx, c.rules, c.Changeset)
		if err != nil {
			return u, err
		}
		c.verdicts = verdicts
		r.project.Notices = append(r.project.Notices, noticesOf(verdicts)...)
		for _, failed := range failures {
			u.problems = append(u.problems, setup.NotEvaluated(failed.Err))
			u.rules++
		}
	}
	return u, nil
}
