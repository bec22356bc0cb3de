package phase

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// inputEvents returns the events of approvals and webhook results for a phase.
func inputEvents(p *workflow.Phase, in NextInput) ([]store.Event, error) {
	approvals, webhooks := exitIDs(p)
	var events []store.Event
	decide := func(ids []string, decision store.Decision) error {
		for _, id := range ids {
			if !slices.Contains(approvals, id) {
				return unknownExit("approval", id, p, approvals)
			}
			events = append(events, store.Event{Kind: store.EventApproval, ID: id, Decision: decision, By: &in.By})
		}
		return nil
	}
	if err := decide(in.Approve, store.Approved); err != nil {
		return nil, err
	}
	if err := decide(in.Reject, store.Rejected); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(in.Webhooks)) {
		if !slices.Contains(webhooks, id) {
			return nil, unknownExit("webhook", id, p, webhooks)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, in.Webhooks[id]); err != nil {
			return nil, &setup.SelectionError{Message: fmt.Sprintf("the result of the webhook %q is not JSON: %v", id, err)}
		}
		events = append(events, store.Event{Kind: store.EventWebhook, ID: id, Result: compact.Bytes()})
	}
	return events, nil
}

// exitIDs returns the ids of the approvals and webhooks that a phase waits for.
func exitIDs(p *workflow.Phase) (approvals, webhooks []string) {
	for _, c := range p.ExitConditions {
		switch {
		case c.Approval != "":
			approvals = append(approvals, c.ID)
		case c.Webhook != nil:
			webhooks = append(webhooks, c.ID)
		}
	}
	return approvals, webhooks
}

func unknownExit(kind, id string, p *workflow.Phase, known []string) error {
	return &setup.SelectionError{Message: fmt.Sprintf("the phase %q waits for no %s %q%s", p.Name, kind, id, suggest.OneOf(id, known))}
}

// exitState is the input for the exit conditions of a visit so far.
type exitState struct {
	approvals map[string]store.Approval
	webhooks  map[string]json.RawMessage
}

// exitStateAfter returns the state of a session after events.
func exitStateAfter(s *store.Run, events []store.Event, now time.Time) exitState {
	st := exitState{map[string]store.Approval{}, map[string]json.RawMessage{}}
	maps.Copy(st.approvals, s.Approvals)
	maps.Copy(st.webhooks, s.Webhooks)
	for _, e := range events {
		if e.Kind == store.EventWebhook {
			st.webhooks[e.ID] = e.Result
			continue
		}
		a := store.Approval{Decision: e.Decision, RequestedAt: now, At: now, By: e.By}
		if before, ok := st.approvals[e.ID]; ok {
			a.RequestedAt = before.RequestedAt
		}
		st.approvals[e.ID] = a
	}
	return st
}

// unmet returns the exit conditions that are not met.
func (c *conditions) unmet(ctx context.Context, p *workflow.Phase, x facts, st exitState) []Unmet {
	var unmet []Unmet
	condition := func(id string, text *rule.Condition) {
		holds, err := c.holds(ctx, text, x)
		switch {
		case err != nil:
			unmet = append(unmet, Unmet{id, "condition", text.Text + ": " + err.Error()})
		case !holds:
			why := text.Text + " does not hold"
			if len(x.silent) > 0 && strings.Contains(text.Text, "vars.") {
				why += "; " + strings.Join(x.silent, " and ") + " passes hooks no outcome of commands, so no observer sees that one succeeded: " +
					"a condition for this agent needs a claim or an approval"
			}
			unmet = append(unmet, Unmet{id, "condition", why})
		}
	}
	if p.ExitWhen != nil {
		condition("exit_when", p.ExitWhen)
	}
	if p.Commits != nil {
		if why := x.commitsMissing(ctx); why != "" {
			unmet = append(unmet, Unmet{"require_commits", "commits", why})
		}
	}
	for _, e := range p.ExitConditions {
		why, kind := "", ""
		switch {
		case e.When != nil:
			condition(e.ID, e.When)
		case e.Approval != "":
			kind, why = "approval", approvalMissing(e, st.approvals[e.ID], x.now)
		case e.Webhook != nil:
			kind, why = "webhook", resultMismatch(e, st.webhooks[e.ID])
		case e.Variable != nil:
			if x.given[*e.Variable] == nil {
				kind, why = "variable", fmt.Sprintf("the variable %q is not set", *e.Variable)
			}
		}
		if why != "" {
			unmet = append(unmet, Unmet{e.ID, kind, why})
		}
	}
	return unmet
}

// approvalMissing explains why an approval is not given; empty if it is. One without an
// answer in time counts as refused; a refusal can be revoked. The text is for agents, too: it
// does not name the command.
func approvalMissing(e workflow.ExitCondition, a store.Approval, now time.Time) string {
	state := "is not answered"
	switch {
	case a.Decision == store.Approved:
		return ""
	case a.Decision == store.Rejected:
		state = "was refused"
	case a.Decision == store.Requested && e.Timeout > 0 && now.Sub(a.RequestedAt) > e.Timeout:
		state = fmt.Sprintf("counts as refused: no answer within %s", e.Timeout)
	}
	return fmt.Sprintf("%q %s; a person must approve it", e.Approval, state)
}
