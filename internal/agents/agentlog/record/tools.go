package record

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// toolNames are the tools that the documentation of agents lists, by agent and kind. Equal
// names are of the same kind in all of them.
var toolNames = []struct {
	agent string
	kind  fact.Kind
	names string
}{
	{"Antigravity", fact.Command, "run_command"},
	{"Antigravity", fact.FileEdit, "write_to_file replace_file_content multi_replace_file_content"},
	{"Antigravity", fact.Read, "view_file"},
	{"Antigravity", fact.MCP, "call_mcp_tool"},
	{"Antigravity", fact.Other, "list_dir find_by_name grep_search codebase_search search_in_file view_file_outline view_code_item view_content_chunk " +
		"search_web read_url_content read_browser_page browser_subagent generate_image command_status send_command_input read_terminal manage_task schedule " +
		"define_subagent invoke_subagent manage_subagents send_message task_boundary notify_user ask_question ask_permission list_permissions " +
		"list_resources read_resource"},
	{"Claude Code", fact.Command, "Bash PowerShell Monitor"},
	{"Claude Code", fact.FileEdit, "Edit Write MultiEdit NotebookEdit"},
	{"Claude Code", fact.Read, "Read NotebookRead"},
	{"Claude Code", fact.Other, "Agent AgentOutputTool Artifact AskUserQuestion BashOutput Brief Config CronCreate CronDelete CronList EndConversation EnterPlanMode " +
		"EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP ListMcpResources ListMcpResourcesTool ListPeers PushNotification " +
		"ReadMcpResource ReadMcpResourceTool RemoteTrigger ReportFindings ScheduleWakeup SendMessage SendUserFile SendUserMessage ShareOnboardingGuide Skill Sleep SlashCommand " +
		"StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch " +
		"WaitForMcpServers WebFetch WebSearch Workflow"},
	{"Codex", fact.Command, "shell exec_command shell_command local_shell local_shell_call container.exec"},
	{"Codex", fact.FileEdit, "apply_patch"},
	{"Codex", fact.Read, "view_image"},
	{"Codex", fact.Other, "update_plan spawn_agent send_input send_message followup_task wait wait_agent close_agent resume_agent list_agents " +
		"request_user_input request_permissions web_search image_generation list_mcp_resources list_mcp_resource_templates read_mcp_resource list_dir " +
		"grep_files create_goal get_goal update_goal"},
	{"Copilot CLI", fact.Command, "bash powershell"},
	{"Copilot CLI", fact.FileEdit, "edit create apply_patch str_replace str_replace_editor insert"},
	{"Copilot CLI", fact.Read, "view"},
	{"Copilot CLI", fact.Other, "read_bash stop_bash list_bash read_powershell stop_powershell list_powershell rg report_intent update_todo think " +
		"store_memory read_agent exit_plan_mode task_complete sql show_file fetch_copilot_cli_documentation"},
	{"Cursor", fact.Command, "Shell run_terminal_cmd"},
	{"Cursor", fact.FileEdit, "Write StrReplace Delete EditNotebook edit_file delete_file search_replace"},
	{"Cursor", fact.Read, "Read ReadLints read_file"},
	{"Cursor", fact.MCP, "CallMcpTool"},
	{"Cursor", fact.Other, "SemanticSearch codebase_search grep_search file_search fetch_rules list todo_write todo_read AskQuestion SwitchMode " +
		"FetchMcpResource GenerateImage"},
	{"Gemini CLI", fact.Command, "run_shell_command"},
	{"Gemini CLI", fact.FileEdit, "write_file replace"},
	{"Gemini CLI", fact.Read, "read_file read_many_files"},
	{"Gemini CLI", fact.Other, "list_directory glob search_file_content grep_search google_web_search web_fetch save_memory write_todos ask_user " +
		"activate_skill invoke_agent list_background_processes read_background_output update_topic get_internal_docs enter_plan_mode exit_plan_mode " +
		"complete_task tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize " +
		"codebase_investigator cli_help"},
	{"OpenCode", fact.Command, "bash"},
	{"OpenCode", fact.FileEdit, "edit write patch apply_patch"},
	{"OpenCode", fact.Read, "read"},
	{"OpenCode", fact.Other, "browser glob grep list lsp webfetch websearch codesearch batch invalid plan_enter plan_exit question skill task todowrite todoread"},
	{"Windsurf", fact.Command, "run_command"},
	{"Windsurf", fact.FileEdit, "code_action"},
	{"Windsurf", fact.Read, "view_file"},
	{"Windsurf", fact.MCP, "mcp_tool"},
	{"Windsurf", fact.Other, "list_directory grep_search codebase_search find_by_name search_web read_url_content"},
	{"editors", fact.Command, "run_terminal_command run_in_terminal run_command execute_command"},
	{"editors", fact.FileEdit, "create_file editFiles write_to_file replace_file_content multi_replace_file_content"},
	{"editors", fact.Read, "view_file"},
}

