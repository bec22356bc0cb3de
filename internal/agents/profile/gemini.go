package profile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

var gemini = Profile{
	Name:  "gemini",
	Title: "Gemini CLI",
	Sources: []Source{
		{OfHooks, "https://geminicli.com/docs/hooks/reference", "Gemini CLI 0.61.0"},
		{OfLogs, "https://geminicli.com/docs/cli/session-management", "chats of Gemini CLI 0.61.0"},
		{OfTools, "https://geminicli.com/docs/reference/tools/", "Gemini CLI 0.61.0"},
	},
	Logs: func(m Machine, root string) []Place {
		projects := filepath.Join(m.Dir("GEMINI_CLI_HOME"), ".gemini", "tmp")
		hash := sha256.Sum256([]byte(root))
		return []Place{
			{Path: projects, Owner: ".project_root", Within: "chats", Own: true},
			{Path: filepath.Join(projects, hex.EncodeToString(hash[:]), "chats"), Own: true}, // of older versions
		}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_shell_command",
		fact.FileEdit: "write_file replace",
		fact.Read:     "read_file read_many_files",
		fact.Other: `list_directory glob search_file_content grep_search google_web_search web_fetch save_memory write_todos
			ask_user activate_skill invoke_agent list_background_processes read_background_output update_topic
			get_internal_docs enter_plan_mode exit_plan_mode complete_task tracker_create_task tracker_update_task
			tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize codebase_investigator
			cli_help`,
	},
	Subagents: "invoke_agent codebase_investigator",
	Telemetry: Telemetry{Services: "gemini-cli"},
	Variables: "GEMINI_CLI",
	Settings: Settings{
		File: ".gemini/settings.json", User: ".gemini/settings.json",
		Managed: Managed{
			Linux: "/etc/gemini-cli/settings.json", Darwin: "/Library/Application Support/GeminiCli/settings.json",
			Windows: "C:/ProgramData/gemini-cli/settings.json", Source: "https://geminicli.com/docs/reference/configuration",
		},
		Container: "hooks", Entry: geminiEntry, Guarded: true, Off: map[string]any{"hooksConfig.enabled": false},
		Next: "Gemini CLI runs the hooks of a project in trusted folders only",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
			{Name: "BeforeAgent", Kind: hook.Prompt, Can: contexts, Note: "a refused stop comes back here and is not taken for a prompt"},
			{Name: "BeforeTool", Kind: hook.BeforeTool, Can: denies, Note: "`ask` becomes `deny`: a run without a terminal would wait for ever"},
			{Name: "AfterTool", Kind: hook.AfterTool, Can: contexts},
			{Name: "AfterAgent", Kind: hook.Stop, Can: stops, Note: "Gemini CLI never gives up by itself"},
		},
		Timeout:  "60 s; settings have milliseconds",
		OnError:  "a command that cannot be found refuses every prompt; a time limit lets the call proceed",
		Measured: true,
		Holes: []string{
			"calls have no ids, so a receipt joins them by name, input and order",
			"`--skip-trust` silently drops the hooks of the project; `GEMINI_CLI_TRUST_WORKSPACE=true` and a trusted folder keep them",
			"the answer at a stop repeats what was answered before it, so a promise holds until the user's next prompt",
		},
		Probe:        `{"session_id":"%s","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"true"}}`,
		Shell:        []string{"bash", "-c"},
		RootVariable: "GEMINI_PROJECT_DIR",
		Sequential:   true,
		Members:      claudeMembers,
		Claims:       geminiClaims,
		Outcome:      outcomeOf(geminiOutcome),
		Answer:       geminiAnswer,
	},
}

func geminiClaims(p hook.Payload, argv string) Claim {
	name := p.Text("hook_event_name")
	switch {
	case name == "":
		return No
	case strings.HasPrefix(name, "Before"), strings.HasPrefix(name, "After"), name == "PreCompress", strings.Contains(p.Text("transcript_path"), "/.gemini/"):
		return Certain
	case p.Has("timestamp"), argv == "gemini":
		return Possible
	}
	return No
}

// geminiEnd is the end of the result of a command, behind what it wrote. An exit code of 0 is
// not written.
var geminiEnd = lazyregexp.New(`(\nError: [^\n]*)?(?:\nExit Code: (\d+))?(\nSignal: [^\n]*)?(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: \d+)?(?:\n</untrusted_context>)?\s*$`)

// geminiOutcome reads the result of a command as its tool writes it (packages/core/src/tools/shell.ts).
// A result that has another form is of a command that was cancelled, or that goes on.
func geminiOutcome(p hook.Payload) Outcome {
	text := strings.TrimPrefix(p.Object("tool_response").Text("llmContent"), "<untrusted_context>\n")
	if !strings.HasPrefix(text, "Output: ") {
		return unknown
	}
	switch end := geminiEnd().FindStringSubmatch(text); {
	case end[2] != "":
		code, err := strconv.Atoi(end[2])
		if err != nil {
			return failed
		}
		return exited(code)
	case end[3] != "":
		return failed
	case end[1] != "": // or the command wrote this line
		return unknown
	}
	return succeeded
}

func geminiAnswer(e hook.Event, d hook.Decision) hook.Answer {
	out := output{SystemMessage: d.Notice}
	switch d.Verdict {
	case hook.Deny, hook.Block:
		out.Decision, out.Reason = "deny", d.Reason
	case hook.Ask:
		out.Decision, out.Reason = "deny", confirm(d.Reason)
	case hook.Context:
		switch e.Kind {
		case hook.BeforeTool: // a context is not delivered; it comes after the tool
		case hook.Stop:
			out.SystemMessage = cmp.Or(d.Notice, d.Context)
		default:
			out.Specific = &specific{HookEventName: e.Name, AdditionalContext: d.Context}
		}
	case hook.Allow:
	}
	return reply(out)
}

// geminiEntry is a group whose limit is in milliseconds.
func geminiEntry(e Event, command string) any {
	return group{Hooks: []handler{{"command", command, limit(e) * 1000}}}
}
