package phase

import (
	"context"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Waiting is a condition of the current phase, by the last claims and by what hooks recorded.
type Waiting struct {
	To        string `json:"to,omitempty"` // the phase that a transition leads to
	ID        string `json:"id,omitempty"` // of an exit condition
	Condition string `json:"condition"`    // or the name of a claim
	Holds     bool   `json:"holds"`
	// False are the operands that do not hold: of "a and b" those of a and b, of any other
	// condition the condition.
	False  []string `json:"false,omitempty"`
	Reason string   `json:"reason,omitempty"` // why it could not be evaluated
}

// waiting evaluates the conditions of the phase that a session is in. It reads no logs: status
// must answer at once.
func (n *Runner) waiting(ctx context.Context, d *workflow.Definition, s *store.Run) (waits []Waiting, vars map[string]any, err error) {
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, nil, err
	}
	k, err := n.variablesOf(d, s, nil)
	if err != nil {
		return nil, nil, err
	}
	conditions, problems, err := n.conditionsOf(ctx, d, p)
	if err == nil && len(problems) > 0 {
		err = &ProblemsError{problems}
	}
	if err != nil {
		return nil, k.vars, err
	}
	evidence := map[string]any{}
	for name, claim := range s.Claims {
		evidence[name] = claim
	}
	x := facts{claims: claimsOf(evidence), evidence: evidence, session: s, vars: k.vars, given: k.set, endsOnly: k.endsOnly, now: n.options.Now()}
	add := func(w Waiting, c *rule.Condition) error {
		w.Condition = c.Text
		holds, err := conditions.holds(ctx, c, x)
		if w.Holds = holds; err != nil {
			w.Reason = err.Error()
		}
		if !holds {
			if w.False, err = n.falseOperands(ctx, d, c.Text, x); err != nil {
				return err
			}
		}
		waits = append(waits, w)
		return nil
	}
	for _, t := range p.Transitions {
		switch {
		case t.When != nil:
			err = add(Waiting{To: t.To}, t.When)
		case t.Claim != "":
			w := Waiting{To: t.To, Condition: t.Claim, Holds: s.Claims[t.Claim]}
			if !w.Holds {
				w.False = []string{t.Claim}
			}
			waits = append(waits, w)
		}
		if err != nil {
			return nil, k.vars, err
		}
	}
	if p.ExitWhen != nil {
		err = add(Waiting{ID: "exit_when"}, p.ExitWhen)
	}
	for _, e := range p.ExitConditions {
		if e.When != nil && err == nil {
			err = add(Waiting{ID: e.ID}, e.When)
		}
	}
	return waits, k.vars, err
}

// falseOperands returns the operands of a condition that do not hold.
func (n *Runner) falseOperands(ctx context.Context, d *workflow.Definition, text string, x facts) ([]string, error) {
	operands := condition.Operands(text)
	if len(operands) == 1 {
		return operands, nil
	}
	set, err := n.project()
	if err != nil {
		return nil, err
	}
	c := &conditions{ids: map[*rule.Condition]string{}}
	texts := map[string]*rule.Condition{}
	for i, operand := range operands {
		one := &rule.Condition{Text: operand}
		id := strconv.Itoa(i)
		c.ids[one], texts[id] = id, one
	}
	if c.compiled, _, err = condition.Compile(ctx, workflows.Of(set).Bundle, condition.WorkflowVocabulary(condition.Names{Vars: d.Vars, Outputs: d.Outputs()}), texts); err != nil {
		return nil, err
	}
	c.compiled = c.compiled.WithGit(set.Git())
	var found []string
	for i, operand := range operands {
		if holds, err := c.holds(ctx, texts[strconv.Itoa(i)], x); err != nil || !holds {
			found = append(found, operand)
		}
	}
	return found, nil
}
