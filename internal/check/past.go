package check

import (
	"context"
	"slices"
	"sync"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Past checks units of history with the rules of one head. The findings of a unit are those
// of a check from its parent to its commit with the same rules; commands do not run.
type Past struct {
	Project *setup.Project
	Rules   []*rule.Rule // about changes
	Skipped []setup.Skipped

	run      run
	waivable func(context.Context) (bool, error)
	asking   *correspondence.Matcher // of the rules that ask whether files exist; nil: none does
}

// Outcome holds the findings of one rule in one unit in which files triggered it.
type Outcome struct {
	Rule     *rule.Rule
	Findings []finding.Finding // waived or not
	// NotRun is true if the command of the rule decides, which did not run.
	NotRun bool
	// NotApplied is true if files triggered the rule and nothing that it expects existed.
	NotApplied bool
	Err        error // why there is no verdict
}

// OpenPast reads the rules for units up to head. waivable reports whether any commit may
// waive a finding; it is asked at most when a finding is in a merge.
func OpenPast(ctx context.Context, engine diff.Engine, head diff.Head, o Options, waivable func(context.Context) (bool, error)) (*Past, error) {
	var background conc.WaitGroup
	defer background.Wait()
	o.From, o.To = diff.EmptyTreeFor(head.Commit), head.Commit // each unit has its own
	o.Event = policy.GitHubEvent{}                             // the past was no event of this run
	r := run{Options: o, engine: engine, head: head, background: &background}
	r.bases = newBases(engine, head, o, &background)
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	r.decider.PullRequest = diff.PullRequest{}
	p := &Past{Project: r.project, Skipped: r.selected.Skipped, run: r, waivable: waivable}
	var asking []*rule.Rule
	for _, of := range r.selected.Rules {
		if r.aboutSessions(of) {
			p.Skipped = append(p.Skipped, setup.Skipped{ID: of.ID, Reason: "about sessions, see rulecheck audit"})
			continue
		}
		p.Rules = append(p.Rules, of)
		if of.AsksExistence() {
			asking = append(asking, of)
		}
	}
	compiled := r.decider.Policies
	p.run.decider.Policies = sync.OnceValues(func() (*policy.Engine, error) {
		engine, err := compiled()
		if err != nil {
			return nil, err
		}
		return engine.Remembering(), nil
	})
	p.run.decider.Matcher = correspondence.NewMatcher(p.Rules, r.project.Modes)
	if len(asking) > 0 {
		p.asking = correspondence.NewMatcher(asking, r.project.Modes)
	}
	return p, nil
}

// AsksFiles reports whether a rule needs all files of a unit.
func (p *Past) AsksFiles(u diff.Unit) bool {
	return p.asking != nil && p.asking.Match(u.Changes).AsksFiles()
}

// Check returns the outcomes of the rules that files of a unit trigger, in the order of the rules.
// files lists every file of the unit. Check may be called concurrently.
func (p *Past) Check(ctx context.Context, u diff.Unit, files func() ([]string, error)) ([]Outcome, error) {
	c := &change{base: diff.From, rules: p.Rules, Changeset: diff.Changeset{
		Base:    diff.Base{ID: diff.From, Ref: u.Parent, Commit: u.Base(), FoundBy: "--from"},
		Head:    diff.Head{Kind: diff.Commit, Ref: u.Commit, Commit: u.Commit, Branch: p.run.head.Branch},
		Changes: u.Changes,
	}}
	if u.Parent == "" {
		c.Base.FoundBy = "the empty tree"
	}
	decider := p.run.decider
	decider.Details, decider.Files = ofUnit{p.run.engine, u}, files
	verdicts, failures, err := decider.Decide(ctx, p.Rules, c.Changeset)
	if err != nil {
		return nil, err
	}
	c.verdicts = verdicts
	findings := c.findings(nil)
	if err := p.waive(ctx, u, c, findings); err != nil {
		return nil, err
	}
	var outcomes []Outcome
	for _, v := range verdicts {
		o := Outcome{Rule: v.Rule, NotRun: v.firesCommand()}
		for len(findings) > 0 && findings[0].Rule == v.Rule.ID { // they are in the order of the verdicts
			o.Findings, findings = append(o.Findings, findings[0]), findings[1:]
		}
		if !o.NotRun && len(o.Findings) == 0 {
			if !v.Applies() || !v.Facts.Triggered(p.Project.Modes.Of(v.Rule.Mode)) {
				continue
			}
			o.NotApplied = v.Rule.AsksExistence() && v.Facts.ExpectNothing()
		}
		outcomes = append(outcomes, o)
	}
	for _, failed := range failures {
		outcomes = append(outcomes, Outcome{Rule: failed.Rule, Err: failed.Err})
	}
	order := func(o Outcome) int { return slices.Index(p.Rules, o.Rule) }
	slices.SortFunc(outcomes, func(a, b Outcome) int { return order(a) - order(b) })
	return outcomes, nil
}

// waive applies the waivers in the messages of a unit's commits to its findings.
func (p *Past) waive(ctx context.Context, u diff.Unit, c *change, findings []finding.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	collector := p.run.collector(messages{ofUnit{p.run.engine, u}, p.waivable}, c.Head)
	set, err := collector.Collect(ctx, c.Changeset, nil, findings)
	if err != nil {
		return err
	}
	_, err = collector.Apply(ctx, findings, set, nil)
	p.Project.Known.Waive(findings, collector.KnownNotHonoured())
	return err
}

// messages is an engine that asks for the messages of merged commits only where some may waive.
type messages struct {
	ofUnit

	waivable func(context.Context) (bool, error)
}

func (m messages) Messages(ctx context.Context, base diff.Base, head diff.Head) ([]diff.Message, error) {
	if len(m.unit.Merged) > 0 {
		if some, err := m.waivable(ctx); err != nil || !some {
			return nil, err
		}
	}
	return m.ofUnit.Messages(ctx, base, head)
}
