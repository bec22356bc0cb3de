package profile

import (
	"encoding/json"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Outcome is the result of a call, as far as a payload shows it: [fact.OK], [fact.Error] or
// [fact.Unknown].
type Outcome struct {
	Status fact.Status
	Exit   *int // of a command; nil: not stated
}

var (
	succeeded = Outcome{Status: fact.OK}
	failed    = Outcome{Status: fact.Error}
	unknown   = Outcome{Status: fact.Unknown}
)

// exited returns the outcome of a command with an exit code.
func exited(code int) Outcome {
	o := Outcome{Status: fact.OK, Exit: &code}
	if code != 0 {
		o.Status = fact.Error
	}
	return o
}

// stated returns the outcome that a payload states in a form that agents share: an event for
// failures, an error, or the exit code of a command in an object of the agent's own. What a
// program wrote is never read: it may claim any outcome.
func stated(p hook.Payload, e *hook.Event) (o Outcome, ok bool) {
	response := p.Object("tool_response")
	var own struct {
		Exit *int `json:"exit_code"`
	}
	if e.Call.Kind == fact.Command && json.Unmarshal(p.Member("tool_response"), &own) == nil && own.Exit != nil {
		return exited(*own.Exit), true
	}
	if strings.HasSuffix(e.Name, "Failure") || p.Given("error") || response.Given("error") || response.IsTrue("is_error") {
		return failed, true
	}
	return unknown, false
}

// claudeOutcome is for agents with one event for calls that succeeded and another for those
// that failed. A command that goes on in the background has no outcome yet.
func claudeOutcome(p hook.Payload, e *hook.Event) Outcome {
	if o, ok := stated(p, e); ok {
		return o
	}
	response := p.Object("tool_response")
	if e.Call.Kind == fact.Command && (response.IsTrue("interrupted") || response.Given("backgroundTaskId")) {
		return unknown
	}
	return succeeded
}

// likeOutcome is for unknown agents: their event after a tool may be for all calls, or for
// those that succeeded.
func likeOutcome(p hook.Payload, e *hook.Event) Outcome {
	o, _ := stated(p, e)
	return o
}

// silentOutcome is for agents whose payload has no result of commands, and whose event after
// any other tool is for calls that succeeded.
func silentOutcome(p hook.Payload, e *hook.Event) Outcome {
	o, ok := stated(p, e)
	if !ok && e.Call.Kind != fact.Command {
		return succeeded
	}
	return o
}