// tools classifies the tools of all agents by their names, without regard to case and
// underscores. Calls of other tools are reported, except those of MCP servers.
var tools = func() map[string]fact.Kind {
	byName := map[string]fact.Kind{}
	for _, row := range toolNames {
		for name := range strings.FieldsSeq(row.names) {
			byName[PlainName(name)] = row.kind
		}
	}
	return byName
}()

// KindOf returns the kind of a tool by its name. ok is false if no table lists it.
func KindOf(name string) (kind fact.Kind, ok bool) { return kinds{}.of(name) }

// kinds maps the exact names of tools, as logs have them, to their kinds.
type kinds map[string]fact.Kind

// of returns the kind of a tool; ok is false if no table lists it.
func (k kinds) of(name string) (kind fact.Kind, ok bool) {
	if kind, ok = k[name]; ok {
		return kind, true
	}
	switch kind, ok = tools[PlainName(name)]; {
	case ok:
	case strings.HasPrefix(name, "mcp_"), strings.HasPrefix(name, "MCP:"):
		kind = fact.MCP
	default:
		return fact.Other, false
	}
	k[name] = kind
	return kind, true
}

// PlainName returns a name without underscores, in small letters.
func PlainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// Classify sets the kind of a call and reports unknown tools.
func (l *Log) Classify(c *session.ToolCall) {
	kind, ok := l.kinds.of(c.Name)
	if !ok {
		l.Note(fact.UnknownTool, c.Line, "calls of the tool "+Quote([]byte(c.Name))+", which is not known", true)
	}
	c.Kind = kind
}

// The members of a tool's input that hold its command or its file.
var (
	commandKeys = []string{"command", "cmd", "command_line"}
	fileKeys    = []string{"file_path", "notebook_path", "path", "filePath", "target_file", "target_notebook", "absolute_path"}
)

// ReadInput completes a call by the input of its tool.
func (l *Log) ReadInput(c *session.ToolCall, input []byte, cwd string) {
	l.Classify(c)
	switch {
	case c.Kind == fact.FileEdit && PlainName(c.Name) == "applypatch" && !ReadObject(input).Has("paths"):
		l.Patch(c, patchIn(input), cwd)
		return
	case c.Kind != fact.Command && c.Kind != fact.FileEdit && c.Kind != fact.Read:
		return
	}
	s := jsonscan.New(input)
	if s.Peek() != '{' {
		l.Note(fact.WrongType, c.Line, "the input of "+c.Name+" is not an object", c.Kind != fact.Read)
		return
	}
	complete := false
	s.Object(func(key []byte) {
		switch {
		case complete:
		case c.Kind == fact.Command && slices.Contains(commandKeys, string(key)):
			c.Command, complete = l.command(&s)
		case c.Kind != fact.Command && slices.Contains(fileKeys, string(key)):
			if text, ok := s.Text(); ok && len(text) > 0 {
				c.Paths, complete = []string{Absolute(cwd, l.Intern(text))}, true
			}
		case c.Kind != fact.Command && string(key) == "paths" && s.Peek() == '[': // of our own journal
			s.Array(func() { c.Paths = append(c.Paths, Absolute(cwd, l.Intern(s.TextOrNil()))) })
			complete = c.Paths != nil
		}
	})
	if !complete {
		l.Note(fact.WrongType, c.Line, "a call of "+c.Name+" without its command or file", c.Kind != fact.Read)
	}
}

// command reads a command: a text, or a list of words.
func (l *Log) command(s *jsonscan.Scanner) (command string, ok bool) {
	if s.Peek() != '[' {
		text, ok := s.Text()
		return l.Intern(text), ok
	}
	var argv []string
	s.Array(func() { argv = append(argv, Valid(s.TextOrNil())) })
	return CommandOf(argv), len(argv) > 0
}

// patchIn returns the text of a patch: the input itself, or a member of it.
func patchIn(input []byte) []byte {
	s := jsonscan.New(input)
	if s.Peek() != '{' {
		return input
	}
	patch := input
	s.Object(func(key []byte) {
		switch string(key) {
		case "input", "patch", "command", "patchText":
			patch = s.TextOrNil()
		}
	})
	return patch
}

// Patch turns the call into an edit of the files that a patch names.
func (l *Log) Patch(call *session.ToolCall, patch []byte, cwd string) {
	call.Kind = fact.FileEdit
	for line := range bytes.Lines(patch) {
		line = bytes.TrimSpace(line)
		for _, verb := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if name, ok := bytes.CutPrefix(line, []byte(verb)); ok {
				call.Paths = append(call.Paths, Absolute(cwd, l.Intern(name)))
			}
		}
	}
	if call.Paths == nil {
		l.Note(fact.Opaque, call.Line, "a patch that names no file", true)
	}
}
