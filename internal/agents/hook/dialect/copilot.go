package dialect

import (
	"cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var copilotEvents = []Event{
	{Name: "sessionStart", Kind: hook.SessionStart, Note: "a context is delivered in VS Code only"},
	{Name: "userPromptSubmitted", Kind: hook.Prompt, Note: "the answer is ignored; VS Code takes a context"},
	{Name: "preToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}, Note: "without a terminal, Copilot turns `ask` into `deny`"},
	{Name: "postToolUse", Kind: hook.AfterTool, Can: contexts},
	{Name: "agentStop", Kind: hook.Stop, Can: stops},
}

// formVSCode is the form of VS Code's events.
const formVSCode = "vscode"

// copilotNames are the names of the same events in Claude Code's spelling, which VS Code
// and some settings use.
var copilotNames = map[string]string{
	"SessionStart": "sessionStart", "UserPromptSubmit": "userPromptSubmitted", "UserPromptSubmitted": "userPromptSubmitted",
	"PreToolUse": "preToolUse", "PostToolUse": "postToolUse", "Stop": "agentStop", "AgentStop": "agentStop",
}

var copilot = Dialect{
	Name:     "copilot",
	Title:    "GitHub Copilot (CLI, cloud agent, VS Code)",
	Settings: ".github/hooks/rulecheck.json",
	Timeout:  "30 s",
	OnError:  "newer versions deny the call; older ones let it proceed",
	Read:     "documentation; Copilot CLI 1.0.102, VS Code 10/2026",
	Holes: []string{
		"payloads of the CLI do not name their event, so the command line has to",
		"hooks for parallel calls run one after the other",
	},
	Events: copilotEvents,
	claims: func(p Payload, argv string) claim {
		name := p.text("hook_event_name")
		switch {
		case p.Has("hookEventName"), p.Has("sessionId") && !p.Has("session_id"):
			return certain
		case name == "" || !p.Has("timestamp"):
			return no
		case kindOf(copilotEvents[1:], copilotNames[name]) != hook.Other && (argv == "copilot" || argv == "claude"):
			return certain
		case argv == "copilot", argv == "claude":
			return possible
		}
		return no
	},
	event:  copilotEvent,
	answer: copilotAnswer,
	failsAs: func(e hook.Event, reason string) Answer {
		return copilotAnswer(e, hook.Decision{Verdict: hook.Deny, Reason: reason})
	},
}

func copilotEvent(p Payload, name string) hook.Event {
	named := cmp.Or(p.text("hook_event_name", "hookEventName"), name)
	e := hook.Event{
		Kind: kindOf(copilotEvents, cmp.Or(copilotNames[named], named)), Name: named, Session: p.text("sessionId", "session_id"),
		Stamp: string(p.members["timestamp"]), Cwd: p.text("cwd"), Transcript: p.text("transcriptPath", "transcript_path"), Prompt: p.text("prompt"),
		Stopping: hook.Stopping{Continued: p.isTrue("stop_hook_active")},
	}
	if p.Has("hookEventName") {
		e.Form = formVSCode
	}
	if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
		return e
	}
	args := p.raw("toolArgs")
	if args == nil {
		args = p.raw("tool_input")
	}
	readCall(&e, p.text("toolName", "tool_name"), p.text("toolUseId", "tool_use_id", "toolCallId"), args)
	e.Call.Status = fact.Running
	if e.Kind == hook.AfterTool {
		e.Call.Status, e.Output = fact.OK, p.output()
		if result := p.object("toolResult").text("resultType"); result == "failure" || result == "denied" {
			e.Call.Status = fact.Error
		}
	}
	return e
}

// copilotAnswer answers in VS Code's form if the event is named as there. VS Code wants
// everything below hookSpecificOutput, Copilot nothing.
func copilotAnswer(e hook.Event, d hook.Decision) Answer {
	if e.Form == formVSCode {
		return codeAnswer(e, d)
	}
	out := specific{}
	switch d.Verdict {
	case hook.Deny:
		if e.Kind != hook.Prompt {
			out.PermissionDecision, out.PermissionDecisionReason = "deny", d.Reason
		}
	case hook.Ask:
		out.PermissionDecision, out.PermissionDecisionReason = "ask", d.Reason
	case hook.Block:
		out.Decision, out.Reason = "block", d.Reason
	case hook.Context:
		if e.Kind == hook.AfterTool {
			out.AdditionalContext = d.Context
		}
	case hook.Allow:
	}
	if out == (specific{}) {
		return Answer{}
	}
	return reply(out)
}

// codeAnswer answers VS Code.
func codeAnswer(e hook.Event, d hook.Decision) Answer {
	if d.Verdict == hook.Block {
		return reply(output{SystemMessage: d.Notice, Specific: &specific{HookEventName: e.Name, Decision: "block", Reason: d.Reason}})
	}
	return claudeAnswer(e, d)
}
