package profile

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// Hooks describe the payloads of an agent's hooks, and the answers that it understands.
type Hooks struct {
	// Events are those that have an effect, with the answers that they can get.
	Events []Event
	// Timeout is the agent's own limit for a hook, for people.
	Timeout string
	// OnError describes what the agent does if a hook cannot run, for people.
	OnError string
	// Holes are calls and events that the agent keeps from hooks, or whose refusal it
	// ignores, for people.
	Holes []string
	// Measured is true if the answers were tried with the agent itself.
	Measured bool
	// Probe is the payload of a call that does nothing; %s is the id of the session.
	Probe string
	// Shell starts a command line on Unix; empty: sh -c. An empty program is that of SHELL.
	Shell []string
	// RootVariable names the repository in the environment of hooks; empty: nothing does.
	RootVariable string

	// Sequential is true if hooks run one after the other, in the order of the calls.
	Sequential bool
	// TrustedBy is the program that skips hooks which its user does not trust, and lists them;
	// empty: the agent runs all hooks.
	TrustedBy string
	// Unhooked are tools that fire no hook.
	Unhooked []string
	// Silent is true if no payload states how a command ended.
	Silent bool
	// Script is the tool that runs a program whose own calls are hooked and logged; empty:
	// the agent has none.
	Script string

	// Poll is the tool that reads what a running command wrote, and writes to it if the call is
	// opaque; empty: the agent has none.
	Poll string

	// Notices begin prompts that the agent writes itself, about tasks that ended.
	Notices []string

	// Members name the members of a payload.
	Members Members
	// Claims reports how surely a payload is the agent's. argv is the agent that the command
	// line names; it decides only between agents whose payloads are alike.
	Claims func(p hook.Payload, argv string) Claim
	// Adjust completes an event by what Members cannot express, before its kind and its call
	// are determined; nil: nothing is missing. A kind that it sets stays.
	Adjust func(p hook.Payload, e *hook.Event)
	// Outcome returns how the call of an event after a tool ended, as far as the payload
	// states it.
	Outcome func(p hook.Payload, e *hook.Event) Outcome
	// Answer writes a decision.
	Answer func(e hook.Event, d hook.Decision) hook.Answer
	// FailsAs writes the answer to a call that must not proceed because it could not be
	// checked; nil: exit status 2 with the reason on standard error.
	FailsAs func(e hook.Event, reason string) hook.Answer
}

// Members are the names of a payload's members, by their meaning; the first that holds a
// text counts.
type Members struct {
	Event, Session, Turn, Stamp, Cwd, Transcript, Subagent, Prompt, Mode, Source []string
	Roots                                                                        string // a list of directories; the first is the cwd if nothing else is
	Tool, Call, Input                                                            []string
	Server                                                                       string // an object that names the tool of an MCP server
	Continued, Background                                                        string
	Last                                                                         []string // the agent's last answer
}

// Event is an event that has an effect.
type Event struct {
	Name string // as the agent has it
	Also string // its name in another agent's spelling; empty: it has none
	Kind hook.Kind
	// Can lists what is enforced or delivered.
	Can  []hook.Verdict
	Note string // for people
}

// Claim grades how surely a payload is an agent's.
type Claim int

// The grades.
const (
	No Claim = iota
	Possible
	Certain
)

// KindOfEvent returns the kind of an event by its name.
func (h *Hooks) KindOfEvent(name string) hook.Kind {
	for _, e := range h.Events {
		if strings.EqualFold(e.Name, name) || e.Also == name && name != "" {
			return e.Kind
		}
	}
	return hook.Other
}
