// Package respond decides on the events of agents' hooks and journals them.
package respond

import (
	"context"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agent"
)

// Hooks contains the functions that the events of one repository call.
type Hooks struct {
	GitDir  string
	Version string // of this program, for the journal
	// Start is when the process was started.
	Start time.Time
	Now   func() time.Time
	// Observe records decisions and answers every event as if nothing were refused.
	Observe bool
	// Extend gives the event more time, because commands of rules run that have their own
	// limits; nil: there is no limit.
	Extend func()
	// Begin returns the context for a new session.
	Begin func(context.Context, agent.Event) (agent.Decision, error)
	// Capture saves the state at a prompt.
	Capture func(context.Context) error
	// Tool compares a call with the tool rules.
	Tool func(context.Context, agent.Event) (agent.Decision, error)
	// After returns the context for an agent whose call has ended.
	After func(context.Context, agent.Event) (agent.Decision, error)
	// Gate decides on a stop.
	// Gate decides on a stop, after so many tool calls of the session.
	Gate func(ctx context.Context, e agent.Event, calls int) (agent.Decision, error)
}

// JournalError is an event that was decided and could not be journalled.
type JournalError struct{ Err error }

func (e *JournalError) Error() string {
	return "the event was checked, but not recorded: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Err }

// Respond decides on an event. The decision is valid if the error is a *[JournalError].
func (h Hooks) Respond(ctx context.Context, e agent.Event) (agent.Decision, error) {
	if e.Kind == agent.Prompt || e.Kind == agent.Stop { // what they cause must happen once
		return h.once(ctx, e)
	}
	decide := map[agent.Kind]func(context.Context, agent.Event) (agent.Decision, error){
		agent.SessionStart: h.Begin, agent.BeforeTool: h.Tool, agent.AfterTool: h.After,
	}[e.Kind]
	d := allowed
	if decide != nil {
		var err error
		if d, err = decide(ctx, e); err != nil {
			return d, err
		}
	}
	return h.observed(d), h.record(ctx, e, d, nil)
}

var allowed = agent.Decision{Verdict: agent.Allow}

// once decides on an event unless another delivery of it is or was decided. The other
// process gives the answer then, and this one allows: any refusal counts.
func (h Hooks) once(ctx context.Context, e agent.Event) (agent.Decision, error) {
	var rows []agent.Row
	j, unusable := agent.Open(ctx, h.GitDir, e.Agent, e.Session)
	if unusable == nil {
		defer j.Close()
		rows, unusable = j.Tail()
	}
	if _, again := e.Again(rows, h.Start); again {
		return allowed, nil
	}
	d, err := allowed, error(nil)
	switch {
	case e.Kind == agent.Stop && h.Gate != nil:
		d, err = h.Gate(ctx, e, agent.Calls(rows))
	case e.Kind == agent.Prompt && h.Capture != nil && !e.Returned(rows):
		err = h.Capture(ctx)
	}
	switch {
	case err != nil:
		return d, err
	case unusable != nil:
		return h.observed(d), &JournalError{unusable}
	}
	return h.observed(d), wrap(j.Append(h.row(e, d, nil, rows)))
}

// record journals an event, once.
func (h Hooks) record(ctx context.Context, e agent.Event, d agent.Decision, fault error) error {
	j, err := agent.Open(ctx, h.GitDir, e.Agent, e.Session)
	if err != nil {
		return wrap(err)
	}
	defer j.Close()
	rows, err := j.Tail()
	if err != nil {
		return wrap(err)
	}
	if _, again := e.Again(rows, h.Start); again {
		return nil
	}
	return wrap(j.Append(h.row(e, d, fault, rows)))
}

func (h Hooks) row(e agent.Event, d agent.Decision, fault error, before []agent.Row) agent.Row {
	row := e.Row(h.Now())
	row.Calls = agent.Calls(before)
	if e.Kind == agent.BeforeTool {
		row.Calls++
	}
	row.Verdict, row.Rule, row.Observed, row.Version = d.Verdict, d.Rule, h.Observe, h.Version
	if d.Reason != "" {
		row.Reason = agent.Digest(strings.TrimSpace(d.Reason))
	}
	if fault != nil {
		row.Fault = fault.Error()
	}
	return row
}

func (h Hooks) observed(d agent.Decision) agent.Decision {
	if h.Observe {
		return agent.Decision{Verdict: agent.Allow}
	}
	return d
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return &JournalError{err}
}
