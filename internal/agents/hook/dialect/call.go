package dialect

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

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

// classify completes the call of an event by the name and the input of its tool. A call that
// is of an MCP server according to the payload remains one.
func classify(e *hook.Event) {
	stated := e.Call.Kind == fact.MCP
	kind, known := profile.KindOf(e.Call.Name)
	if server, tool, ok := serverTool(e.Call.Name); ok {
		kind, e.Server, e.Tool = fact.MCP, cmp.Or(e.Server, server), cmp.Or(e.Tool, tool)
	}
	if e.Call.Kind = kind; kind == fact.MCP || stated && e.Server != "" {
		e.Call.Kind = fact.MCP
		return
	}
	in := input{hook.ParsePayload(e.Input)}
	switch command := in.command(); {
	case kind == fact.Command:
		e.Call.Command = command
	case kind == fact.Other && command != "" && !known:
		e.Call.Kind, e.Call.Command = fact.Command, command
	}
	if e.Call.Kind != fact.Command {
		e.Call.Paths = in.files(e.Cwd)
	}
	if e.Call.Kind == fact.FileEdit {
		e.Call.Paths = append(e.Call.Paths, patched(e.Cwd, in.Text(patchKeys...))...)
	}
	if stated {
		e.Call.Kind = fact.MCP
	}
}

// input reads the arguments of a tool.
type input struct{ hook.Payload }

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
func (in input) command() string {
	if text := in.Text(commandKeys...); text != "" {
		return text
	}
	for _, key := range commandKeys {
		if words := in.Texts(key); len(words) > 0 {
			return profile.CommandOf(words)
		}
	}
	return ""
}

// files returns the files that a tool's input names.
func (in input) files(cwd string) []string {
	var files []string
	for _, key := range fileKeys {
		if name := in.Text(key); name != "" {
			files = append(files, absolute(cwd, name))
		}
	}
	for _, key := range filesKeys {
		for _, name := range in.Texts(key) {
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

// absolute returns a path below cwd, unless it is absolute or cwd is not.
func absolute(cwd, name string) string {
	if name == "" || filepath.IsAbs(name) || path.IsAbs(name) || !filepath.IsAbs(cwd) {
		return name
	}
	return filepath.Join(cwd, name)
}
