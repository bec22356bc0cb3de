package phase

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// conditions are the conditions of a phase, compiled.
type conditions struct {
	compiled *condition.Set
	ids      map[*rule.Condition]string
}

// conditionsOf compiles the conditions of a phase; nothing if it has none.
func (n *Runner) conditionsOf(ctx context.Context, d *workflow.Definition, p *workflow.Phase) (*conditions, []finding.Problem, error) {
	c := &conditions{ids: map[*rule.Condition]string{}}
	texts := map[string]*rule.Condition{}
	add := func(what string, i int, text *rule.Condition) {
		if text == nil {
			return
		}
		id := p.Name + "." + what
		if i >= 0 {
			id += "[" + strconv.Itoa(i) + "]"
		}
		c.ids[text], texts[id] = id, text
	}
	add("exit_when", -1, p.ExitWhen)
	for i, e := range p.ExitConditions {
		add("exit_conditions", i, e.When)
	}
	for i, t := range p.Transitions {
		add("transitions", i, t.When)
	}
	if p.Gate != nil {
		for i, q := range p.Gate.Evidence {
			add("gate.evidence", i, q.Condition)
		}
	}
	if len(texts) == 0 {
		return c, nil, nil
	}
	set, err := n.project()
	if err != nil {
		return nil, nil, err
	}
	var problems []finding.Problem
	c.compiled, problems, err = condition.Compile(ctx, set.Bundle, condition.WorkflowVocabulary(condition.Names{Vars: d.Vars, Outputs: d.Outputs()}), texts)
	c.compiled = c.compiled.WithGit(set.Git())
	return c, problems, err
}

// facts are the input of conditions.
type facts struct {
	claims   map[string]bool
	evidence map[string]any
	session  *store.Run
	vars     map[string]any
	given    map[string]any // the variables that have more than their initial values
	endsOnly bool           // mcp_results holds only whether calls succeeded
	silent   []string       // agents that pass hooks no outcome of commands
	now      time.Time
	// commitsMissing explains why the commits that the phase requires are not there; empty: they are.
	commitsMissing func(context.Context) string
}

func (x facts) all() map[string]any {
	return map[string]any{
		condition.FactClaims: x.claims, condition.FactEvidence: x.evidence, condition.FactArtifacts: artifactsOf(x.session), condition.FactVars: x.vars,
		condition.FactPhase: map[string]any{
			"name": x.session.Phase, "start": x.session.EnteredAt.UTC().Format(time.RFC3339),
			"seconds": max(0, int64(x.now.Sub(x.session.EnteredAt)/time.Second)),
		},
		policies.FactNow: x.now.UTC().Format(time.RFC3339),
	}
}

// holds evaluates one condition. A condition that needs an unknown value is an error.
func (c *conditions) holds(ctx context.Context, text *rule.Condition, x facts) (bool, error) {
	id := c.ids[text]
	if n, unknown := c.compiled.Unknown(id, x.vars, x.answers); unknown {
		return false, fmt.Errorf("cannot be evaluated: no value for %s; want %q in the file of --facts", n, n.Var)
	}
	return c.compiled.Holds(ctx, id, x.all())
}

// answers reports whether the value of a variable has what a condition needs.
func (x facts) answers(n condition.Need) bool {
	return !x.endsOnly || n.Var != condition.VarMCPResults || n.Function == "mcp_failed"
}
