// Package ruletest serves the authors of rules: it runs the examples in rules and the
// tests of policies, explains which rules govern a file, and writes JSON Schemas for editors.
package ruletest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

// Outcome is the outcome of the examples of rules and of the tests of policies.
type Outcome struct {
	Rules    int // that have examples, those in the METADATA of the project's modes included
	Examples int
	Tests    int       // of policies
	Skipped  int       // tests that are marked as still to do
	Without  []string  // ids of the rules that have no example
	Failures []Failure // in the order of rules, then of tests
	Notices  []string
	Project  *setup.Project // of the rules
}

// Failure is an example or a test that does not hold.
type Failure struct {
	File    string
	Line    int
	Column  int
	Message string
	Details []string // lines: wanted ones after "- ", found ones after "+ "; or the output of a test
}

// Run evaluates the examples in the working tree's rules and runs the tests of its
// policies. With ids it evaluates the examples of those rules alone. Version is that of
// this program; an unknown id is a *[setup.SelectionError].
func Run(ctx context.Context, engine diff.Engine, ids []string, version string) (*Outcome, error) {
	project, err := setup.Read(ctx, engine, nil, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	if err := project.CheckVersion(version); err != nil {
		return nil, err
	}
	known := make([]string, 0, len(project.Rules))
	for _, r := range project.Rules {
		known = append(known, r.ID)
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, &setup.SelectionError{Message: fmt.Sprintf("unknown rule %q%s", id, suggest.OneOf(id, known))}
		}
	}
	o := &Outcome{Notices: project.Notices, Project: project}
	var ofModes []modeExample
	if len(ids) == 0 {
		ofModes = o.modeExamples()
	}
	compiled := sync.OnceValues(func() (*policy.Engine, error) {
		rules := slices.Clone(project.Rules)
		for _, x := range ofModes {
			rules = append(rules, x.rule)
		}
		return policy.NewFor(ctx, project.Bundle, setup.ModesOf(rules))
	})
	for _, r := range project.Rules {
		// The examples of other tiers need not hold under this project's excludes.
		if len(ids) > 0 && !slices.Contains(ids, r.ID) || len(ids) == 0 && r.Tier != rule.ProjectTier {
			continue
		}
		if err := o.runExamples(ctx, r, compiled); err != nil {
			return nil, err
		}
	}
	for _, x := range ofModes {
		if err := o.runModeExample(ctx, x, compiled); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil { // examples without matches do not notice
		return nil, ctx.Err()
	}
	if len(ids) > 0 {
		return o, nil
	}
	return o, o.runPolicyTests(ctx)
}

// runExamples evaluates each example of one rule.
func (o *Outcome) runExamples(ctx context.Context, r *rule.Rule, compiled func() (*policy.Engine, error)) error {
	if len(r.Examples) == 0 {
		o.Without = append(o.Without, r.ID)
		return nil
	}
	o.Rules++
	o.Examples += len(r.Examples)
	withoutAction := *r
	withoutAction.Action = nil // examples specify whether the rule fires, not what its command does
	for _, x := range r.Examples {
		x = x.Under(r.Below)
		if len(x.Calls) > 0 {
			details, err := o.runCalls(ctx, &withoutAction, x, compiled)
			if err != nil {
				return err
			}
			if len(details) > 0 {
				o.Failures = append(o.Failures, Failure{
					File: r.File, Line: x.Line, Column: 1, Message: "the example does not hold (- wanted, + found)", Details: details,
				})
			}
			continue
		}
		decider := check.Decider{Project: o.Project, Policies: compiled, Now: exampleTime}
		findings, why, err := evaluate(ctx, decider, &withoutAction, x)
		if err != nil {
			return err
		}
		f := Failure{File: r.File, Line: x.Line, Column: 1, Message: why}
		if why == "" {
			f.Details = x.Differs(findings)
			f.Message = "the example does not hold (- wanted, + found)"
		}
		if why != "" || len(f.Details) > 0 {
			o.Failures = append(o.Failures, f)
		}
	}
	return nil
}

// exampleBranch, exampleAuthor and exampleTime are used where an example names none, so that its outcome
// depends on nothing else.
const (
	exampleBranch = "main"
	exampleAuthor = "A U Thor <author@example.com>"
)

var exampleTime = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// evaluate returns what a rule finds in the change of an example, or why the rule cannot
// be evaluated on it.
func evaluate(ctx context.Context, decider check.Decider, r *rule.Rule, x example.Example) (findings []example.Finding, why string, err error) {
	decider.Details, decider.Files = exampleDetails{x}, func() ([]string, error) { return filesOf(x), nil }
	if r := x.Request; r != nil {
		body := strings.Join(r.Body, "\n")
		decider.PullRequest = diff.PullRequest{Title: &r.Title, Body: &body, Draft: &r.Draft}
		decider.Event.Labels = r.Labels
	}
	branch := cmp.Or(x.Branch, exampleBranch)
	project := *decider.Project
	project.Conditions = project.Conditions.WithGit(condition.GitState(true, branch, 0))
	decider.Project = &project
	verdicts, failures, err := decider.Decide(ctx, []*rule.Rule{r}, diff.Changeset{
		Base:    diff.Base{ID: r.CompareTo, Ref: exampleBranch, FoundBy: "an example"},
		Head:    diff.Head{Kind: diff.Worktree, Branch: branch},
		Changes: changesOf(x),
	})
	if err != nil {
		return nil, "", err
	}
	if len(failures) > 0 {
		return nil, failures[0].Err.Error(), nil
	}
	for _, v := range verdicts {
		for _, violation := range v.Violations {
			findings = append(findings, findingOf(violation))
		}
	}
	return findings, "", nil
}

// findingOf writes a violation as an example does.
func findingOf(v policy.Violation) example.Finding {
	f := example.Finding{Files: v.TriggerFiles, Expected: v.Expected}
	if v.Path != "" && (len(f.Files) == 0 || v.Line > 0 && !slices.Contains(f.Files, v.Path)) {
		f.Files = []string{v.Path}
	}
	if len(f.Files) == 1 && f.Files[0] == v.Path {
		f.At = v.Line
	}
	return f
}

// runPolicyTests runs the tests of the project's policies.
func (o *Outcome) runPolicyTests(ctx context.Context) error {
	modules, problems := policies.Tests(o.Project.Tree, policies.ProjectDir)
	o.Project.Problems = append(o.Project.Problems, problems...)
	tests, problems, err := policy.RunTests(ctx, o.Project.Bundle, modules)
	if err != nil {
		return err
	}
	o.Project.Problems = append(o.Project.Problems, problems...)
	for _, test := range tests {
		o.Tests++
		if test.Skipped {
			o.Skipped++
		}
		if test.Failure == "" {
			continue
		}
		f := Failure{File: test.File, Line: test.Line, Column: test.Column, Message: test.Name + ": " + test.Failure}
		for line := range strings.Lines(test.Output) {
			f.Details = append(f.Details, strings.TrimSuffix(line, "\n"))
		}
		o.Failures = append(o.Failures, f)
	}
	return nil
}
