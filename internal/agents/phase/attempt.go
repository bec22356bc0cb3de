package phase

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// attempt is one attempt to leave a phase.
type attempt struct {
	definition *workflow.Definition
	phase      *workflow.Phase
	session    *store.Run
	files      fs.FS // the repository
	conditions *conditions
	facts      facts
	commit     string    // HEAD
	log        *visitLog // nil: not needed so far
	notices    []string
	// contradicted describes the given facts that the log contradicts.
	contradicted []string
}

// newAttempt gathers what the transitions and conditions of a session's phase ask for.
func (n *Runner) newAttempt(ctx context.Context, d *workflow.Definition, s *store.Run, evidence map[string]any, now time.Time) (*attempt, error) {
	p, err := phaseOf(d, s)
	if err != nil {
		return nil, err
	}
	project, err := n.project()
	if err != nil {
		return nil, err
	}
	conditions, problems, err := n.conditionsOf(ctx, d, p)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &ProblemsError{problems}
	}
	a := &attempt{definition: d, phase: p, session: s, files: project.Tree, conditions: conditions, commit: n.commit()}
	claims := claimsOf(evidence)
	if !cannotLeave(p, claims) {
		if a.log, err = n.logOf(ctx, s, now); err != nil {
			return nil, err
		}
	}
	k, err := n.variablesOf(d, s, a.log)
	if err != nil {
		return nil, err
	}
	a.contradicted, a.notices = k.contradicted, slices.Clone(k.contradicted)
	a.facts = facts{claims: claims, evidence: evidence, session: s, vars: k.vars, given: k.set, endsOnly: k.endsOnly, now: now}
	a.facts.commitsMissing = func(ctx context.Context) string { return n.commitsMissing(ctx, p.Commits, s) }
	if a.log != nil {
		a.facts.silent = a.log.silent
	}
	return a, nil
}

// cannotLeave reports whether a phase is not left whatever the logs contain: it has no
// condition, and no claim matches a transition.
func cannotLeave(p *workflow.Phase, claims map[string]bool) bool {
	conditional := p.ExitWhen != nil || slices.ContainsFunc(p.ExitConditions, func(e workflow.ExitCondition) bool { return e.When != nil }) ||
		p.Gate != nil && slices.ContainsFunc(p.Gate.Evidence, func(q gate.Requirement) bool { return q.Condition != nil })
	return !conditional && !slices.ContainsFunc(p.Transitions, func(t workflow.Transition) bool {
		return t.Always || t.When != nil || claims[t.Claim]
	})
}

// logOf returns the log of a session's current visit.
func (n *Runner) logOf(ctx context.Context, s *store.Run, now time.Time) (*visitLog, error) {
	return n.logs.of(ctx, session.Phase{Name: s.Phase, Start: s.EnteredAt, Source: "workflow", Workflow: s.Workflow, WorkflowID: s.ID}, now)
}

// claimsOf returns the claims among the evidence: its true and false values.
func claimsOf(evidence map[string]any) map[string]bool {
	claims := map[string]bool{}
	for name, value := range evidence {
		if claim, ok := value.(bool); ok {
			claims[name] = claim
		}
	}
	return claims
}

// nextPhase returns the target of the first transition that applies. One whose condition
// cannot be evaluated does not apply, and adds a notice.
func (a *attempt) nextPhase(ctx context.Context) (to string, ok bool) {
	for _, transition := range a.phase.Transitions {
		holds := transition.Always || transition.Claim != "" && a.facts.claims[transition.Claim]
		if transition.When != nil {
			var err error
			if holds, err = a.conditions.holds(ctx, transition.When, a.facts); err != nil {
				a.notices = append(a.notices, fmt.Sprintf("%s:%d: the transition to %q was not taken: %v", a.definition.File, transition.Line, transition.To, err))
			}
		}
		if holds {
			return transition.To, true
		}
	}
	return "", false
}

