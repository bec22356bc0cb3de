package profile

import (
	"cmp"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// windsurf knows exit statuses only.
var windsurf = Profile{
	Name:  "windsurf",
	Title: "Windsurf and Devin Desktop",
	Sources: []Source{
		{OfHooks, "https://docs.windsurf.com/windsurf/cascade/hooks", "documentation of Devin Desktop"},
		{OfLogs, "https://docs.windsurf.com/windsurf/cascade/hooks", "documentation of Devin Desktop"},
		{OfTools, "", "11/2026"},
	},
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".windsurf", "transcripts")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_command",
		fact.FileEdit: "code_action",
		fact.Read:     "view_file",
		fact.MCP:      "mcp_tool",
		fact.Other:    "list_directory grep_search codebase_search find_by_name search_web read_url_content",
	},
	Settings: Settings{File: ".windsurf/hooks.json", Container: "hooks", Entry: windsurfEntry},
	Hooks: Hooks{
		Events: []Event{
			{Name: "pre_user_prompt", Kind: hook.Prompt},
			{Name: "pre_run_command", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "pre_write_code", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "pre_read_code", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "pre_mcp_tool_use", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`"},
			{Name: "post_run_command", Kind: hook.AfterTool},
			{Name: "post_write_code", Kind: hook.AfterTool},
			{Name: "post_read_code", Kind: hook.AfterTool},
			{Name: "post_mcp_tool_use", Kind: hook.AfterTool},
		},
		Timeout: "of the agent",
		OnError: "the call proceeds, except with exit status 2",
		Holes:   []string{"no event in which a stop can be refused", "no context for the agent"},
		Probe:   `{"agent_action_name":"pre_run_command","trajectory_id":"%s","execution_id":"e","tool_info":{"command_line":"true"}}`,
		Shell:   []string{"bash", "-c"},
		Members: Members{
			Event: []string{"agent_action_name"}, Session: []string{"trajectory_id"}, Turn: []string{"execution_id"}, Stamp: []string{"timestamp"},
			Input: []string{"tool_info"},
		},
		Claims: func(p hook.Payload, _ string) Claim {
			if p.Has("agent_action_name") {
				return Certain
			}
			return No
		},
		Adjust:  windsurfAdjust,
		Outcome: silentOutcome,
		Silent:  true,
		Answer: func(_ hook.Event, d hook.Decision) hook.Answer {
			switch d.Verdict {
			case hook.Deny:
				return hook.Answer{Stderr: d.Reason + "\n", Status: 2}
			case hook.Ask:
				return hook.Answer{Stderr: confirm(d.Reason) + "\n", Status: 2}
			default:
				return hook.Answer{}
			}
		},
	},
}

// windsurfAdjust names the tool that an event is about.
func windsurfAdjust(p hook.Payload, e *hook.Event) {
	info := p.Object("tool_info")
	e.Cwd, e.Prompt, e.Output = info.Text("cwd"), info.Text("user_prompt"), info.Output()
	switch e.Name {
	case "pre_run_command", "post_run_command":
		e.Call.Name = "run_command"
	case "pre_write_code", "post_write_code":
		e.Call.Name = "edit_file"
	case "pre_read_code", "post_read_code":
		e.Call.Name = "read_file"
	default:
		e.Call.Kind, e.Server, e.Tool = fact.MCP, info.Text("mcp_server_name"), info.Text("mcp_tool_name")
		e.Call.Name, e.Input = cmp.Or(e.Tool, "mcp_tool"), info.Raw("mcp_tool_arguments")
	}
}

func windsurfEntry(_ Event, command string) any {
	return struct {
		Command    string `json:"command"`
		ShowOutput bool   `json:"show_output"`
	}{command, true}
}
