package dialect

import (
	"cmp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var (
	refusals = []hook.Verdict{hook.Deny, hook.Ask, hook.Context}
	contexts = []hook.Verdict{hook.Context}
	stops    = []hook.Verdict{hook.Block}
)

var claudeEvents = []Event{
	{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
	{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
	{Name: "PreToolUse", Kind: hook.BeforeTool, Can: refusals},
	{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
	{Name: "PostToolUseFailure", Kind: hook.AfterTool, Can: contexts},
	{Name: "Stop", Kind: hook.Stop, Can: stops},
}

var claude = Dialect{
	Name:     "claude",
	Title:    "Claude Code",
	Settings: ".claude/settings.json",
	Timeout:  "600 s",
	OnError:  "the call proceeds, except with exit status 2",
	Read:     "documentation and the types of SDK 0.3.330; Claude Code 2.1.330",
	Holes:    []string{"Claude Code itself allows a stop after 8 refusals in a row", "with permissions bypassed, a call may begin before the hook has answered"},
	Events:   claudeEvents,
	claims: func(p Payload, _ string) claim {
		switch {
		case !p.Has("hook_event_name") || p.Has("timestamp"):
			return no
		case p.Has("prompt_id"), p.Has("background_tasks"), strings.Contains(p.text("transcript_path"), "/.claude/projects/"):
			return certain
		}
		return possible
	},
	event:  func(p Payload, name string) hook.Event { return claudeEvent(p, name, claudeEvents) },
	answer: claudeAnswer,
}

// claudeEvent reads a payload in the form of Claude Code.
func claudeEvent(p Payload, name string, events []Event) hook.Event {
	name = cmp.Or(p.text("hook_event_name"), name)
	e := hook.Event{
		Kind: kindOf(events, name), Name: name, Session: p.text("session_id"), Turn: p.text("turn_id", "prompt_id"), Stamp: p.text("timestamp"),
		Cwd: p.text("cwd"), Transcript: p.text("transcript_path"), Subagent: p.text("agent_id"), Prompt: p.text("prompt"),
		Mode: p.text("permission_mode"), Source: p.text("source"),
		Stopping: hook.Stopping{
			Continued: p.isTrue("stop_hook_active"), Background: p.length("background_tasks"), Answer: p.text("last_assistant_message", "prompt_response"),
		},
	}
	if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
		return e
	}
	readCall(&e, p.text("tool_name"), p.text("tool_use_id"), p.raw("tool_input"))
	if server := p.object("mcp_context"); server.Has("server_name") {
		e.Call.Kind, e.Server, e.Tool = fact.MCP, server.text("server_name"), server.text("tool_name")
	}
	e.Call.Status = fact.Running
	if e.Kind == hook.AfterTool {
		e.Call.Status, e.Output = fact.OK, p.output()
		if strings.HasSuffix(name, "Failure") || p.given("error") || p.object("tool_response").given("error") {
			e.Call.Status = fact.Error
		}
	}
	return e
}

// specific is an answer that depends on the event.
//
//nolint:tagliatelle // as Claude Code has it
type specific struct {
	HookEventName            string `json:"hookEventName,omitempty"`
	PermissionDecision       string `json:"permissionDecision,omitempty"`
	PermissionDecisionReason string `json:"permissionDecisionReason,omitempty"`
	Decision                 string `json:"decision,omitempty"`
	Reason                   string `json:"reason,omitempty"`
	AdditionalContext        string `json:"additionalContext,omitempty"`
}

// output is an answer in the form of Claude Code. Codex takes it too, and nothing else.
//
//nolint:tagliatelle // as Claude Code has it
type output struct {
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

// claudeAnswer never allows in so many words: that would skip the user's own permissions.
func claudeAnswer(e hook.Event, d hook.Decision) Answer {
	out := output{SystemMessage: d.Notice}
	switch d.Verdict {
	case hook.Deny:
		if e.Kind == hook.Prompt {
			out.Decision, out.Reason = "block", d.Reason
			break
		}
		out.Specific = &specific{HookEventName: e.Name, PermissionDecision: "deny", PermissionDecisionReason: d.Reason}
	case hook.Ask:
		out.Specific = &specific{HookEventName: e.Name, PermissionDecision: "ask", PermissionDecisionReason: d.Reason}
	case hook.Block:
		out.Decision, out.Reason = "block", d.Reason
	case hook.Context:
		if e.Kind == hook.Stop { // a context would keep the agent working
			out.SystemMessage = cmp.Or(d.Notice, d.Context)
			break
		}
		out.Specific = &specific{HookEventName: e.Name, AdditionalContext: d.Context}
	case hook.Allow:
	}
	if out == (output{}) {
		return Answer{}
	}
	return reply(out)
}

var claudeLike = Dialect{
	Name:     ClaudeLike,
	Title:    "Other agents with hooks like those of Claude Code",
	Settings: "of the agent",
	Timeout:  "of the agent",
	OnError:  "depends on the agent; exit status 2 is meant to refuse",
	Read:     "as Claude Code",
	Events:   claudeEvents,
	claims: func(p Payload, _ string) claim {
		if p.Has("hook_event_name") {
			return possible
		}
		return no
	},
	event:  func(p Payload, name string) hook.Event { return claudeEvent(p, name, claudeEvents) },
	answer: claudeAnswer,
}
