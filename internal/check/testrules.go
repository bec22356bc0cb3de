package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/policies"
)

// Tested is what became of the examples of rules and of the tests of policies.
type Tested struct {
	Rules    int // that have examples
	Examples int
	Tests    int       // of policies
	Skipped  int       // of those, the ones that are still to do
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
	Details []string // lines: what was wanted, after "- ", and found, after "+ "; or what a test printed
}

// TestRules judges the examples in the working tree's rules as a run would judge
// such changes, and runs the tests of its policies. Without ids it takes every
// rule and test, with them the examples of those rules alone.
func TestRules(ctx context.Context, git diff.Engine, ids []string, o Options) (*Tested, error) {
	var under conc.WaitGroup
	defer under.Wait()
	j, err := prepare(ctx, exampleEngine{Engine: git}, o, &under)
	if err != nil {
		return nil, err
	}
	j.engine = async.Go(&under, func() (*policy.Engine, error) { // examples also run for rules that are disabled
		return policy.NewFor(ctx, j.project.Bundle, setup.ModesOf(j.project.Rules))
	})
	known := make([]string, 0, len(j.project.Rules))
	for _, r := range j.project.Rules {
		known = append(known, r.ID)
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, &setup.SelectionError{Message: fmt.Sprintf("unknown rule %q%s", id, suggest.OneOf(id, known))}
		}
	}
	t := &Tested{Notices: j.project.Notices, Project: j.project}
	for _, r := range j.project.Rules {
		// The examples of other tiers need not hold under this project's excludes.
		if len(ids) > 0 && !slices.Contains(ids, r.ID) || len(ids) == 0 && r.Tier != rule.ProjectTier {
			continue
		}
		if err := t.try(ctx, j, r); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil { // a policy may have been quicker than that
		return nil, ctx.Err()
	}
	if len(ids) > 0 {
		return t, nil
	}
	return t, t.testPolicies(ctx, j)
}

// try judges each example of one rule.
func (t *Tested) try(ctx context.Context, j *judge, r *rule.Rule) error {
	if len(r.Examples) == 0 {
		t.Without = append(t.Without, r.ID)
		return nil
	}
	t.Rules++
	t.Examples += len(r.Examples)
	only := *r
	only.Action = nil // whether it fires is asked, not what its command does
	for _, x := range r.Examples {
		found, why, err := j.imagine(ctx, &only, x)
		if err != nil {
			return err
		}
		f := Failure{File: r.File, Line: x.Line, Column: 1, Message: why}
		if why == "" {
			f.Details = x.Differs(found)
			f.Message = "the example does not hold (- wanted, + found)"
		}
		if why != "" || len(f.Details) > 0 {
			t.Failures = append(t.Failures, f)
		}
	}
	return nil
}

// What an example does not say must not depend on where and when it is tried.
const exampleBranch = "main"

var exampleTime = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// imagine judges one rule over the change of an example. Where it cannot be
// judged, it says why.
func (j *judge) imagine(ctx context.Context, r *rule.Rule, x example.Example) (found []example.Finding, why string, err error) {
	git := exampleEngine{Engine: j.git, example: x}
	one := *j
	one.git, one.files = git, func() ([]string, error) { return filesOf(x), nil }
	one.verdicts, one.unjudged = nil, nil
	one.options.Now = exampleTime
	base := diff.Base{ID: r.CompareTo, Ref: exampleBranch, FoundBy: "an example"}
	changes, err := git.Changes(ctx, base, diff.Head{Kind: diff.Worktree, Branch: cmp.Or(x.Branch, exampleBranch)})
	if err != nil {
		return nil, "", err
	}
	if err := one.decide(ctx, []*rule.Rule{r}, changes); err != nil {
		return nil, "", err
	}
	if len(one.unjudged) > 0 {
		return nil, one.unjudged[0].Message, nil
	}
	for _, v := range one.verdicts {
		for _, violation := range v.violations {
			found = append(found, findingIn(violation))
		}
	}
	return found, "", nil
}

// findingIn is a violation as an example has it.
func findingIn(v policy.Violation) example.Finding {
	f := example.Finding{Files: v.TriggerFiles, Expected: v.Expected}
	if len(f.Files) == 0 && v.Path != "" {
		f.Files = []string{v.Path}
	}
	if len(f.Files) == 1 && f.Files[0] == v.Path {
		f.At = v.Line
	}
	return f
}

// testPolicies runs the tests of the project's policies.
func (t *Tested) testPolicies(ctx context.Context, j *judge) error {
	modules, problems := policies.Tests(j.project.Tree, policies.ProjectDir)
	t.Project.Problems = append(t.Project.Problems, problems...)
	tests, wrong, err := policy.RunTests(ctx, j.project.Bundle, modules)
	if err != nil {
		return err
	}
	t.Project.Problems = append(t.Project.Problems, wrong...)
	for _, test := range tests {
		t.Tests++
		if test.Skipped {
			t.Skipped++
		}
		if test.Failure == "" {
			continue
		}
		f := Failure{File: test.File, Line: test.Line, Column: test.Column, Message: test.Name + ": " + test.Failure}
		for line := range strings.Lines(test.Output) {
			f.Details = append(f.Details, strings.TrimSuffix(line, "\n"))
		}
		t.Failures = append(t.Failures, f)
	}
	return nil
}
