// Package policy evaluates the Rego of modes: facts in, violations out. A policy that
// cannot be evaluated is an error, never a result without violations.
//
// [NewFor] compiles the policies of some modes, type-checked with the schema of [Input], and
// [Engine.Decide] asks the one entrypoint, data.rulecheck.main.violations. An unknown mode, an
// undefined result and a failing builtin are errors. A query is bounded in time and memory,
// and policies reach no network, clock or file.
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
	"github.com/rulecheck/rulecheck/internal/policy/limit"
	"github.com/rulecheck/rulecheck/policies"
)

const entrypoint = "data.rulecheck.main.violations"

// Engine is a compiled set of policies. It may be used concurrently.
type Engine struct {
	modes    policies.Modes
	broken   map[string]bool // modes whose policy does not compile
	problems []finding.Problem
	query    rego.PreparedEvalQuery
	timeout  time.Duration
	answers  *answers // nil: answers are not kept
	portion  int      // correspondences that are decided at a time, if the mode decides each for itself
}

// Error is the error of a rule that could not be evaluated.
type Error struct {
	Rule string // its id
	Mode string
	Err  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("rule %s: mode %s: %v", e.Rule, e.Mode, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// New compiles all policies of b; see [NewFor].
func New(ctx context.Context, b *policies.Bundle) (*Engine, error) {
	return NewFor(ctx, b, b.Modes.Names())
}

// NewFor compiles the policies of some modes of b and all of the project's, checked
// against the types of [Input] and without the builtins that would make a decision
// depend on anything but the facts. What is wrong with the project's policies is among
// the engine's problems, and rules of those modes cannot be decided; the error is about
// the program's.
func NewFor(ctx context.Context, b *policies.Bundle, modes []string) (*Engine, error) {
	modules, err := b.Modules(modes)
	if err != nil {
		return nil, err
	}
	c, err := compile(ctx, b, modules)
	if err != nil {
		return nil, err
	}
	query, err := rego.New(append(policies.Builtins(),
		rego.Query(entrypoint),
		rego.Compiler(c.compiler),
		rego.StrictBuiltinErrors(true),
		rego.GenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) { return term.Value, nil }),
	)...).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("compile policies: %w", err)
	}
	known := maps.Clone(b.Modes)
	own := b.ProjectModes()
	maps.DeleteFunc(known, func(name string, _ func() policies.Mode) bool {
		return !slices.Contains(modes, name) && !slices.Contains(own, name)
	})
	return &Engine{modes: known, broken: c.broken, problems: c.problems, query: query, timeout: limit.Time, portion: portion}, nil
}

// Remembering returns an engine that often evaluates equal facts only once. It is for many
// changesets with the same rules.
func (e *Engine) Remembering() *Engine {
	with := *e
	with.answers = &answers{byHash: map[int]answer{}}
	return &with
}

// Problems returns the problems of the project's policies.
func (e *Engine) Problems() []finding.Problem { return e.problems }

// Decide returns the violations that the policy of the rule's mode finds, in an order
// that depends only on the facts; lists in them are sorted and without duplicates. The
// policy sees the facts that its mode declares. Paths may hold any bytes. Every error is
// an [*Error].
func (e *Engine) Decide(ctx context.Context, in Input) ([]Violation, error) {
	violations, err := e.decide(ctx, in)
	if err != nil {
		return nil, &Error{Rule: in.Rule.ID, Mode: in.Rule.Mode, Err: err}
	}
	return violations, nil
}

func (e *Engine) decide(ctx context.Context, in Input) ([]Violation, error) {
	mode := e.modes.Of(in.Rule.Mode)
	if !e.modes.Has(in.Rule.Mode) {
		return nil, fmt.Errorf("no policy for it; want one of %s", quoted(e.modes))
	}
	if e.broken[mode.Name] {
		return nil, errors.New("its policy does not compile")
	}
	if mode.Separate && len(in.Correspondences) > e.portion {
		return e.inPortions(ctx, in)
	}
	encoder := NewEncoder(seenBy(mode, in.Rule.Params))
	input := encoder.Term(in)
	if err := encoder.Err(); err != nil {
		return nil, err
	}
	evaluate := func() ([]Violation, error) {
		return limit.Run(ctx, e.timeout, func(ctx context.Context) ([]Violation, error) {
			return e.violations(ctx, mode, in.Rule.Params, input.Value, &encoder.names)
		})
	}
	if e.answers == nil || mode.Project || len(in.Changes) > fewChanges || len(encoder.names.raw) > 0 {
		return evaluate()
	}
	return e.answers.of(input, evaluate)
}

// seenBy returns the facts that the policy of a mode sees besides the rule with these
// parameters. Those of the program see neither base nor head.
func seenBy(mode policies.Mode, params map[string]any) []string {
	seen := append([]string{policies.FactMatches}, mode.FactsOf(params)...) // every mode has safety
	if mode.Project {
		seen = append(seen, policies.FactBase, policies.FactHead)
	}
	return seen
}

// violations evaluates the policy on its facts. Reading the result takes long if it is
// large, so that belongs to what is limited.
func (e *Engine) violations(ctx context.Context, mode policies.Mode, params map[string]any, facts ast.Value, names *names) ([]Violation, error) {
	results, err := e.query.Eval(ctx, rego.EvalParsedInput(facts))
	switch {
	case err != nil:
		return nil, err
	case len(results) == 0:
		return nil, errors.New(entrypoint + " is undefined; want a set of violations")
	case len(results) > 1 || len(results[0].Expressions) != 1:
		return nil, fmt.Errorf("%s has %d results; want one set of violations", entrypoint, len(results))
	}
	return violationsOf(results[0].Expressions[0].Value, names, mode, params)
}

func quoted(modes policies.Modes) string {
	names := make([]string, 0, len(modes))
	for _, name := range modes.Names() {
		names = append(names, strconv.Quote(name))
	}
	return strings.Join(names, ", ")
}
