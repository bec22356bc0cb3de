package profile

import (
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var qwen = Profile{
	Name:  "qwen",
	Title: "Qwen Code",
	Sources: []Source{
		{OfHooks, "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks", "Qwen Code 0.24.4"},
		{OfTools, "https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/tools/tool-names.ts", "Qwen Code 0.24.4"},
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_shell_command monitor",
		fact.FileEdit: "write_file edit notebook_edit",
		fact.Read:     "read_file",
		fact.Other: `agent artifact ask_user_question create_sub_session cron_create cron_delete cron_list display_image enter_plan_mode
			enter_worktree exec exit_plan_mode exit_worktree get_goal glob grep_search image_gen list_agents list_directory loop_wakeup lsp
			propose_goal read_mcp_resource record_artifact record_source report_findings request_shutdown save_memory
			send_message skill structured_output task_create task_list task_stop task_update team_create team_delete
			team_plan_approval todo_write tool_call tool_search update_goal web_fetch web_search workflow zoom_image`,
	},
	Subagents: "agent create_sub_session",
	Variables: "QWEN_CODE",
	Settings: Settings{
		File: ".qwen/settings.json", User: ".qwen/settings.json",
		Container: "hooks", Entry: geminiEntry, Off: map[string]any{"disableAllHooks": true},
		Next: "if Qwen Code asks for trusted folders, it runs the hooks of a project in those only",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
			{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts, Note: "it also fires after the result of a tool and after a refused stop, which are not taken for prompts"},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}, Note: "without a terminal, Qwen Code takes `ask` for `deny`"},
			{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts},
			{Name: "PostToolUseFailure", Kind: hook.AfterTool, Can: contexts},
			{Name: "Stop", Kind: hook.Stop, Can: stops, Note: "Qwen Code itself allows a stop after 8 refusals in a row"},
		},
		Timeout:  "60 s; settings have milliseconds, which newer versions also read",
		OnError:  "the call proceeds, except with exit status 2",
		Measured: true,
		Holes: []string{
			"`--bare` and `--safe-mode` start Qwen Code without hooks",
			"if folder trust is on, hooks of a project run in trusted folders only",
		},
		Probe:        `{"session_id":"%s","hook_event_name":"PreToolUse","timestamp":"2026-11-01T00:00:00.000Z","prompt_id":"p","permission_mode":"default","tool_name":"run_shell_command","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		Shell:        []string{"bash", "-c"},
		RootVariable: "QWEN_PROJECT_DIR",
		Members:      claudeMembers,
		Claims:       qwenClaims,
		Adjust: func(p hook.Payload, e *hook.Event) {
			if e.Name == "UserPromptSubmit" && p.Text("prompt") == "" { // the result of a tool goes to the model
				e.Kind = hook.Other
			}
		},
		Outcome: outcomeOf(qwenOutcome),
		Answer:  lateAnswer,
	},
}

func qwenClaims(p hook.Payload, argv string) Claim {
	switch {
	case !p.Has("hook_event_name") || !p.Has("timestamp"):
		return No
	case p.Has("prompt_id"), strings.Contains(p.Text("transcript_path"), "/.qwen/"):
		return Certain
	case argv == "qwen":
		return Possible
	}
	return No
}

// qwenEnd is the end of the result of a command, behind what it wrote. A note of Qwen Code's
// about a command that took long may follow.
var qwenEnd = lazyregexp.New(`\nError: [^\n]*\nExit Code: (\d+|\(none\))\nSignal: [^\n]*\nProcess Group PGID: [^\n]*(?:\n\nNote: [^\n]*)?\s*$`)

// qwenOutcome reads the result of a command as its tool writes it. A result that has another
// form is of a command that was cancelled, or that goes on.
func qwenOutcome(p hook.Payload) Outcome {
	end := qwenEnd().FindStringSubmatch(p.Object("tool_response").Text("llmContent"))
	if end == nil {
		return unknown
	}
	code, err := strconv.Atoi(end[1])
	if err != nil { // a signal ended it
		return failed
	}
	return exited(code)
}
