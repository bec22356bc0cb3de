package dialect

import (
	"cmp"
	"encoding/json"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var denies = []hook.Verdict{hook.Deny}

var cursorEvents = []Event{
	{Name: "sessionStart", Kind: hook.SessionStart, Can: contexts},
	{Name: "beforeSubmitPrompt", Kind: hook.Prompt},
	{Name: "preToolUse", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`: Cursor ignores it here"},
	{Name: "beforeShellExecution", Kind: hook.BeforeTool, Can: refusals},
	{Name: "beforeMCPExecution", Kind: hook.BeforeTool, Can: refusals},
	{Name: "beforeReadFile", Kind: hook.BeforeTool, Can: denies, Note: "some versions read files without `preToolUse`"},
	{Name: "postToolUse", Kind: hook.AfterTool, Can: contexts},
	{Name: "postToolUseFailure", Kind: hook.AfterTool},
	{Name: "afterShellExecution", Kind: hook.AfterTool},
	{Name: "afterMCPExecution", Kind: hook.AfterTool},
	{Name: "afterFileEdit", Kind: hook.AfterTool},
	{Name: "stop", Kind: hook.Stop, Can: stops, Note: "as a new message, at most 3 times in a row; not after an abort or an error"},
}

// cursorLoops is how many new messages in a row a stop may cause. Cursor's own limit is 5.
const cursorLoops = 3

var cursor = Dialect{
	Name:     "cursor",
	Title:    "Cursor",
	Settings: ".cursor/hooks.json",
	Timeout:  "of the entry",
	OnError:  "the call proceeds, unless the entry has `failClosed: true`",
	Read:     "documentation of Cursor 3",
	Holes:    []string{"one call has several events", "payloads have no time"},
	Events:   cursorEvents,
	claims: func(p Payload, _ string) claim {
		if p.Has("cursor_version") || p.Has("conversation_id") {
			return certain
		}
		return no
	},
	event:  cursorEvent,
	answer: cursorAnswer,
}

func cursorEvent(p Payload, name string) hook.Event {
	name = cmp.Or(p.text("hook_event_name"), name)
	e := hook.Event{
		Kind: kindOf(cursorEvents, name), Name: name, Session: p.text("conversation_id", "session_id"), Turn: p.text("generation_id"),
		Cwd: p.text("cwd"), Transcript: p.text("transcript_path"), Prompt: p.text("prompt"),
		Stopping: hook.Stopping{Refused: p.number("loop_count"), Continued: p.number("loop_count") > 0},
	}
	if roots := p.texts("workspace_roots"); e.Cwd == "" && len(roots) > 0 {
		e.Cwd = roots[0]
	}
	switch name {
	case "beforeShellExecution", "afterShellExecution":
		input, _ := json.Marshal(map[string]string{"command": p.text("command")}) //nolint:errchkjson // texts can be encoded
		readCall(&e, "Shell", p.text("tool_use_id"), input)
	case "beforeReadFile", "afterFileEdit":
		tool := map[string]string{"beforeReadFile": "Read", "afterFileEdit": "Edit"}[name]
		input, _ := json.Marshal(map[string]string{"file_path": p.text("file_path")}) //nolint:errchkjson // texts can be encoded
		readCall(&e, tool, p.text("tool_use_id"), input)
	case "stop":
		if status := p.text("status"); status == "aborted" || status == "error" {
			e.Kind = hook.Other
		}
	default:
		if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
			readCall(&e, p.text("tool_name"), p.text("tool_use_id"), p.raw("tool_input"))
		}
		if name == "beforeMCPExecution" || name == "afterMCPExecution" {
			e.Call.Kind, e.Tool = fact.MCP, cmp.Or(e.Tool, p.text("tool_name"))
		}
	}
	e.Output = p.output()
	switch {
	case e.Kind == hook.BeforeTool:
		e.Call.Status = fact.Running
	case name == "postToolUseFailure":
		e.Call.Status = fact.Error
	case e.Kind == hook.AfterTool:
		e.Call.Status = fact.OK
	}
	return e
}

// cursorAnswer always writes an object: an empty answer may be a refusal.
func cursorAnswer(e hook.Event, d hook.Decision) Answer {
	out := struct {
		Continue   *bool  `json:"continue,omitempty"`
		Permission string `json:"permission,omitempty"`
		User       string `json:"user_message,omitempty"`
		Agent      string `json:"agent_message,omitempty"`
		Context    string `json:"additional_context,omitempty"`
		Followup   string `json:"followup_message,omitempty"`
	}{}
	if e.Kind == hook.Prompt {
		proceed := d.Verdict != hook.Deny
		out.Continue = &proceed
		if !proceed {
			out.User = d.Reason
		}
		return reply(out)
	}
	switch d.Verdict {
	case hook.Deny:
		out.Permission, out.User, out.Agent = "deny", d.Reason, d.Reason
	case hook.Ask:
		out.Permission = "ask"
		if e.Name != "beforeShellExecution" && e.Name != "beforeMCPExecution" {
			out.Permission, d.Reason = "deny", confirm(d.Reason)
		}
		out.User, out.Agent = d.Reason, d.Reason
	case hook.Block:
		if e.Refused < cursorLoops {
			out.Followup = d.Reason
		}
	case hook.Context:
		switch {
		case e.Kind == hook.BeforeTool:
			out.Agent = d.Context
		case e.Name == "postToolUse" || e.Kind == hook.SessionStart:
			out.Context = d.Context
		}
	case hook.Allow:
	}
	return reply(out)
}
