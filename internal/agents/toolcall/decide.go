package toolcall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// The effects of a decision, from the mildest.
const (
	Allow = "allow"
	Warn  = "warn"
	Ask   = "ask"
	Deny  = "deny"
)

// Decision is the outcome for a call.
type Decision struct {
	Effect string
	Rule   *rule.Rule // that decided; nil: none did
	Reason string     // for the agent: the rule's instructions, or a sentence that names the tool
	// Unread is true if the decision is about a line that could not be read in full, and Opaque
	// are the parts that were not.
	Unread bool
	Opaque []fact.OpaquePart
	// Failed are rules that could not be evaluated. Those that deny or ask count as
	// matching.
	Failed []error
}

// Checker compares calls with rules. It may be used concurrently.
type Checker struct {
	rules      []compiled
	policies   func() (*policy.Engine, error)
	conditions func() (*condition.Set, error)
}

// New returns a checker of rules, which decide in their order. Rules that are switched
// off are left out. Conditions may be nil if no rule has one.
func New(rules []*rule.Rule, engine *policy.Engine, conditions *condition.Set) (*Checker, error) {
	return NewLazy(rules, func() (*policy.Engine, error) { return engine, nil }, func() (*condition.Set, error) { return conditions, nil })
}

// NewLazy returns a checker like [New] that asks for the policies and conditions when the
// first call has something that a rule may be about. Most calls have not, and need neither.
func NewLazy(rules []*rule.Rule, engine func() (*policy.Engine, error), conditions func() (*condition.Set, error)) (*Checker, error) {
	c := &Checker{policies: engine, conditions: conditions}
	for _, r := range rules {
		if !r.Enabled {
			continue
		}
		one, err := compile(r)
		if err != nil {
			return nil, err
		}
		c.rules = append(c.rules, one)
	}
	return c, nil
}

// Decide returns what happens to a call. The first rule that matches decides; one before
// it that may match, because the line does not show all, decides if its effect is more
// severe. Without a match the most severe of those that may match decides. A rule of the
// user adds to the others: they decide too, if their effect is more severe.
func (c *Checker) Decide(ctx context.Context, call Call) (Decision, error) {
	if call.Event == "" {
		call.Event = BeforeTool
	}
	f := read(call)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of the rules after the one that decides
	var group conc.WaitGroup
	var waits []func() (answer, error)
	for _, r := range c.rules {
		if applies(r.Rule, call) && r.names(call, f) && r.concerns(call, f) {
			waits = append(waits, async.Go(&group, func() (a answer, _ error) {
				a.Decision, a.matched, a.err = c.one(ctx, r, call, f)
				return a, nil
			}))
		}
	}
	best := Decision{Effect: Allow}
	var maybe []string // the rules that may apply
	for _, wait := range waits {
		a, _ := wait()
		if ctx.Err() != nil {
			return best, context.Cause(ctx)
		}
		if a.err != nil {
			best.Failed = append(best.Failed, a.err)
		}
		failed := best.Failed
		if a.Unread {
			maybe = append(maybe, a.Rule.Name)
		}
		if severity(a.Effect) > severity(best.Effect) {
			best = a.Decision
			best.Failed = failed
		}
		if a.matched && a.Rule.Tier != rule.UserTier {
			break
		}
	}
	if best.Unread {
		best.Reason = unread(f.opaque, maybe)
	}
	return best, nil
}

// answer is the outcome of one rule.
type answer struct {
	Decision

	matched bool
	err     error
}

// applies reports whether a rule is for the agent and the phase.
func applies(r *rule.Rule, call Call) bool {
	return (len(r.Agents) == 0 || slices.Contains(r.Agents, call.Agent)) &&
		(len(r.Phases) == 0 || slices.Contains(r.Phases, call.Phase))
}

func severity(effect string) int { return slices.Index(policy.Effects(), effect) }

