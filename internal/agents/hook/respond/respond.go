// Package respond decides on the events of agents' hooks and journals them.
package respond

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// Hooks contains the functions that the events of one repository call.
type Hooks struct {
	GitDir  string
	Version string // of this program, for the journal
	Program string // its path, for the journal
	// Start is when the process was started.
	Start time.Time
	Now   func() time.Time
	// EarlyTime is how long the check after an edit may take.
	EarlyTime time.Duration
	// Observe records decisions and answers every event as if nothing were refused.
	Observe bool
	// Extend gives the event more time, because commands of rules run that have their own
	// limits; nil: there is no limit.
	Extend func()
	// Track sets variables of a workflow, and returns notices on those that could not be set;
	// nil: there are none.
	Track func(context.Context, hook.Event) ([]string, error)
	// Begin returns the context for a new session.
	Begin func(context.Context, hook.Event) (hook.Decision, error)
	// Capture saves the state at a prompt, and returns its id.
	Capture func(context.Context) (string, error)
	// Tool compares a call with the tool rules.
	Tool func(context.Context, hook.Event) (hook.Decision, error)
	// After returns the context for an agent whose call has ended.
	After func(context.Context, hook.Event) (hook.Decision, error)
	// Live returns the context for an agent whose call violates session rules, given the
	// digests of the violations that it knows of, and the digests of those there are.
	Live func(ctx context.Context, e hook.Event, known []string) (hook.Decision, []string, error)
	// Early returns the context for an agent whose edit needs further ones, given the base of the
	// session's prompts and the findings that were reported, and those that are reported then; nil: the
	// agent takes none.
	Early func(ctx context.Context, e hook.Event, base *hook.Base, reported []string) (hook.Decision, []string)
	// Late returns the context that a tool rule has for a call that has ended; nil: the agent
	// got it before the call.
	Late func(context.Context, hook.Event) (hook.Decision, error)
	// Unstopped is true if the agent has no event for stops: each prompt moves the base.
	Unstopped bool
	// Gate decides on a stop, after so many tool calls of the session. Rules about the last
	// prompt compare with base, which is nil before the first prompt.
	Gate func(ctx context.Context, e hook.Event, calls int, base *hook.Base) (hook.Decision, error)
}

// JournalError is an event that was decided and could not be journalled.
type JournalError struct{ Err error }

