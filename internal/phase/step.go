package phase

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/workflow"
	"github.com/rulecheck/rulecheck/internal/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// NextInput is what next is told. The zero value claims nothing.
type NextInput struct {
	// Claims are claims and other evidence, as encoding/json decodes them.
	Claims map[string]any
	// Approve and Reject are the ids of approvals that were given and refused.
	Approve, Reject []string
	// Webhooks are the results of webhooks by id, as JSON: see the documentation
	// of exit conditions.
	Webhooks map[string][]byte
}

// step is one attempt to go on, under the lock of the sessions.
type step struct {
	definition *workflow.Definition
	phase      *workflow.Phase
	session    *store.Run
	files      fs.FS // the repository
	conditions *conditions
	facts      facts
	log        *visitLog // nil: not needed so far
	notices    []string
	left       bool // the phase was
}

// stepFrom gathers what a session's phase is left by.
func (n *Runner) stepFrom(ctx context.Context, d *workflow.Definition, s *store.Run, evidence map[string]any, now time.Time) (*step, error) {
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, err
	}
	t := &step{definition: d, phase: p, session: s}
	set, err := n.project()
	if err != nil {
		return nil, err
	}
	t.files = set.Tree
	conditions, problems, err := n.conditionsOf(ctx, d, p)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &ProblemsError{problems}
	}
	t.conditions = conditions
	claims := claimsOf(evidence)
	if !stays(p, claims) {
		if t.log, err = n.logOf(ctx, s, now); err != nil {
			return nil, err
		}
	}
	vars, endsOnly := n.variables(d.Vars, t.log)
	t.facts = facts{claims: claims, evidence: evidence, session: s, vars: vars, endsOnly: endsOnly, now: now}
	return t, nil
}

// stays reports whether a phase is not left whatever the logs tell: it has no
// condition, and no claim leads out of it.
func stays(p *workflow.Phase, claims map[string]bool) bool {
	asks := p.ExitWhen != nil || slices.ContainsFunc(p.ExitConditions, func(e workflow.ExitCondition) bool { return e.When != nil }) ||
		p.Gate != nil && slices.ContainsFunc(p.Gate.Evidence, func(q gate.Requirement) bool { return q.Condition != nil })
	return !asks && !slices.ContainsFunc(p.Transitions, func(t workflow.Transition) bool {
		return t.Always || t.When != nil || claims[t.Claim]
	})
}

// logOf gives what the logs tell of a session's visit.
func (n *Runner) logOf(ctx context.Context, s *store.Run, now time.Time) (*visitLog, error) {
	return n.logs.of(ctx, session.Phase{Name: s.Phase, Start: s.EnteredAt, Source: "workflow", Workflow: s.Workflow, WorkflowID: s.ID}, now)
}

// claimsOf are the claims among the evidence: what is true or false.
func claimsOf(evidence map[string]any) map[string]bool {
	claims := map[string]bool{}
	for name, value := range evidence {
		if claim, ok := value.(bool); ok {
			claims[name] = claim
		}
	}
	return claims
}

// leads is the first transition that holds. One whose condition cannot be
// evaluated does not, and is told of.
func (t *step) leads(ctx context.Context) (to string, ok bool) {
	for _, transition := range t.phase.Transitions {
		holds := transition.Always || transition.Claim != "" && t.facts.claims[transition.Claim]
		if transition.When != nil {
			var err error
			if holds, err = t.conditions.holds(ctx, transition.When, t.facts); err != nil {
				t.notices = append(t.notices, fmt.Sprintf("%s:%d: the transition to %q was not taken: %v", t.definition.File, transition.Line, transition.To, err))
			}
		}
		if holds {
			return transition.To, true
		}
	}
	return "", false
}

// gate holds the evidence against the gate of the phase.
func (t *step) gate(ctx context.Context) (gate.Incomplete, bool) {
	if t.phase.Gate == nil {
		return gate.Incomplete{}, true
	}
	verdict := t.phase.Gate.Validate(ctx, t.shown(), gate.EvidenceContext{
		Files: t.files,
		Holds: func(ctx context.Context, q gate.Requirement, _ map[string]any) (bool, error) {
			return t.conditions.holds(ctx, q.Condition, t.facts)
		},
	})
	t.notices = append(t.notices, verdict.Notices...)
	if verdict.Passed() {
		if notice := t.phase.Gate.Notice(t.phase.Name); notice != "" {
			t.notices = append(t.notices, notice)
		}
		return gate.Incomplete{}, true
	}
	var examples map[string]any
	if t.phase.Document != nil {
		examples = t.phase.Document.Examples
	}
	return t.phase.Gate.Incomplete(verdict, examples), false
}

// shown is the evidence without what is handed in for transitions and exit
// conditions, which no gate need ask for.
func (t *step) shown() map[string]any {
	shown := maps.Clone(t.facts.evidence)
	maps.DeleteFunc(shown, func(name string, _ any) bool {
		asked := slices.ContainsFunc(t.phase.Gate.Evidence, func(q gate.Requirement) bool { return q.Name == name })
		return !asked && t.reads(name)
	})
	return shown
}

// reads reports whether a transition or an exit condition speaks of a claim or
// another piece of evidence.
func (t *step) reads(name string) bool {
	in := func(c *rule.Condition) bool {
		return c != nil && (strings.Contains(c.Text, "claims."+name) || strings.Contains(c.Text, "evidence."+name))
	}
	return in(t.phase.ExitWhen) ||
		slices.ContainsFunc(t.phase.ExitConditions, func(e workflow.ExitCondition) bool { return in(e.When) }) ||
		slices.ContainsFunc(t.phase.Transitions, func(w workflow.Transition) bool { return w.Claim == name || in(w.When) })
}

// asked are the requests for the approvals that keep the phase from being left
// and nobody was asked for yet.
func (t *step) asked(unmet []Unmet, st standing) []store.Event {
	var events []store.Event
	for _, u := range unmet {
		if _, known := st.approvals[u.ID]; u.Kind == "approval" && !known {
			events = append(events, store.Event{Kind: store.EventApproval, ID: u.ID, Decision: store.Requested})
		}
	}
	return events
}

// completed is the event of leaving the phase with the evidence.
func (t *step) completed(to string, now time.Time) store.Event {
	artifact := store.NewArtifact(t.phase.Name, t.facts.evidence, t.phase.Outputs, t.log.commands(), now)
	return store.Event{Kind: store.EventCompleted, Phase: t.phase.Name, To: to, Artifact: &artifact}
}

// leave decides whether the phase may be left for another: with the event that
// does it, or with what refuses it and the approvals to ask for.
func (t *step) leave(ctx context.Context, to string, st standing) ([]store.Event, *Reply) {
	if told, passed := t.gate(ctx); !passed {
		return nil, t.lacks(told)
	}
	if unmet := t.conditions.unmet(ctx, t.phase, t.facts, st); len(unmet) > 0 {
		return t.asked(unmet, st), t.kept(unmet)
	}
	t.left = true
	return []store.Event{t.completed(to, t.facts.now)}, nil
}

// claimed records the claims, unless they are those of the last time.
func (t *step) claimed() []store.Event {
	if maps.Equal(t.facts.claims, t.session.Claims) {
		return nil
	}
	return []store.Event{{Kind: store.EventClaimed, Claims: t.facts.claims}}
}