// one compares a call with one rule. A rule that cannot be evaluated matches if it
// denies or asks, and does not if it warns.
func (c *Checker) one(ctx context.Context, r compiled, call Call, f facts) (d Decision, matched bool, err error) {
	var violations []policy.Violation
	holds, err := c.holds(ctx, r, call, f)
	var engine *policy.Engine
	if err == nil {
		engine, err = c.policies()
	}
	if err == nil {
		violations, err = engine.Decide(ctx, r.input(call, f, holds))
	}
	if err != nil {
		effect, _ := r.Params[param("effect")].(string)
		if effect == Warn {
			return Decision{Effect: Allow}, false, err
		}
		d = Decision{Effect: effect, Rule: r.Rule, Reason: r.reason(call) + "\n\nThe rule could not be evaluated: " + err.Error()}
		return d, true, err
	}
	d.Effect = Allow
	for _, v := range violations {
		if severity(v.Effect) < severity(d.Effect) || matched && v.Opaque {
			continue
		}
		d = Decision{Effect: v.Effect, Rule: r.Rule, Reason: r.reason(call)}
		matched = !v.Opaque
		if v.Opaque {
			d.Unread, d.Opaque = true, f.opaque
		}
	}
	return d, matched, nil
}

// holds evaluates the rule's condition. One that does not hold may hold where it reads a
// command that has opaque parts.
func (c *Checker) holds(ctx context.Context, r compiled, call Call, f facts) (string, error) {
	if !r.Conditional() {
		return policy.AnswerYes, nil
	}
	conditions, err := c.conditions()
	if err != nil {
		return "", err
	}
	if conditions == nil {
		return "", fmt.Errorf("condition of %s: it was not compiled", r.ID)
	}
	vars := call.Vars
	if vars == nil {
		vars = map[string]any{}
	}
	if need, unknown := conditions.Unknown(r.ID, vars, nil); unknown {
		return "", fmt.Errorf("condition of %s: no value for %s", r.ID, need)
	}
	ok, err := conditions.Holds(ctx, r.ID, map[string]any{
		condition.FactAgent:    call.Agent,
		condition.FactVars:     vars,
		condition.FactWorkflow: call.Workflow,
		policies.FactEvent:     call.Event,
		policies.FactToolName:  call.Tool,
		policies.FactToolInput: f.input,
		policies.FactMCP:       f.mcp,
		policies.FactCommand:   f.command(),
		policies.FactNow:       call.Now,
	})
	switch {
	case err != nil:
		return "", err
	case ok:
		return policy.AnswerYes, nil
	case len(f.opaque) > 0 && conditions.Reads(r.ID, policies.FactCommand):
		return policy.AnswerMaybe, nil
	default:
		return policy.AnswerNo, nil
	}
}

// reason returns the rule's instructions, or a sentence that names the tool.
func (c compiled) reason(call Call) string {
	if body := strings.TrimSpace(c.Body); body != "" {
		return body
	}
	return fmt.Sprintf("The rule %s does not allow this call of %s.", c.Name, call.Tool)
}

// unread lists the parts that could not be read, the rules that may apply, and a way out.
func unread(parts []fact.OpaquePart, rules []string) string {
	var b strings.Builder
	b.WriteString("rulecheck cannot read all of this call")
	for i, p := range parts {
		if i == 5 {
			fmt.Fprintf(&b, "\n- and %d more", len(parts)-i)
			break
		}
		b.WriteString(map[bool]string{true: ":\n- ", false: "\n- "}[i == 0] + p.Reason)
		if p.Text != "" {
			b.WriteString(": " + strings.Join(strings.Fields(p.Text), " "))
		}
	}
	if len(parts) == 0 {
		b.WriteString(": the line does not show all of its words.")
	}
	b.WriteString("\nRules that may apply: " + strings.Join(rules, "; ") +
		".\nUse plain commands with literal words and paths, or write a program to a file in the repository and run that.")
	return b.String()
}
