package phase

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Pending describes what a run needs to leave its phase.
type Pending struct {
	Run     store.Run
	File    string   // the workflow file
	Line    int      // of the phase
	Missing []string // evidence and conditions, for people
	Next    string   // the command that provides them
	Visit   int      // how many phases were entered before
}

// Pending returns what the current phase of a run requires and was not provided; nil if it
// requires nothing. It records nothing.
func (n *Runner) Pending(ctx context.Context, id string) (*Pending, error) {
	s, d, err := n.load(ctx, id)
	if err != nil || s.Status != store.Open {
		return nil, err
	}
	p, err := phaseOf(d, &s)
	if err != nil || p.Gate == nil && p.ExitWhen == nil && p.Commits == nil && len(p.ExitConditions) == 0 {
		return nil, err
	}
	a, err := n.newAttempt(ctx, d, &s, map[string]any{}, n.options.Now())
	if err != nil {
		return nil, err
	}
	pending := &Pending{Run: s, File: d.File, Line: p.Line}
	evidence := "{}"
	if incomplete, passed := a.passGate(ctx); !passed {
		pending.Missing = append(pending.Missing, incomplete.MissingEvidence...)
		if example, err := json.Marshal(incomplete.Examples); err == nil {
			evidence = string(example)
		}
	}
	for _, u := range a.conditions.unmet(ctx, p, a.facts, exitStateAfter(&s, nil, a.facts.now)) {
		pending.Missing = append(pending.Missing, fmt.Sprintf("%s: %s", u.ID, u.Reason))
	}
	if len(pending.Missing) == 0 {
		return nil, nil //nolint:nilnil // the phase can be left
	}
	pending.Next = string(shell.Line("rulecheck", "workflow", "next", "--session", s.ID, evidence))
	pending.Visit, err = n.visitsBefore(ctx, s.ID)
	return pending, err
}

// Text returns the pending requirements and the next step, as markdown.
func (p *Pending) Text() string {
	var b strings.Builder
	for _, m := range p.Missing {
		fmt.Fprintf(&b, "- %s\n", m)
	}
	fmt.Fprintf(&b, "\nComplete the phase with evidence, for example:\n\n    %s\n", p.Next)
	return b.String()
}
