// Package hook models the events of coding agents' hooks and the decisions on them, and
// keeps their journal.
package hook

import (
	"encoding/json"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Kind classifies events. In the journal it is the name of the event.
type Kind string

// The kinds of events. Each event that is none of the others is Other: it is journalled
// and has no effect.
const (
	SessionStart Kind = "session_start"
	Prompt       Kind = "user_prompt_submit"
	BeforeTool   Kind = "pre_tool_use"
	AfterTool    Kind = "post_tool_use"
	Stop         Kind = "stop"
	Other        Kind = "other"
)

// Event is one event of an agent's hooks, in neutral form.
type Event struct {
	Kind Kind
	// Agent is the name of the dialect that the payload is in.
	Agent string
	// Form distinguishes variants of a dialect; empty for the usual one.
	Form string
	// Name is the event's name as the agent has it; empty if neither the payload nor the
	// command line names it.
	Name    string
	Session string // as the agent named it: it may be any text
	Turn    string // the agent's id of the turn or prompt; empty: it has none
	// Stamp is the time that the payload states, as written; empty: none. It distinguishes two
	// deliveries of one event from two equal events.
	Stamp      string
	Cwd        string // absolute; empty: unknown
	Transcript string // the agent's own log; empty: unknown
	Subagent   string // the id of the subagent that the event is from; empty: none
	// Call is the tool call of BeforeTool and AfterTool. Its paths are absolute if the
	// payload states the working directory, else as written.
	Call session.ToolCall
	// Input is the tool's input as the agent wrote it.
	Input json.RawMessage
	// Output is the result of AfterTool as the agent passes it; empty: unknown.
	Output json.RawMessage
	// Server and Tool name the tool of an MCP server; empty for other tools.
	Server, Tool string
	// Prompt is the text of a prompt. It is not stored.
	Prompt string
	// Notice is true if the agent wrote the prompt itself, such as about a task that ended.
	Notice bool
	// Mode is the permission mode, such as plan; empty: unknown.
	Mode string
	// Source is why a session starts: startup, resume, clear or compact; empty: unknown.
	Source string
	// Stopping describes a stop.
	Stopping
}

// Stopping holds what an agent states about a stop.
type Stopping struct {
	// Continued is true if the agent goes on only because an earlier stop was refused.
	Continued bool
	// Refused counts the refusals in a row that the agent reports; 0 if it reports none.
	Refused int
	// Background counts tasks that still run.
	Background int
	// Answer is the agent's last answer; empty if the payload lacks it.
	Answer string
}

// Row returns the journal's row of an event.
func (e *Event) Row(at time.Time) Row {
	r := Row{
		Event: string(e.Kind), Name: e.Name, At: at.UTC(), Session: e.Session, Adapter: e.Agent, Cwd: e.Cwd, AgentID: e.Subagent,
		Key: e.key(),
	}
	if e.Kind == Prompt {
		r.Prompt = Digest(e.Prompt)
	}
	if e.Kind == BeforeTool || e.Kind == AfterTool {
		if e.Call.Name == "" { // the payload is damaged
			r.Event = string(Other)
			return r
		}
		r.Tool, r.ID, r.Server, r.ServerTool = e.Call.Name, e.Call.ID, e.Server, e.Tool
		r.Input = &Input{Command: e.Call.Command, Paths: e.Call.Paths}
		if e.Kind == AfterTool {
			r.Status, r.Exit = e.Call.Status, e.Call.ExitCode
		}
		if e.Call.Status == fact.Error {
			r.Event, r.Error = "post_tool_use_failure", "failed"
		}
	}
	return r
}
