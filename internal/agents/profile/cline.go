package profile

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

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
		{OfHooks, "", "Cline CLI 3.0.65"},
		{OfHooks, "https://docs.cline.bot/features/hooks/hook-reference", "11/2026"},
		{OfHooks, "https://github.com/cline/cline/blob/378284b7d3db8a1485a349639c24980f7e07c6dc/docs/customization/hooks.mdx", "examples of Cline 3.17"},
		{OfLogs, "https://github.com/cline/cline/blob/main/sdk/packages/core/src/services/session-artifacts.ts", "sessions of Cline CLI 3.0.65"},
		{OfLogs, "https://github.com/cline/cline/blob/main/src/core/storage/disk.ts", "tasks of Cline CLI 2.18.0"},
		{OfTools, "https://github.com/cline/cline/blob/main/sdk/packages/core/src/extensions/tools/constants.ts", "Cline CLI 3.0.65"},
		{OfTools, "", "Cline CLI 2.18.0"},
		{OfTools, "https://docs.cline.bot/features/hooks/hook-reference", "11/2026"},
	},
	Logs: func(m Machine, _ string) []Place {
		data := cmp.Or(m.Getenv("CLINE_DATA_DIR"), filepath.Join(m.Dir("CLINE_DIR", ".cline"), "data"))
		sessions := Place{Path: cmp.Or(m.Getenv("CLINE_SESSION_DATA_DIR"), filepath.Join(data, "sessions"))}
		return append([]Place{sessions, {Path: filepath.Join(data, "tasks")}}, m.inEditors("saoudrizwan.claude-dev", "tasks")...)
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_commands execute_command",
		fact.FileEdit: "editor apply_patch write_to_file replace_in_file",
		fact.Read:     "read_files read_file",
		fact.MCP:      "use_mcp_tool",
		fact.Other: `access_mcp_resource act_mode_respond ask_followup_question ask_question attempt_completion browser_action condense
			fetch_web_content focus_chain generate_explanation list_code_definition_names list_files load_mcp_documentation new_rule new_task
			plan_mode_respond report_bug search_codebase search_files skills spawn_agent submit_and_exit summarize_task
			team_attach_outcome_fragment team_await_runs team_broadcast team_cancel_run team_cleanup team_create_outcome team_finalize_outcome
			team_list_outcomes team_list_runs team_mission_log team_read_mailbox team_review_outcome_fragment team_run_task team_send_message
			team_shutdown_teammate team_spawn_teammate team_status team_task use_skill use_subagents web_fetch web_search`,
	},
	Subagents: "new_task spawn_agent team_run_task use_subagents",
	Settings: Settings{
		File: ".clinerules/hooks/PreToolUse", User: "Documents/Cline/Hooks/PreToolUse",
		Also: []string{"PostToolUse", "UserPromptSubmit", "TaskStart", "TaskResume"},
		Shim: clineHook, Executable: true,
		Next: "editors with Cline 3 run hooks that their user enabled in its Hooks tab; the command line runs them all",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "TaskStart", Kind: hook.SessionStart, Note: "the command line does not wait for it, and drops its answer"},
			{Name: "TaskResume", Kind: hook.SessionStart, Note: "like `TaskStart`"},
			{Name: "UserPromptSubmit", Kind: hook.Prompt, Note: "the command line 3.0.65 does not run it with the prompt of a command line"},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Context}, Note: "a refusal ends the run; `ask` becomes `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
		},
		Timeout:  "120 s",
		OnError:  "the call proceeds, with any exit status: an answer has to refuse it",
		Measured: true,
		Holes: []string{
			"a refused call ends the run, and Cline shows the reason neither to the model nor to the user; its log has it",
			"`TaskComplete` comes when the run has ended, and its answer is dropped, so there is no stop",
			"on Windows, Cline runs other files, which `install` does not write",
			"in editors with Cline 3, each hook has to be enabled, which no file in the repository shows",
		},
		Probe: `{"clineVersion":"","hookName":"tool_call","taskId":"%s","timestamp":"2026-11-01T00:00:00.000Z","workspaceRoots":["/"],"tool_call":{"id":"probe","name":"run_commands","input":{"commands":["true"]}},"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"true\"]"}}}`,
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
		FailsAs: func(e hook.Event, reason string) hook.Answer {
			return clineAnswer(e, hook.Decision{Verdict: hook.Deny, Reason: reason})
		},
	},
}

// clineMembers are the members with what an event is about, by its name: some versions name
// the event by nothing else.
var clineMembers = []struct{ event, member string }{
	{"PreToolUse", "preToolUse"}, {"PostToolUse", "postToolUse"}, {"UserPromptSubmit", "userPromptSubmit"}, {"TaskStart", "taskStart"}, {"TaskResume", "taskResume"},
}

func clineAdjust(p hook.Payload, e *hook.Event) {
	e.Stamp = string(p.Raw("timestamp"))
	e.Session = cmp.Or(p.Object("sessionContext").Text("rootSessionId"), e.Session)
	if p.Given("parent_agent_id") {
		e.Subagent = p.Text("agent_id")
	}
	for _, of := range clineMembers {
		if !p.Has(of.member) {
			continue
		}
		e.Name = of.event // the name of the event is another one in the command line
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
		for _, member := range []string{"tool_call", "tool_result"} { // with the input as the model wrote it, not as texts
			if call := p.Object(member); call.Has("input") {
				e.Call.ID, e.Input, e.Output = call.Text("id"), call.Raw("input"), call.Raw("output")
			}
		}
		readClineCall(e)
		return
	}
}

// readClineCall states a call of Cline's own tools in the words of the others, and finds tools of MCP servers.
func readClineCall(e *hook.Event) {
	switch server, tool, isServer := strings.Cut(e.Call.Name, "__"); {
	case e.Call.Name == "run_commands":
		if line, _ := ClineLine(e.Input); line != "" { // Cline refuses a call that states something else
			e.Input = withMember(e.Input, "command", line)
		}
	case e.Call.Name == "read_files":
		if files := ClineFiles(e.Input); len(files) > 0 {
			e.Input = withMember(e.Input, "files", files)
		}
	case e.Call.Name == "apply_patch" && len(e.Input) > 0 && e.Input[0] == '"':
		e.Input = withMember(e.Input, "input", e.Input)
	case isServer && server != "mcp":
		e.Call.Kind, e.Server, e.Tool = fact.MCP, server, tool
	}
}

// clineOutcome reads how a call ended: each command of a call states it. Without that, success
// does not state the exit status of a command.
func clineOutcome(p hook.Payload, e *hook.Event) Outcome {
	about := p.Object("postToolUse")
	status, exit := ClineOutcome(ClineResults(p.Object("tool_result").Raw("output")))
	isCommand := e.Call.Kind == fact.Command
	switch {
	case status == fact.Error && exit != nil && isCommand:
		return exited(*exit)
	case status == fact.Error, about.Has("success") && !about.IsTrue("success"):
		return failed
	case status == fact.OK && isCommand:
		return exited(0)
	case !about.Has("success"), isCommand:
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
