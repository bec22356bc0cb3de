package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/rulecheck/rulecheck/internal/finding"
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
	whole, err := b.Modules(slices.Collect(maps.Keys(b.Modes)))
	if err != nil {
		return nil, nil, err
	}
	_, c, err := compile(b, whole)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(c.modules, modules)
	results, err := tester.NewRunner().
		SetCompiler(ast.NewCompiler().
			WithCapabilities(policies.Capabilities()).
			WithSchemas(c.schemas).
			WithUseTypeCheckAnnotations(true).
			WithStrict(true).
			WithEnablePrintStatements(true)).
		SetModules(c.modules).
		RaiseBuiltinErrors(true).
		SetTimeout(QueryTimeout).
		RunTests(ctx, nil)
	if wrong, ok := errors.AsType[ast.Errors](err); ok && !slices.ContainsFunc(wrong, placeless) {
		problems := make([]finding.Problem, 0, len(wrong))
		for _, e := range wrong {
			problems = append(problems, problemOf(e))
		}
		return nil, problems, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("compile tests: %w", err)
	}
	var tests []Test
	for r := range results {
		tests = append(tests, testOf(r))
	}
	if ctx.Err() != nil { // then the runner gave up the others
		return nil, nil, ctx.Err()
	}
	slices.SortFunc(tests, func(a, b Test) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Name, b.Name))
	})
	return tests, nil, nil
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
