package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/policies"
)

// Test is the result of one Rego test.
type Test struct {
	Name    string // with its package
	File    string
	Line    int
	Column  int
	Skipped bool   // its name begins with todo_
	Failure string // why it failed; empty: it passed
	Output  string // what it printed
}

// RunTests runs the tests in modules, as [policies.Tests] reads them, against the policies
// of b that compile, with the capabilities and the timeout of policies. Results are sorted
// by position. If a test does not compile, RunTests runs none and returns the problems.
func RunTests(ctx context.Context, b *policies.Bundle, modules map[string]*ast.Module) ([]Test, []finding.Problem, error) {
	if len(modules) == 0 {
		return nil, nil, nil
	}
	whole, err := b.Modules(b.Modes.Names())
	if err != nil {
		return nil, nil, err
	}
	c, err := compile(ctx, b, whole)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(c.modules, modules)
	// One that cannot be ended hides what becomes of the others: then each runs alone.
	results, err := limit.Run(ctx, 2*limit.Time, func(ctx context.Context) ([]*tester.Result, error) { return c.test(ctx, "") })
	if wrong, ok := errors.AsType[ast.Errors](err); ok && !slices.ContainsFunc(wrong, placeless) {
		problems := make([]finding.Problem, 0, len(wrong))
		for _, e := range wrong {
			problems = append(problems, problemOf(e))
		}
		return nil, problems, nil
	}
	if ctx.Err() != nil { // then the runner gave up the others
		return nil, nil, ctx.Err()
	}
	var tests []Test
	for _, r := range results {
		tests = append(tests, testOf(r))
	}
	if err != nil {
		if tests, err = c.testAlone(ctx, modules); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(tests, func(a, b Test) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Name, b.Name))
	})
	return tests, nil, nil
}

// test runs the tests whose names match a regular expression.
func (c *compilation) test(ctx context.Context, names string) ([]*tester.Result, error) {
	results, err := tester.NewRunner().
		SetCompiler(ast.NewCompiler().
			WithCapabilities(policies.Capabilities()).
			WithSchemas(c.schemas).
			WithUseTypeCheckAnnotations(true).
			WithStrict(true).
			WithEnablePrintStatements(true)).
		SetModules(copies(c.modules)).
		RaiseBuiltinErrors(true).
		SetTimeout(limit.Time).
		AddCustomBuiltins([]*tester.Builtin{{Func: func(r *rego.Rego) {
			for _, option := range policies.Builtins() {
				option(r)
			}
		}}}).
		Filter(names).
		RunTests(ctx, nil)
	if err != nil {
		return nil, err
	}
	var all []*tester.Result
	for r := range results {
		all = append(all, r)
	}
	return all, ctx.Err()
}

// testAlone runs each test by itself. What exceeds the limits fails.
func (c *compilation) testAlone(ctx context.Context, modules map[string]*ast.Module) ([]Test, error) {
	var tests []Test
	seen := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		for _, rule := range modules[file].Rules {
			name, ok := testName(rule)
			if !ok || seen[name] {
				continue
			}
			seen[name] = true
			results, err := limit.Run(ctx, 2*limit.Time, func(ctx context.Context) ([]*tester.Result, error) {
				return c.test(ctx, "^"+regexp.QuoteMeta(name)+"$")
			})
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				at := rule.Location
				tests = append(tests, Test{Name: strings.TrimPrefix(name, "data."), File: file, Line: at.Row, Column: at.Col, Failure: err.Error()})
			}
			for _, r := range results {
				tests = append(tests, testOf(r))
			}
		}
	}
	return tests, nil
}

// testName returns the name by which the runner knows the test that a rule is.
func testName(rule *ast.Rule) (string, bool) {
	ref := rule.Head.Ref().GroundPrefix()
	for i, term := range ref {
		name := strings.Trim(term.String(), `"`)
		if strings.HasPrefix(name, tester.TestPrefix) || strings.HasPrefix(name, tester.SkipTestPrefix) {
			full := rule.Module.Package.Path
			for _, part := range ref[:i+1] {
				full = full.Append(ast.StringTerm(strings.Trim(part.String(), `"`)))
			}
			return full.String(), true
		}
	}
	return "", false
}

// copies returns modules that a compiler may change.
func copies(modules map[string]*ast.Module) map[string]*ast.Module {
	copied := make(map[string]*ast.Module, len(modules))
	for file, m := range modules {
		copied[file] = m.Copy()
	}
	return copied
}

// placeless reports whether an error has no position.
func placeless(e *ast.Error) bool { return e.Location == nil }

func testOf(r *tester.Result) Test {
	t := Test{
		Name: strings.TrimPrefix(r.Package, "data.") + "." + r.Name, Skipped: r.Skip,
		File: r.Location.File, Line: r.Location.Row, Column: r.Location.Col,
		Output: string(r.Output),
	}
	switch {
	case r.Error != nil:
		t.Failure = r.Error.Error()
	case r.Fail:
		t.Failure = "the test fails"
		for name, result := range r.SubResults.Iter {
			if result.Fail {
				t.Failure += fmt.Sprintf("; the case %q fails", strings.Join(name, "/"))
			}
		}
	}
	return t
}
