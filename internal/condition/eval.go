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
	Holds   bool
	Unmet   []*rule.Condition // because of which it does not
	Err     error             // a *Error
	Missing string            // what the log of a session does not state, for which the answer is unknown
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
	return c.On(ctx, in, from, rules).Answers(ctx, rules)
}

// Change is a change with the facts about it that the conditions of some rules ask for.
type Change struct {
	set     *Set
	in      policy.Input
	vars    map[string]any
	encoder *policy.Encoder
	failed  map[string]failure // by the id of the rule
	common  [][2]*ast.Term     // without the list of changes
	fields  [][2]*ast.Term
}

// On establishes the facts about a change, for the conditions of rules. It reads what
// [Set.OnChange] does.
func (c *Set) On(ctx context.Context, in policy.Input, from *establish.Sources, rules []rule.Info) *Change {
	if g := c.git; g != nil && g.Repository != nil && g.Checked != in.Head.Head {
		c = c.WithGit(&Git{Repository: g.Repository, Checked: in.Head.Head, DefaultBranch: g.DefaultBranch})
	}
	e := policy.NewEncoder(nil)
	sought := c.seek(ctx, e, from, rules)
	of := &Change{set: c, in: in, encoder: e, failed: sought.failed, fields: sought.fields, vars: c.vars}
	of.add(policies.FactBase, in.Base)
	of.add(policies.FactHead, in.Head)
	if c.names[policies.FactPR] {
		of.fields = append(of.fields, ast.Item(ast.StringTerm(policies.FactPR), e.Text(in.PR)))
	}
	if of.vars == nil {
		of.vars = map[string]any{}
	}
	of.add(FactVars, of.vars)
	if in.Now != "" {
		of.add(policies.FactNow, in.Now)
	}
	of.fields = append(of.fields, ast.Item(ast.StringTerm(nameChange), c.matching(in.Changes)))
	of.common = slices.Clip(of.fields)
	of.add(policies.FactChanges, in.Changes)
	return of
}

// Answers evaluates the conditions of some of the rules, in their order.
func (of *Change) Answers(ctx context.Context, rules []rule.Info) []Answer {
	c := of.set
	verdicts := make([]Answer, len(rules))
	var together []string
	for i, r := range rules {
		if failed := of.failure(r); failed != nil {
			verdicts[i] = *failed
		} else if c.Has(r.ID) && !c.reads(r.ID, nameRule) && !c.callsLibrary(r.ID) && !of.isNarrower(r) {
			together = append(together, r.ID)
		} else {
			verdicts[i] = c.ofRule(ctx, of.fieldsFor(r), r)
		}
	}
	found := c.all(ctx, together, of.fields)
	for i, r := range rules {
		if v, ok := found[r.ID]; ok {
			verdicts[i] = v
		}
	}
	return verdicts
}

// add adds a fact that any of the conditions reads.
func (of *Change) add(name string, fact any) {
	if of.set.names[name] {
		of.fields = append(of.fields, ast.Item(ast.StringTerm(name), of.encoder.Term(fact)))
	}
}

// failure returns the answer of a condition that a fact is missing for; nil if none is.
func (of *Change) failure(r rule.Info) *Answer {
	c := of.set
	need, unknown := c.Unknown(r.ID, of.vars, nil)
	var a Answer
	switch {
	case unknown:
		a = c.failure(r.ID, nil, fmt.Errorf("no value for %s", need))
	case of.failed[r.ID].err != nil:
		a = c.failure(r.ID, of.failed[r.ID].at, of.failed[r.ID].err)
	case of.encoder.Err() != nil:
		a = c.failure(r.ID, nil, of.encoder.Err())
	case c.reads(r.ID, policies.FactNow) && of.in.Now == "":
		a = c.failure(r.ID, nil, errors.New("it reads now, but no time was given"))
	default:
		return nil
	}
	return &a
}

// isNarrower reports whether the changes that a condition reads are those below its directory.
func (of *Change) isNarrower(r rule.Info) bool {
	return r.Below != "" && (of.set.reads(r.ID, policies.FactChanges) || of.set.callsLibrary(r.ID))
}

// fieldsFor returns the facts that the condition of a rule reads.
func (of *Change) fieldsFor(r rule.Info) [][2]*ast.Term {
	if !of.isNarrower(r) {
		return of.fields
	}
	fields := of.common
	if of.set.names[policies.FactChanges] {
		fields = append(fields, ast.Item(ast.StringTerm(policies.FactChanges), of.encoder.Term(diff.Below(of.in.Changes, r.Below))))
	}
	return fields
}

// reads reports whether a condition of a rule mentions a fact.
func (c *Set) reads(id, name string) bool {
	return slices.ContainsFunc(c.conditions[id], func(one *condition) bool { return one.names[name] })
}

// callsLibrary reports whether a condition of a rule calls the library.
func (c *Set) callsLibrary(id string) bool {
	return slices.ContainsFunc(c.conditions[id], func(one *condition) bool { return one.library })
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
