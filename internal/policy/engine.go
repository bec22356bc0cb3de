// Package policy asks the Rego: facts in, violations out. Whatever keeps a
// policy from answering is an error, never an answer.
package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/policies"
)

const entrypoint = "data.rulecheck.main.violations"

// QueryTimeout is how long a policy or a condition may take to answer.
const QueryTimeout = 5 * time.Second

// Engine is a compiled set of policies. It may be used concurrently.
type Engine struct {
	modes    map[string]policies.Mode
	broken   map[string]bool     // modes without a policy that compiles
	mentions map[string]mentions // by mode, of the program's own
	problems []finding.Problem
	query    rego.PreparedEvalQuery
	timeout  time.Duration
}

// Error is a rule that could not be judged.
type Error struct {
	Rule string // its id
	Mode string
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("rule %s: mode %s: %v", e.Rule, e.Mode, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// New compiles the policies of b, checked against the types of [Input] and
// without the builtins that would make a verdict depend on anything but the
// facts. What is wrong with the project's own is among the engine's problems, and
// keeps it from deciding by them alone; the error is about the program's.
func New(ctx context.Context, b *policies.Bundle) (*Engine, error) {
	if b.Built() {
		return NewFor(ctx, b, slices.Collect(maps.Keys(b.Modes)))
	}
	modules, err := b.All()
	if err != nil {
		return nil, err
	}
	compiler, compiled, err := compile(b, modules)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, compiler, compiled, b.Modes)
}

// prepare gives the engine that asks what was compiled.
func prepare(ctx context.Context, compiler *ast.Compiler, compiled *compilation, modes map[string]policies.Mode) (*Engine, error) {
	query, err := rego.New(
		rego.Query(entrypoint),
		rego.Compiler(compiler),
		rego.StrictBuiltinErrors(true),
		rego.GenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) { return term.Value, nil }),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	return &Engine{
		modes: modes, broken: compiled.broken, mentions: compiled.mentions, problems: compiled.problems,
		query: query, timeout: QueryTimeout,
	}, nil
}

// Problems are what is wrong with the policies of the project.
func (e *Engine) Problems() []finding.Problem { return e.problems }

// Has reports whether the engine knows all of the modes, by their names.
func (e *Engine) Has(modes []string) bool {
	return !slices.ContainsFunc(modes, func(name string) bool { _, ok := e.modes[name]; return !ok })
}

// Decide asks the policy of the rule's mode for its violations, in an order
// that depends on nothing but the facts; their lists are in byte order, each
// entry once. Of the facts only those that the mode declares reach its policy.
// Paths are bytes on both sides. Every error is an [*Error].
func (e *Engine) Decide(ctx context.Context, in Input) ([]Violation, error) {
	violations, err := e.decide(ctx, in)
	if err != nil {
		return nil, &Error{Rule: in.Rule.ID, Mode: in.Rule.Mode, Err: err}
	}
	return violations, nil
}

func (e *Engine) decide(ctx context.Context, in Input) ([]Violation, error) {
	mode, ok := e.modes[in.Rule.Mode]
	if !ok {
		return nil, fmt.Errorf("no policy for it; want one of %s", quoted(e.modes))
	}
	if e.broken[mode.Name] {
		return nil, errors.New("its policy does not compile")
	}
	var names names
	input, err := valueOf(in, mode.Facts, e.mentions[mode.Name], &names)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, fmt.Errorf("no answer within %s", e.timeout))
	defer cancel()
	results, err := e.query.Eval(ctx, rego.EvalParsedInput(input))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case len(results) == 0:
		return nil, errors.New(entrypoint + " is undefined; want a set of violations")
	case len(results) > 1 || len(results[0].Expressions) != 1:
		return nil, fmt.Errorf("%s has %d results; want one set of violations", entrypoint, len(results))
	}
	return violationsOf(results[0].Expressions[0].Value, &names)
}

func quoted(modes map[string]policies.Mode) string {
	names := make([]string, 0, len(modes))
	for _, name := range slices.Sorted(maps.Keys(modes)) {
		names = append(names, strconv.Quote(name))
	}
	return strings.Join(names, ", ")
}
