package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/content/named"
	"github.com/rulecheck/rulecheck/internal/content/owners"
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
	Details  Source // of the changes and the files at head
	Project  *setup.Project
	Policies func() (*policy.Engine, error) // compiled for the modes of the rules
	Files    func() ([]string, error)       // every file at head; nil if no rule asks
	// Matcher has the patterns of the rules; nil: they are indexed for one changeset.
	Matcher *correspondence.Matcher
	// Pending returns the message of the commit that is being made; nil: none is.
	Pending func(context.Context) (string, error)
	Event   policy.GitHubEvent
	Now     time.Time
}

// Verdict is the outcome of one rule for one changeset.
type Verdict struct {
	Rule           *rule.Rule
	Changeset      diff.Changeset
	Facts          correspondence.Facts
	Directives     []ifchange.File
	Commits        []commits.Commit
	Files          map[string][]named.File
	Owners         []owners.Owned
	ConditionFalse bool // the rule does not apply
	Violations     []policy.Violation

	Lines map[string][]content.Match // by parameter, the new lines that its expressions match

	lines   map[string]int // of rules with the key "lines": the first matching line, by trigger
	unread  error          // why Directives or Facts are not known
	noMatch bool           // nothing in the changeset can make the rule fire
}

// Failure is the reason why a rule has no verdict.
type Failure struct {
	Rule *rule.Rule
	Err  error
}

// Decide returns the verdicts of rules on one changeset, in the order of the rules, and
// the failures of rules that have none.
func (d *Decider) Decide(ctx context.Context, rules []*rule.Rule, c diff.Changeset) (verdicts []Verdict, failures []Failure, err error) {
	conditions := d.Conditions(ctx, rules, c)
	all := make([]Verdict, len(rules))
	for i, r := range rules {
		result, conditional := conditions[r.ID]
		all[i] = Verdict{Rule: r, Changeset: c, ConditionFalse: conditional && !result.Holds}
	}
	matcher := d.Matcher
	if matcher == nil {
		matcher = correspondence.NewMatcher(rules, d.Project.Modes)
	}
	matched := matcher.Match(c.Changes)
	var files []string
	if d.Files != nil && matched.AsksFiles() {
		if files, err = d.Files(); err != nil {
			return nil, nil, err
		}
	}
	keyErrs := matched.ReadKeys(ctx, d.Details, c, func(i int) bool { return !all[i].ConditionFalse })
	facts := matched.Facts(files, func(i int) bool { return !all[i].ConditionFalse })
	directives := directives{Reader: ifchange.NewReader(d.Details, c), modes: d.Project.Modes}
	atHead := atHead{named.NewReader(d.Details, c.Head), owners.NewReader(d.Details, c)}
	detailErrs := correspondence.Detail(ctx, d.Details, c, rules, d.Project.Modes, facts)
	var compiled *policy.Engine
	for i := range all {
		v := &all[i]
		if v.ConditionFalse {
			continue
		}
		v.Facts = facts[i]
		directives.read(ctx, v)
		v.unread = errors.Join(v.unread, keyErrs[i], detailErrs[i])
		v.noMatch = len(v.Directives) == 0 && (directives.decide(v.Rule) || cannotFire(d.Project.Modes.Of(v.Rule.Mode), v.Facts))
		atHead.add(ctx, v, d.Project.Modes.Of(v.Rule.Mode))
		if compiled == nil && !v.noMatch {
			if compiled, err = d.Policies(); err != nil {
				return nil, nil, err
			}
		}
	}
	edits := sync.OnceValues(func() (*content.Edits, error) { return content.Read(ctx, d.Details, c) })
	read := sync.OnceValues(func() ([]commits.Commit, error) { return d.commits(ctx, c) })
	decide := func(v Verdict) ([]policy.Violation, error) { return compiled.Decide(ctx, d.input(v)) }
	errs := iter.Map(all, func(v *Verdict) (err error) {
		switch {
		case v.ConditionFalse:
			return conditions[v.Rule.ID].Err
		case v.unread != nil:
			return fmt.Errorf("rule %s: %w", v.Rule.ID, v.unread)
		case v.noMatch:
			return nil
		}
		if err := v.addCommits(d.Project.Modes.Of(v.Rule.Mode), read); err != nil {
			return err
		}
		err = v.evaluate(d.Project.Modes.Of(v.Rule.Mode), edits, decide)
		v.nameTriggers()
		return err
	})
	for i, err := range errs {
		if err == nil {
			verdicts = append(verdicts, all[i])
		} else {
			failures = append(failures, Failure{all[i].Rule, err})
		}
	}
	if len(failures) > 0 && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return verdicts, failures, nil
}

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
func (d *Decider) Conditions(ctx context.Context, rules []*rule.Rule, c diff.Changeset) map[string]condition.Answer {
	var conditional []rule.Info
	for _, r := range rules {
		if r.When != nil {
			conditional = append(conditional, r.Info)
		}
	}
	if len(conditional) == 0 {
		return nil
	}
	results := map[string]condition.Answer{}
	in := policy.Input{Base: c.Base, Head: policy.HeadFacts{Head: c.Head, GitHubEvent: d.Event}, Changes: c.Changes, Now: d.now()}
	for i, result := range d.Project.Conditions.OnChange(ctx, in, conditional) {
		results[conditional[i].ID] = result
	}
	return results
}

// input returns the facts that a policy sees.
func (d *Decider) input(v Verdict) policy.Input {
	return policy.Input{
		Rule:            v.Rule.Info,
		Base:            v.Changeset.Base,
		Head:            policy.HeadFacts{Head: v.Changeset.Head, GitHubEvent: d.Event},
		Changes:         v.Facts.Changes,
		Matches:         v.Facts.Matches,
		Correspondences: v.Facts.Correspondences,
		Lines:           v.Lines,
		Directives:      v.Directives,
		Commits:         v.Commits,
		Files:           v.Files,
		Owners:          v.Owners,
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
		verdicts, failures, err := r.decider.Decide(ctx, c.rules, c.Changeset)
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