func (e *JournalError) Error() string {
	return "the event was checked, but not recorded: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Err }

// Respond decides on an event. The decision is valid if the error is a *[JournalError].
func (h Hooks) Respond(ctx context.Context, e hook.Event) (hook.Decision, error) {
	if e.Kind == hook.Prompt || e.Kind == hook.AfterTool || e.Kind == hook.Stop { // what they cause must happen once
		return h.once(ctx, e)
	}
	decide := map[hook.Kind]func(context.Context, hook.Event) (hook.Decision, error){
		hook.SessionStart: h.Begin, hook.BeforeTool: h.Tool,
	}[e.Kind]
	d := allowed
	fault := h.track(ctx, e, &d)
	if fault != nil && e.Kind == hook.BeforeTool { // rules read the variables
		return d, fault
	}
	if decide != nil {
		decided, err := decide(ctx, e)
		if err != nil {
			return decided, err
		}
		decided.Notice = strings.TrimSpace(d.Notice + "\n" + decided.Notice)
		d = decided
	}
	return h.observed(d), h.record(ctx, e, d, fault)
}

var allowed = hook.Decision{Verdict: hook.Allow}

// withContext returns a decision after a tool with one more context. The rule is that of
// the last one.
func withContext(d, more hook.Decision) hook.Decision {
	if more.Verdict != hook.Context {
		d.Notice = cmp.Or(d.Notice, more.Notice)
		return d
	}
	more.Context = strings.TrimSpace(d.Context + "\n\n" + more.Context)
	more.Notice = cmp.Or(d.Notice, more.Notice)
	return more
}

// once decides on an event unless another delivery of it is or was decided. The other
// process gives the answer then, and this one allows: any refusal counts.
func (h Hooks) once(ctx context.Context, e hook.Event) (hook.Decision, error) {
	var rows []hook.Row
	j, unusable := hook.Open(ctx, h.GitDir, e.Agent, e.Session)
	if unusable == nil {
		defer j.Close()
		rows, unusable = j.Tail()
	}
	if _, again := e.Again(rows, h.Start); again {
		return allowed, nil
	}
	d, err := allowed, error(nil)
	var fault error
	firing, base, reported := hook.Firing(rows), hook.BaseOf(rows), hook.Reported(rows)
	switch {
	case e.Kind == hook.AfterTool:
		d, firing, fault, err = h.after(ctx, e, firing)
		if h.Early != nil && err == nil && !h.Observe {
			var more hook.Decision
			more, reported = h.Early(ctx, e, base, reported)
			d = withContext(d, more)
		}
	case e.Kind == hook.Stop && h.Gate != nil:
		tracked := allowed
		fault = h.track(ctx, e, &tracked)
		d, err = h.Gate(ctx, e, hook.Calls(rows), base)
		d.Notice = strings.TrimSpace(tracked.Notice + "\n" + d.Notice)
		base = base.After(d, e, h.Observe)
	case e.Kind == hook.Prompt && e.Subagent == "" && !e.Returned(rows):
		if fault = h.track(ctx, e, &d); h.Capture != nil && (h.Unstopped || base.Moves(e)) {
			base = &hook.Base{Turn: e.Turn}
			base.Snapshot, err = h.Capture(ctx)
		}
	}
	switch {
	case err != nil:
		return d, err
	case unusable != nil:
		return h.observed(d), &JournalError{unusable}
	}
	row := h.row(e, d, fault, rows)
	row.Firing, row.Base, row.Reported = firing, base, reported
	return h.observed(d), wrap(j.Append(row))
}

// after returns the context for an agent whose call has ended: it gets each violation of a
// session rule once.
func (h Hooks) after(ctx context.Context, e hook.Event, known []string) (d hook.Decision, firing []string, fault, err error) {
	d, firing = allowed, known
	for _, of := range []func(context.Context, hook.Event) (hook.Decision, error){h.After, h.Late} {
		if of == nil {
			continue
		}
		more, err := of(ctx, e)
		if err != nil {
			return d, firing, nil, err
		}
		d = withContext(d, more)
	}
	fault = h.track(ctx, e, &d) // the rules above were about the call before
	if h.Live == nil {
		return d, firing, fault, nil
	}
	live, firing, err := h.Live(ctx, e, known)
	return withContext(d, live), firing, fault, err
}

// record journals an event, once.
func (h Hooks) record(ctx context.Context, e hook.Event, d hook.Decision, fault error) error {
	j, err := hook.Open(ctx, h.GitDir, e.Agent, e.Session)
	if err != nil {
		return wrap(err)
	}
	defer j.Close()
	rows, err := j.Since(h.Start)
	if err != nil {
		return wrap(err)
	}
	if _, again := e.Again(rows, h.Start); again {
		return nil
	}
	return wrap(j.Append(h.row(e, d, fault, rows)))
}

func (h Hooks) row(e hook.Event, d hook.Decision, fault error, before []hook.Row) hook.Row {
	row := e.Row(h.Now())
	if e.Returned(before) { // the user wrote no prompt
		row.Event = string(hook.Other)
	}
	row.Calls, row.Firing, row.Base, row.Reported = hook.Calls(before), hook.Firing(before), hook.BaseOf(before), hook.Reported(before)
	if e.Kind == hook.BeforeTool {
		row.Calls++
	}
	row.Verdict, row.Rule, row.Observed, row.Version = d.Verdict, d.Rule, h.Observe, h.Version
	row.Program, row.Promised = h.Program, d.Promised
	if d.Reason != "" {
		row.Reason = hook.Digest(strings.TrimSpace(d.Reason))
	}
	row.Fault = d.Unchecked
	if fault != nil {
		row.Fault = fault.Error()
	}
	return row
}

func (h Hooks) observed(d hook.Decision) hook.Decision {
	if h.Observe {
		return hook.Decision{Verdict: hook.Allow}
	}
	return d
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return &JournalError{err}
}
