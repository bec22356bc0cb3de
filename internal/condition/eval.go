package condition

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Answer is the value of what depends on conditions: whether it applies. With an error that
// is unknown.
type Answer struct {
	Holds bool
	Unmet []*rule.Condition // because of which it does not
	Err   error             // a *Error
}

// Error is a condition that could not be evaluated.
type Error struct {
	ID string
	// Place is where in the condition it failed, or where the condition is;
	// without a file for one that was not compiled. Its message is Err's.
	Place finding.Problem
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("condition of %s: %v", e.ID, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Holds evaluates one condition over facts: what each name of the vocabulary
// stands for, in the terms of encoding/json. Every error is a *Error,
// also for a condition that did not compile.
func (c *Set) Holds(ctx context.Context, id string, facts map[string]any) (bool, error) {
	fields, err := fieldsOf(facts)
	if err != nil {
		return false, c.failure(id, nil, err).Err
	}
	v := c.one(ctx, id, fields)
	return v.Holds, v.Err
}

// fieldsOf returns facts by their names as fields of the input.
func fieldsOf(facts map[string]any) ([][2]*ast.Term, error) {
	e := policy.NewEncoder(nil)
	fields := make([][2]*ast.Term, 0, len(facts)+1)
	for name, fact := range facts {
		fields = append(fields, ast.Item(ast.StringTerm(name), e.Term(fact)))
	}
	return fields, e.Err()
}

// OnChange evaluates the conditions of rules over one changeset, in the order of
// the rules, each of which has some. Of in it reads what belongs to no rule: base,
// head, changes, pr and now; from the sources what the conditions of these rules ask.
func (c *Set) OnChange(ctx context.Context, in policy.Input, from *establish.Sources, rules []rule.Info) []Answer {
	if g := c.git; g != nil && g.Repository != nil && g.Checked != in.Head.Head {
		c = c.WithGit(&Git{Repository: g.Repository, Checked: in.Head.Head, DefaultBranch: g.DefaultBranch})
	}
	e := policy.NewEncoder(nil)
	sought := c.seek(ctx, e, from, rules)
	fields := sought.fields
	add := func(name string, fact any) {
		if c.names[name] {
			fields = append(fields, ast.Item(ast.StringTerm(name), e.Term(fact)))
		}
	}
	add(policies.FactBase, in.Base)
	add(policies.FactHead, in.Head)
	if c.names[policies.FactPR] {
		fields = append(fields, ast.Item(ast.StringTerm(policies.FactPR), e.Text(in.PR)))
	}
	vars := c.vars
	if vars == nil {
		vars = map[string]any{}
	}
	add(FactVars, vars)
	if in.Now != "" {
		add(policies.FactNow, in.Now)
	}
	fields = append(fields, ast.Item(ast.StringTerm(nameChange), c.matching(in.Changes)))
	common := fields
	add(policies.FactChanges, in.Changes)
	verdicts := make([]Answer, len(rules))
	var together []string
	for i, r := range rules {
		reads := func(name string) bool {
			return slices.ContainsFunc(c.conditions[r.ID], func(one *condition) bool { return one.names[name] })
		}
		library := slices.ContainsFunc(c.conditions[r.ID], func(one *condition) bool { return one.library })
		need, unknown := c.Unknown(r.ID, vars, nil)
		switch {
		case unknown:
			verdicts[i] = c.failure(r.ID, nil, fmt.Errorf("no value for %s", need))
		case sought.failed[r.ID].err != nil:
			verdicts[i] = c.failure(r.ID, sought.failed[r.ID].at, sought.failed[r.ID].err)
		case e.Err() != nil:
			verdicts[i] = c.failure(r.ID, nil, e.Err())
		case reads(policies.FactNow) && in.Now == "":
			verdicts[i] = c.failure(r.ID, nil, errors.New("it reads now, but no time was given"))
		case r.Below != "" && (reads(policies.FactChanges) || library):
			fields := slices.Clip(common)
			if c.names[policies.FactChanges] {
				fields = append(fields, ast.Item(ast.StringTerm(policies.FactChanges), e.Term(diff.Below(in.Changes, r.Below))))
			}
			verdicts[i] = c.ofRule(ctx, fields, r)
		case c.Has(r.ID) && !reads(nameRule) && !library:
			together = append(together, r.ID)
		default:
			verdicts[i] = c.ofRule(ctx, fields, r)
		}
	}
	found := c.all(ctx, together, fields)
	for i, r := range rules {
		if v, ok := found[r.ID]; ok {
			verdicts[i] = v
		}
	}
	return verdicts
}

// ofRule evaluates a condition that may read the rule it belongs to.
func (c *Set) ofRule(ctx context.Context, fields [][2]*ast.Term, r rule.Info) Answer {
	e := policy.NewEncoder(nil)
	own := e.Term(r)
	if err := e.Err(); err != nil {
		return c.failure(r.ID, nil, err)
	}
	return c.one(ctx, r.ID, append(slices.Clip(fields), ast.Item(ast.StringTerm(nameRule), own)))
}

// all evaluates conditions that read the same facts, in one query unless
// something fails. What fails, fails alone.
func (c *Set) all(ctx context.Context, ids []string, fields [][2]*ast.Term) map[string]Answer {
	if len(ids) == 0 {
		return nil
	}
	verdicts := make(map[string]Answer, len(ids))
	found, err := c.ask(ctx, ids, fields)
	alone := err != nil
	for _, e := range found.failed {
		one := c.in(fileOf(e.Location))
		if one == nil {
			alone = true // in a function, for whichever condition called it first
			break
		}
		verdicts[one.id] = c.failure(one.id, e.Location, errors.New(messageOf(e)))
	}
	for _, id := range ids {
		if alone {
			verdicts[id] = c.one(ctx, id, fields)
		} else if verdicts[id].Err == nil {
			verdicts[id] = c.applies(id, found)
		}
	}
	return verdicts
}

// one evaluates a condition by itself.
func (c *Set) one(ctx context.Context, id string, fields [][2]*ast.Term) Answer {
	if c.conditions[id] == nil {
		return c.uncompiled(id)
	}
	a, err := c.ask(ctx, []string{id}, fields)
	switch {
	case err != nil:
		return c.failure(id, nil, err)
	case len(a.failed) > 0:
		return c.failure(id, a.failed[0].Location, errors.New(messageOf(a.failed[0])))
	default:
		return c.applies(id, a)
	}
}

// applies returns whether the conditions of a rule hold, by the answer, and those that do not.
func (c *Set) applies(id string, a answer) Answer {
	against, known := a.against[id]
	v := Answer{Holds: known && len(against) == 0}
	for _, one := range c.conditions[id] {
		if against[one.part()] {
			v.Unmet = append(v.Unmet, one.Condition)
		}
	}
	return v
}

// messageOf is the message of a builtin's error. The functions that check types are
// not named: no condition calls them by name.
func messageOf(e topdown.Error) string {
	message := e.Message
	if rest, ok := strings.CutPrefix(message, typedPrefix); ok {
		_, message, _ = strings.Cut(rest, ": ")
	}
	return message
}

// failure is the verdict of a condition that has none, because of something at a
// place of it or of a library.
func (c *Set) failure(id string, at *ast.Location, err error) Answer {
	failed := &Error{ID: id, Err: err}
	if one := c.in(fileOf(at)); one != nil {
		failed.Place = one.Problem(at.Offset, err.Error())
	} else if parts := c.conditions[id]; len(parts) > 0 {
		failed.Place = parts[0].Problem(-1, err.Error())
	}
	return Answer{Err: failed}
}

// uncompiled is the answer of a condition that does not compile.
func (c *Set) uncompiled(id string) Answer {
	problem, known := c.refused[id]
	if !known {
		return c.failure(id, nil, errors.New("it does not compile"))
	}
	return Answer{Err: &Error{ID: id, Place: problem, Err: fmt.Errorf("it does not compile: %w", problem)}}
}

// Has reports whether the condition of this id compiled.
func (c *Set) Has(id string) bool { return c.conditions[id] != nil }
