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

// outcomeOf returns the function for agents whose event after a tool is for calls that
// succeeded, unless the payload states something else. A command may end in other ways, which
// command reads.
func outcomeOf(command func(p hook.Payload) Outcome) func(hook.Payload, *hook.Event) Outcome {
	return func(p hook.Payload, e *hook.Event) Outcome {
		if o, ok := stated(p, e); ok {
			return o
		}
		if e.Call.Kind == fact.Command {
			return command(p)
		}
		return succeeded
	}
}

// claudeOutcome is for agents with another event for calls that failed. A command that goes on in
// the background has no outcome yet.
var claudeOutcome = outcomeOf(func(p hook.Payload) Outcome {
	if response := p.Object("tool_response"); response.IsTrue("interrupted") || response.Given("backgroundTaskId") {
		return unknown
	}
	return succeeded
})

// silentOutcome is for agents whose payload has no result of commands.
var silentOutcome = outcomeOf(func(hook.Payload) Outcome { return unknown })

// likeOutcome is for unknown agents: their event after a tool may be for all calls, or for
// those that succeeded.
func likeOutcome(p hook.Payload, e *hook.Event) Outcome {
	o, _ := stated(p, e)
	return o
}
