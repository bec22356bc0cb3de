package profile

import (
	"cmp"
	"encoding/json"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// clineHook is each of Cline's hooks: a program that has the name of the event.
const clineHook = `#!/bin/sh
# rulecheck checks what Cline does; written by "rulecheck install cline".
command -v rulecheck >/dev/null || { echo '{"cancel":false}'; exit 0; }
exec rulecheck hook cline
`

var cline = Profile{
	Name:  "cline",
	Title: "Cline",
	Sources: []Source{
		{OfHooks, "https://docs.cline.bot/features/hooks/hook-reference", "11/2026"},
		{OfHooks, "https://github.com/cline/cline/blob/378284b7d3db8a1485a349639c24980f7e07c6dc/docs/customization/hooks.mdx", "examples of Cline 3.17"},
		{OfTools, "https://docs.cline.bot/features/hooks/hook-reference", "11/2026"},
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "execute_command",
		fact.FileEdit: "write_to_file replace_in_file",
		fact.Read:     "read_file",
		fact.MCP:      "use_mcp_tool",
		fact.Other: `access_mcp_resource ask_followup_question attempt_completion browser_action list_code_definition_names list_files
			new_task plan_mode_respond search_files`,
	},
	Subagents: "new_task",
	Settings: Settings{
		File: ".clinerules/hooks/PreToolUse", User: "Documents/Cline/Hooks/PreToolUse",
		Also: []string{"PostToolUse", "UserPromptSubmit", "TaskStart", "TaskResume"},
		Shim: clineHook, Executable: true,
		Next: "Cline runs hooks that its user enabled: open its Hooks tab, or set hooks-enabled in its CLI",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "TaskStart", Kind: hook.SessionStart, Can: contexts},
			{Name: "TaskResume", Kind: hook.SessionStart, Can: contexts},
			{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Context}, Note: "`ask` becomes `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
		},
		Timeout: "not documented",
		OnError: "not documented",
		Holes: []string{
			"`TaskComplete` comes when the task has ended, and no page shows that it can be refused, so there is no stop",
			"the reason of a refusal is shown to the user; whether the model gets it is not documented",
			"on Windows, Cline runs other files, which `install` does not write",
			"each hook has to be enabled in Cline, which no file in the repository shows",
		},
		Silent: true,
		Probe:  `{"clineVersion":"3","hookName":"PreToolUse","taskId":"%s","timestamp":"1","workspaceRoots":["/"],"preToolUse":{"toolName":"execute_command","parameters":{"command":"true"}}}`,
		Members: Members{
			Event: []string{"hookName"}, Session: []string{"taskId"}, Cwd: []string{"workspacePath"}, Roots: "workspaceRoots", Input: []string{"parameters"},
		},
		Claims: func(p hook.Payload, _ string) Claim {
			if p.Has("clineVersion") || p.Has("taskId") && (p.Has("preToolUse") || p.Has("postToolUse")) {
				return Certain
			}
			return No
		},
		Adjust:  clineAdjust,
		Outcome: clineOutcome,
		Answer:  clineAnswer,
	},
}

// clineMembers are the members with what an event is about, by its name: some versions name
// the event by nothing else.
var clineMembers = []struct{ event, member string }{
	{"PreToolUse", "preToolUse"}, {"PostToolUse", "postToolUse"}, {"UserPromptSubmit", "userPromptSubmit"}, {"TaskStart", "taskStart"}, {"TaskResume", "taskResume"},
}

func clineAdjust(p hook.Payload, e *hook.Event) {
	e.Stamp = string(p.Raw("timestamp"))
	for _, of := range clineMembers {
		if !p.Has(of.member) {
			continue
		}
		e.Name = cmp.Or(e.Name, of.event)
		about := p.Object(of.member)
		e.Prompt = about.Text("prompt")
		e.Call.Name, e.Input = cmp.Or(about.Text("toolName"), about.Text("tool")), about.Raw("parameters")
		if e.Call.Name == "use_mcp_tool" {
			call := about.Object("parameters")
			e.Call.Kind, e.Server, e.Tool = fact.MCP, call.Text("server_name"), call.Text("tool_name")
			if text := call.Text("arguments"); json.Valid([]byte(text)) {
				e.Input = json.RawMessage(text)
			}
		}
		return
	}
}

// clineOutcome reads whether a call succeeded. Of a command that is not known to be its exit
// status.
func clineOutcome(p hook.Payload, e *hook.Event) Outcome {
	about := p.Object("postToolUse")
	switch {
	case !about.Has("success"):
		return unknown
	case !about.IsTrue("success"):
		return failed
	case e.Call.Kind == fact.Command:
		return unknown
	}
	return succeeded
}

// clineAnswer always writes an object.
//
//nolint:tagliatelle // as Cline has it
func clineAnswer(_ hook.Event, d hook.Decision) hook.Answer {
	out := struct {
		Cancel  bool   `json:"cancel"`
		Context string `json:"contextModification,omitempty"`
		Error   string `json:"errorMessage,omitempty"`
	}{}
	switch d.Verdict {
	case hook.Deny:
		out.Cancel, out.Error = true, d.Reason
	case hook.Ask:
		out.Cancel, out.Error = true, confirm(d.Reason)
	case hook.Context:
		out.Context = d.Context
	case hook.Allow, hook.Block:
	}
	return reply(out)
}
