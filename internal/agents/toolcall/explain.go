package toolcall

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Explained has the facts that rules see of a call, and the opinion of each rule.
type Explained struct {
	Decision

	Line  fact.ShellLine
	Rules []Opinion // in the order in which they decide
}

// Opinion is the answer of one rule about a call, whatever the rules before it answer.
type Opinion struct {
	Rule   *rule.Rule
	Effect string // Allow: the rule does not match
	Unread bool   // it may match: the line cannot be read in full
	Err    error  // why it could not be evaluated
}

// Explain returns the decision about a call with what leads to it.
func (c *Checker) Explain(ctx context.Context, call Call) (Explained, error) {
	d, err := c.Decide(ctx, call)
	if err != nil {
		return Explained{}, err
	}
	call.Event = BeforeTool
	f := read(call)
	x := Explained{Decision: d, Line: f.command()}
	for _, r := range c.rules {
		o := Opinion{Rule: r.Rule, Effect: Allow}
		if applies(r.Rule, call) && r.names(call, f) && r.concerns(call, f) {
			var one Decision
			one, _, o.Err = c.one(ctx, r, call, f)
			o.Effect, o.Unread = one.Effect, one.Unread
		}
		x.Rules = append(x.Rules, o)
	}
	return x, ctx.Err()
}
