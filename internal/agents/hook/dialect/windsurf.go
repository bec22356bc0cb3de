package dialect

import (
	"cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var windsurfEvents = []Event{
	{Name: "pre_user_prompt", Kind: hook.Prompt},
	{Name: "pre_run_command", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "pre_write_code", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "pre_read_code", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "pre_mcp_tool_use", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
	{Name: "post_run_command", Kind: hook.AfterTool},
	{Name: "post_write_code", Kind: hook.AfterTool},
	{Name: "post_read_code", Kind: hook.AfterTool},
	{Name: "post_mcp_tool_use", Kind: hook.AfterTool},
}

// windsurfTools are the tools that events are about.
var windsurfTools = map[string]string{
	"pre_run_command": "run_command", "post_run_command": "run_command",
	"pre_write_code": "edit_file", "post_write_code": "edit_file",
	"pre_read_code": "read_file", "post_read_code": "read_file",
}

// windsurf knows exit statuses only.
var windsurf = Dialect{
	Name:     "windsurf",
	Title:    "Windsurf and Devin Desktop",
	Settings: ".windsurf/hooks.json",
	Timeout:  "of the agent",
	OnError:  "the call proceeds, except with exit status 2",
	Read:     "documentation of Devin Desktop",
	Holes:    []string{"no event in which a stop can be refused", "no context for the agent"},
	Events:   windsurfEvents,
	claims: func(p Payload, _ string) claim {
		if p.Has("agent_action_name") {
			return certain
		}
		return no
	},
	event: func(p Payload, name string) hook.Event {
		name = cmp.Or(p.text("agent_action_name"), name)
		info := p.object("tool_info")
		e := hook.Event{
			Kind: kindOf(windsurfEvents, name), Name: name, Session: p.text("trajectory_id"), Turn: p.text("execution_id"), Stamp: p.text("timestamp"),
			Cwd: info.text("cwd"), Prompt: info.text("user_prompt"),
		}
		if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
			return e
		}
		tool, ok := windsurfTools[name]
		if !ok {
			tool = cmp.Or(info.text("mcp_tool_name"), "mcp_tool")
		}
		readCall(&e, tool, "", p.raw("tool_info"))
		if !ok {
			e.Call.Kind, e.Server, e.Tool = fact.MCP, info.text("mcp_server_name"), info.text("mcp_tool_name")
			e.Input = info.raw("mcp_tool_arguments")
		}
		e.Call.Status = fact.Running
		if e.Kind == hook.AfterTool {
			e.Call.Status, e.Output = fact.OK, info.output()
		}
		return e
	},
	answer: func(_ hook.Event, d hook.Decision) Answer {
		switch d.Verdict {
		case hook.Deny:
			return Answer{Stderr: d.Reason + "\n", Status: 2}
		case hook.Ask:
			return Answer{Stderr: confirm(d.Reason) + "\n", Status: 2}
		default:
			return Answer{}
		}
	},
}
