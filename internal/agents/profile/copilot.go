package profile

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var copilot = Profile{
	Name:  "copilot",
	Title: "GitHub Copilot (CLI, cloud agent, VS Code)",
	Sources: []Source{
		{OfHooks, "https://docs.github.com/en/copilot/reference/hooks-reference", "Copilot CLI 1.0.102"},
		{OfHooks, "https://code.visualstudio.com/docs/agents/reference/hooks-reference", "VS Code 10/2026"},
		{OfLogs, "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference", "sessions of Copilot CLI 1.0.70"},
		{OfTools, "", "Copilot CLI 1.0.102"},
		{OfTools, "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolNames.ts", "11/2026"},
	},
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Dir("COPILOT_HOME", ".copilot"), "session-state")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command: "bash powershell run_in_terminal",
		fact.FileEdit: `edit create apply_patch str_replace str_replace_editor insert create_file replace_string_in_file
			multi_replace_string_in_file insert_edit_into_file edit_notebook_file`,
		fact.Read: "view read_file",
		fact.Other: `read_bash stop_bash list_bash read_powershell stop_powershell list_powershell rg grep glob report_intent
			update_todo think store_memory read_agent list_agents write_agent task skill exit_plan_mode task_complete sql
			session_store_sql show_file fetch_copilot_cli_documentation web_fetch web_search
			semantic_search file_search grep_search list_dir get_errors get_changed_files read_project_structure
			search_workspace_symbols list_code_usages get_vscode_api fetch_webpage github_repo manage_todo_list
			get_terminal_output terminal_last_command terminal_selection runSubagent memory`,
	},
	Telemetry: Telemetry{Services: "github-copilot copilot-chat copilot-cli"},
	Settings: Settings{
		File:      ".github/hooks/rulecheck.json",
		Container: "hooks", Version: 1, Entry: copilotEntry, Guarded: true, Named: true,
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "sessionStart", Kind: hook.SessionStart, Can: contexts},
			{Name: "userPromptSubmitted", Also: "UserPromptSubmit", Kind: hook.Prompt, Note: "the answer is ignored; VS Code takes a context"},
			{Name: "preToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}, Note: "without a terminal, Copilot turns `ask` into `deny`"},
			{Name: "postToolUse", Kind: hook.AfterTool, Can: contexts},
			{Name: "postToolUseFailure", Kind: hook.AfterTool, Can: contexts},
			{Name: "agentStop", Also: "Stop", Kind: hook.Stop, Can: stops},
		},
		Timeout: "30 s",
		OnError: "newer versions deny the call; older ones let it proceed",
		Holes: []string{
			"payloads of the CLI do not name their event, so the command line has to",
			"hooks for parallel calls run one after the other",
		},
		Probe: `{"sessionId":"%s","timestamp":1775624404000,"toolName":"bash","toolArgs":"{\"command\":\"true\"}"}`,
		Shell: []string{"bash", "-c"},
		Members: Members{
			Event: []string{"hook_event_name", "hookEventName"}, Session: []string{"sessionId", "session_id"}, Cwd: []string{"cwd"},
			Transcript: []string{"transcriptPath", "transcript_path"}, Prompt: []string{"prompt"}, Tool: []string{"toolName", "tool_name"},
			Call: []string{"toolUseId", "tool_use_id", "toolCallId"}, Input: []string{"toolArgs", "tool_input"}, Continued: "stop_hook_active",
		},
		Claims: copilotClaims,
		Adjust: func(p hook.Payload, e *hook.Event) {
			e.Stamp = string(p.Raw("timestamp")) // a number
			if p.Has("hookEventName") {
				e.Form = formVSCode
			}
		},
		Outcome: copilotOutcome,
		Answer:  copilotAnswer,
		FailsAs: func(e hook.Event, reason string) hook.Answer {
			return copilotAnswer(e, hook.Decision{Verdict: hook.Deny, Reason: reason})
		},
	},
}

// copilotExit is the end of what a command wrote, with its exit code.
var copilotExit = lazyregexp.New(`<exited with exit code (-?\d+)>\s*$`)

// copilotOutcome reads the type of a result. A shell succeeds whatever its command does: the
// end of its text has the exit code.
func copilotOutcome(p hook.Payload, e *hook.Event) Outcome {
	result := p.Object("toolResult")
	if o, ok := stated(p, e); ok {
		return o
	}
	switch result.Text("resultType") {
	case "failure", "denied", "rejected", "timeout":
		return failed
	case "success":
	default:
		return unknown
	}
	if e.Call.Kind != fact.Command {
		return succeeded
	}
	if m := copilotExit().FindStringSubmatch(result.Text("textResultForLlm")); m != nil {
		if code, err := strconv.Atoi(m[1]); err == nil {
			return exited(code)
		}
	}
	return unknown
}

// formVSCode is the form of VS Code's events.
const formVSCode = "vscode"

// spelledAsClaude are events in Claude Code's spelling, which VS Code and some settings use.
var spelledAsClaude = strings.Fields("UserPromptSubmit UserPromptSubmitted PreToolUse PostToolUse PostToolUseFailure Stop AgentStop")

func copilotClaims(p hook.Payload, argv string) Claim {
	name := p.Text("hook_event_name")
	own := argv == "copilot" || argv == "claude"
	switch {
	case p.Has("hookEventName"), p.Has("sessionId") && !p.Has("session_id"):
		return Certain
	case name == "" || !p.Has("timestamp") || !own:
		return No
	case slices.Contains(spelledAsClaude, name):
		return Certain
	}
	return Possible
}

// copilotAnswer answers in VS Code's form if the event is named as there. VS Code wants
// everything below hookSpecificOutput, Copilot nothing.
func copilotAnswer(e hook.Event, d hook.Decision) hook.Answer {
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
		if e.Kind == hook.AfterTool || e.Kind == hook.SessionStart {
			out.AdditionalContext = d.Context
		}
	case hook.Allow:
	}
	if out == (specific{}) {
		return hook.Answer{}
	}
	return reply(out)
}

// codeAnswer answers VS Code.
func codeAnswer(e hook.Event, d hook.Decision) hook.Answer {
	if d.Verdict == hook.Block {
		return reply(output{SystemMessage: d.Notice, Specific: &specific{HookEventName: e.Name, Decision: "block", Reason: d.Reason}})
	}
	return claudeAnswer(e, d)
}

// copilotEntry has a command for each kind of shell. PowerShell has no guard: what it takes
// for one depends on its version.
func copilotEntry(e Event, command string) any {
	return struct {
		Type       string `json:"type"`
		Bash       string `json:"bash"`
		PowerShell string `json:"powershell"`
		TimeoutSec int    `json:"timeoutSec"` //nolint:tagliatelle // as Copilot has it
	}{"command", command, strings.TrimPrefix(command, Guard), limit(e)}
}