// passGate checks the evidence against the gate of the phase.
func (a *attempt) passGate(ctx context.Context) (gate.Incomplete, bool) {
	if a.phase.Gate == nil {
		return gate.Incomplete{}, true
	}
	verdict := a.validate(ctx, a.gateEvidence(), a.facts)
	a.notices = append(a.notices, verdict.Notices...)
	if verdict.Passed() {
		if notice := a.phase.Gate.Notice(a.phase.Name); notice != "" {
			a.notices = append(a.notices, notice)
		}
		return gate.Incomplete{}, true
	}
	var examples map[string]any
	if a.phase.Document != nil {
		examples = a.phase.Document.Examples
	}
	incomplete := a.phase.Gate.Incomplete(verdict, examples)
	incomplete.Examples = a.passing(ctx, incomplete.Examples)
	return incomplete, false
}

// validate checks evidence against the gate of the phase.
// Conditions may also read other evidence, in facts.
func (a *attempt) validate(ctx context.Context, evidence map[string]any, x facts) gate.Validation {
	return a.phase.Gate.Validate(ctx, evidence, gate.EvidenceContext{
		Files: a.files,
		Holds: func(ctx context.Context, q gate.Requirement, _ map[string]any) (bool, error) {
			return a.conditions.holds(ctx, q.Condition, x)
		},
	})
}

// gateEvidence returns the evidence without the parts that only transitions and exit
// conditions use: the gate would report them as unexpected.
func (a *attempt) gateEvidence() map[string]any {
	evidence := maps.Clone(a.facts.evidence)
	maps.DeleteFunc(evidence, func(name string, _ any) bool {
		return (name == store.CommandsEvidence || a.reads(name)) && !a.requires(name) // reads is faster: gates may be large
	})
	return evidence
}

// leave leaves the phase for another, or refuses and requests the missing approvals.
func (a *attempt) leave(ctx context.Context, to string, state exitState) move {
	if incomplete, passed := a.passGate(ctx); !passed {
		return a.refuse(a.refuseEvidence(incomplete), nil)
	}
	if unmet := a.conditions.unmet(ctx, a.phase, a.facts, state); len(unmet) > 0 {
		return a.refuse(a.refuseExit(unmet), approvalRequests(unmet, state))
	}
	artifact := store.NewArtifact(a.phase.Name, a.facts.evidence, a.phase.Outputs, a.log.commands(), a.facts.now)
	event := store.Event{Kind: store.EventCompleted, Phase: a.phase.Name, To: to, Commit: a.commit, Artifact: &artifact}
	if next, ok := a.definition.Phase(to); ok && to != workflow.Done {
		event.Requires = terms(next)
	}
	return move{attempt: a, events: []store.Event{event}, completed: a.phase.Name}
}

// refuse returns a refused step, which is recorded with its evidence.
func (a *attempt) refuse(r *Reply, events []store.Event) move {
	return move{attempt: a, refused: r, events: append(events, refusedEvent(r, a.phase.Name, a.facts.evidence))}
}

// factEvents records the given facts that the log contradicts.
func (a *attempt) factEvents() []store.Event {
	if len(a.contradicted) == 0 {
		return nil
	}
	return []store.Event{{Kind: store.EventFacts, Missing: a.contradicted}}
}

// approvalRequests requests the approvals that are unmet and not requested yet.
func approvalRequests(unmet []Unmet, state exitState) []store.Event {
	var events []store.Event
	for _, u := range unmet {
		if _, known := state.approvals[u.ID]; u.Kind == "approval" && !known {
			events = append(events, store.Event{Kind: store.EventApproval, ID: u.ID, Decision: store.Requested})
		}
	}
	return events
}

// claimEvents records the claims, unless they are the last recorded ones.
func (a *attempt) claimEvents() []store.Event {
	if maps.Equal(a.facts.claims, a.session.Claims) {
		return nil
	}
	return []store.Event{{Kind: store.EventClaimed, Claims: a.facts.claims}}
}
