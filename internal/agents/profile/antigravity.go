package profile

import (
	"fmt"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var antigravity = Profile{
	Name:  "antigravity",
	Title: "Antigravity CLI",
	Sources: []Source{
		{OfHooks, "", "reports of Antigravity CLI 1.0.15 to 1.2.3"},
		{OfHooks, "https://docs.rs/safe-chains/latest/safe_chains/targets/agy/index.html", "tried with Antigravity CLI 1.1.2"},
		{OfHooks, "https://github.com/stbenjam/skillsaw/blob/main/docs/rules/antigravity-hooks-valid.md", "tried with Antigravity CLI 1.1.26"},
		{OfLogs, "", "transcripts of versions 1.0 to 1.2; the schema is not published"},
		{OfTools, "", "transcripts of versions 1.0 to 1.2"},
	},
	Logs: func(m Machine, _ string) []Place {
		var places []Place
		for _, product := range []string{"antigravity", "antigravity-cli", "antigravity-ide"} {
			places = append(places, Place{Path: filepath.Join(m.Home(), ".gemini", product, "brain")})
		}
		return places
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "run_command",
		fact.FileEdit: "write_to_file replace_file_content multi_replace_file_content",
		fact.Read:     "view_file",
		fact.MCP:      "call_mcp_tool",
		fact.Other: `list_dir find_by_name grep_search codebase_search search_in_file view_file_outline view_code_item
			view_content_chunk search_web read_url_content read_browser_page browser_subagent generate_image
			command_status send_command_input read_terminal manage_task schedule define_subagent invoke_subagent
			manage_subagents send_message task_boundary notify_user ask_question ask_permission list_permissions
			list_resources read_resource`,
	},
	Subagents: "invoke_subagent browser_subagent",
	Settings: Settings{
		File: ".agents/hooks.json", User: ".gemini/config/hooks.json",
		Container: "rulecheck", Entry: antigravityEntry, Guarded: true, Named: true, Strict: true, Off: map[string]any{"rulecheck.enabled": false},
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}},
			{Name: "PostToolUse", Kind: hook.AfterTool},
			{Name: "Stop", Kind: hook.Stop, Can: stops},
		},
		Timeout: "a whole number of seconds in the settings",
		OnError: "a malformed answer denies the call; a settings file with one error is dropped as a whole",
		Holes: []string{
			"no page of Google describes how the file is loaded; in tests, 1.1.2 and 1.1.26 loaded `.agents/hooks.json`, and by one report 1.1.11 loaded no hook from it",
			"whether the application and the IDE load the same file as the CLI, and whether they ask for trust, is not known",
			"payloads do not name their event, so the command line has to",
			"no event for the user's prompt, so rules that compare with it use the last one captured otherwise",
		},
		Probe: `{"conversationId":"%s","modelName":"m","stepIdx":1,"toolCall":{"name":"run_command","args":{"CommandLine":"true"}}}`,
		Members: Members{
			Event: []string{"hook_event_name"}, Session: []string{"conversationId", "session_id"}, Transcript: []string{"transcriptPath"},
			Roots: "workspacePaths", Tool: []string{"tool_name"}, Input: []string{"tool_input"},
		},
		Claims: func(p hook.Payload, argv string) Claim {
			switch {
			case p.Has("conversationId"), p.Has("toolCall"), p.Has("stepIdx"):
				return Certain
			case argv == "antigravity" && p.Has("hook_event_name"):
				return Possible
			}
			return No
		},
		Adjust:  antigravityAdjust,
		Outcome: silentOutcome,
		Silent:  true,
		Answer:  antigravityAnswer,
		FailsAs: func(_ hook.Event, reason string) hook.Answer { return reply(output{Decision: "deny", Reason: reason}) },
	},
}

func antigravityAdjust(p hook.Payload, e *hook.Event) {
	call := p.Object("toolCall")
	if e.Name == "" && call.Has("name") && !p.Has("error") {
		e.Name = "PreToolUse"
	}
	e.Cwd = call.Object("args").Text("Cwd")
	e.Call.Name, e.Input = call.Text("name"), call.Raw("args")
	if p.Has("stepIdx") {
		e.Call.ID = fmt.Sprintf("step-%d", p.Number("stepIdx"))
	}
}

func antigravityAnswer(e hook.Event, d hook.Decision) hook.Answer {
	out := output{Reason: d.Reason}
	switch d.Verdict {
	case hook.Deny:
		out.Decision = "deny"
	case hook.Ask:
		out.Decision = "ask"
	case hook.Block:
		out.Decision = "block"
	case hook.Allow, hook.Context:
		if e.Kind == hook.BeforeTool { // an empty object would deny; nothing is no opinion
			return hook.Answer{}
		}
		out.Reason = ""
	}
	return reply(out)
}

// antigravityEntry groups the events of tools only.
func antigravityEntry(e Event, command string) any {
	if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
		return matchedEntry(e, command)
	}
	return handler{"command", command, limit(e)}
}
