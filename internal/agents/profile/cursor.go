package profile

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

var cursor = Profile{
	Name:  "cursor",
	Title: "Cursor",
	Sources: []Source{
		{OfHooks, "https://cursor.com/docs/hooks", "Cursor 3"},
		{OfLogs, "", "11/2026; the format is not documented"},
		{OfTools, "", "11/2026"},
	},
	Logs: func(m Machine, root string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".cursor", "projects", cursorFolder(root), "agent-transcripts"), Own: true}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "Shell run_terminal_cmd",
		fact.FileEdit: "Write StrReplace Delete EditNotebook edit_file delete_file search_replace",
		fact.Read:     "Read ReadLints read_file",
		fact.MCP:      "CallMcpTool",
		fact.Other: `SemanticSearch codebase_search grep_search file_search fetch_rules list todo_write todo_read AskQuestion
			SwitchMode FetchMcpResource GenerateImage SemSearch UpdateTodos ReadTodos CreatePlan`,
	},
	Variables: "CURSOR_AGENT",
	Settings: Settings{
		File: ".cursor/hooks.json", User: ".cursor/hooks.json",
		Managed: Managed{
			Linux: "/etc/cursor/hooks.json", Darwin: "/Library/Application Support/Cursor/hooks.json",
			Windows: "C:/ProgramData/Cursor/hooks.json", Source: "https://cursor.com/docs/hooks",
		},
		Container: "hooks", Version: 1, Entry: cursorEntry,
	},
	Hooks: Hooks{
		Events: []Event{
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
		},
		Timeout:      "of the entry",
		OnError:      "the call proceeds, unless the entry has `failClosed: true`",
		Holes:        []string{"one call has several events", "payloads have no time"},
		Probe:        `{"conversation_id":"%s","generation_id":"g","cursor_version":"3.0","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
		RootVariable: "CURSOR_PROJECT_DIR",
		Members: Members{
			Event: []string{"hook_event_name"}, Session: []string{"conversation_id", "session_id"}, Turn: []string{"generation_id"},
			Cwd: []string{"cwd"}, Roots: "workspace_roots", Transcript: []string{"transcript_path"}, Prompt: []string{"prompt"},
			Tool: []string{"tool_name"}, Call: []string{"tool_use_id"}, Input: []string{"tool_input"},
		},
		Claims: func(p hook.Payload, _ string) Claim {
			if p.Has("cursor_version") || p.Has("conversation_id") {
				return Certain
			}
			return No
		},
		Adjust:  cursorAdjust,
		Outcome: cursorOutcome,
		Answer:  cursorAnswer,
	},
}

// cursorFolder returns the name of the folder of a project: its path with dashes.
func cursorFolder(root string) string {
	name := []rune{}
	for _, r := range filepath.ToSlash(root) {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			name = append(name, r)
		case len(name) > 0 && name[len(name)-1] != '-':
			name = append(name, '-')
		}
	}
	return string(name)
}

// cursorLoops is how many new messages in a row a stop may cause. Cursor's own limit is 5.
const cursorLoops = 3

// cursorOutcome reads the exit code in the result of a shell, which is the text of an object.
func cursorOutcome(p hook.Payload, e *hook.Event) Outcome {
	var result struct {
		Exit *int `json:"exitCode"` //nolint:tagliatelle // as Cursor has it
	}
	if e.Call.Kind == fact.Command && json.Unmarshal([]byte(p.Text("tool_output")), &result) == nil && result.Exit != nil {
		return exited(*result.Exit)
	}
	return silentOutcome(p, e)
}

// cursorAdjust names the tools of events that are about one kind of call.
func cursorAdjust(p hook.Payload, e *hook.Event) {
	e.Refused = p.Number("loop_count")
	e.Continued = e.Refused > 0
	member := "file_path"
	switch e.Name {
	case "beforeShellExecution", "afterShellExecution":
		e.Call.Name, member = "Shell", "command"
	case "beforeReadFile":
		e.Call.Name = "Read"
	case "afterFileEdit":
		e.Call.Name = "Edit"
	case "beforeMCPExecution", "afterMCPExecution":
		e.Call.Kind = fact.MCP
		if name := p.Text("tool_name"); !strings.HasPrefix(name, "mcp__") {
			e.Tool = name
		}
	case "stop":
		if status := p.Text("status"); status == "aborted" || status == "error" {
			e.Kind = hook.Other
		}
	}
	if e.Call.Name != "" {
		e.Input, _ = json.Marshal(map[string]string{member: p.Text(member)}) //nolint:errchkjson // texts can be encoded
	}
}

// cursorAnswer always writes an object: an empty answer may be a refusal.
func cursorAnswer(e hook.Event, d hook.Decision) hook.Answer {
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

func cursorEntry(e Event, command string) any {
	return struct {
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}{command, limit(e)}
}
