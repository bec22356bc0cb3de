package dialect

import (
	"encoding/json"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// The members of a tool's input that hold a command or files, of all agents.
var (
	commandKeys = []string{"command", "cmd", "command_line", "CommandLine", "script"}
	fileKeys    = []string{
		"file_path", "filePath", "path", "notebook_path", "target_file", "target_notebook", "absolute_path", "TargetFile", "AbsolutePath", "file",
	}
	filesKeys = []string{"files", "paths", "file_paths"}
	patchKeys = []string{"patch", "input", "patchText", "command"}
)

// readCall completes the event by the name and the input of its tool.
func readCall(e *hook.Event, name, id string, input json.RawMessage) {
	e.Input = input
	e.Call.Name, e.Call.ID, e.Call.Sidechain = name, id, e.Subagent != ""
	kind, known := profile.KindOf(name)
	e.Call.Kind = kind
	if server, tool, ok := serverTool(name); ok {
		e.Call.Kind, e.Server, e.Tool = fact.MCP, server, tool
	}
	in := Parse(input)
	switch e.Call.Kind {
	case fact.MCP:
		return
	case fact.Command:
		e.Call.Command = in.command()
	case fact.Other:
		if e.Call.Command = in.command(); e.Call.Command != "" && !known {
			e.Call.Kind = fact.Command
		} else {
			e.Call.Command = ""
		}
	case fact.Read, fact.FileEdit: // their files are read below
	}
	if e.Call.Kind != fact.Command {
		e.Call.Paths = in.files(e.Cwd)
	}
	if e.Call.Kind == fact.FileEdit {
		e.Call.Paths = append(e.Call.Paths, patched(e.Cwd, in.text(patchKeys...))...)
	}
}

// serverTool splits the name of an MCP server's tool: mcp__server__tool.
func serverTool(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", strings.HasPrefix(name, "mcp_")
	}
	server, tool, _ = strings.Cut(rest, "__")
	return server, tool, true
}

// command returns the command of a tool's input, a text or a list of words.
func (p Payload) command() string {
	if text := p.text(commandKeys...); text != "" {
		return text
	}
	for _, key := range commandKeys {
		if words := p.texts(key); len(words) > 0 {
			return record.CommandOf(words)
		}
	}
	return ""
}

// files returns the files that a tool's input names.
func (p Payload) files(cwd string) []string {
	var files []string
	for _, key := range fileKeys {
		if name := p.text(key); name != "" {
			files = append(files, absolute(cwd, name))
		}
	}
	for _, key := range filesKeys {
		for _, name := range p.texts(key) {
			files = append(files, absolute(cwd, name))
		}
	}
	return files
}

// patched returns the files that a patch names.
func patched(cwd, patch string) []string {
	var files []string
	for _, name := range bash.Patched(patch) {
		files = append(files, absolute(cwd, name))
	}
	return files
}
