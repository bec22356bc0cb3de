// Package toolcall decides whether an agent may make a tool call: rules and the facts
// of the call in, a decision out.
package toolcall

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/policy"
)

// BeforeTool is the event of a tool call that has not been made.
const BeforeTool = "before_tool"

// Call is a tool call that an agent is about to make.
type Call struct {
	Agent string          // as in rules: claude, codex, …
	Event string          // empty: BeforeTool
	Tool  string          // as the agent has it
	Input any             // its arguments, as encoding/json decodes them
	MCP   policy.MCPFacts // if the agent states it; else it is read from the tool's name and input
	Phase string          // of the session, empty: none
	// Workflow is the one that is running.
	Workflow fact.Workflow
	Vars     map[string]any // of the session
	Now      string         // RFC 3339
	// Opaque is the effect of rules that do not state one on a call that cannot be read in full;
	// empty: [Ask].
	Opaque string
	// World is where the call runs: the root, the working directory and the home directory.
	World bash.World
}

// facts describe a call.
type facts struct {
	kind   fact.Kind // of the tool; of tools that no profile lists, as their arguments show
	mcp    policy.MCPFacts
	input  map[string]any  // the arguments, of a tool called through another for that one
	line   *fact.ShellLine // nil: the tool runs no command
	files  []string        // that the tool itself writes
	opaque []fact.OpaquePart
}

// commandKeys are the members of an input that hold a shell line.
var commandKeys = []string{"command", "cmd", "command_line", "CommandLine", "script"}

// fileKeys are the members of an input that name a file, or several.
var fileKeys = []string{
	"file_path", "notebook_path", "path", "filePath", "target_file", "target_notebook", "absolute_path", "TargetFile", "filename", "file",
	"destination", "new_path", "old_path", "source", "files", "paths",
}

// read establishes the facts of a call.
func read(c Call) facts {
	f := facts{input: object(c.Input), mcp: c.MCP}
	f.readMCP(c.Tool)
	name := c.Tool
	if f.mcp.Tool != "" {
		name = f.mcp.Tool
	}
	kind, known := profile.KindOf(name)
	line, given := lineOf(c.Input)
	runs := known && kind == fact.Command || !known && given && kind != fact.MCP
	edits := !runs && (known && kind == fact.FileEdit || !known && Writes(name) || kind == fact.MCP && Writes(name))
	switch {
	case f.mcp.Tool != "" || kind == fact.MCP:
		f.kind = fact.MCP
	case runs:
		f.kind = fact.Command
	case edits:
		f.kind = fact.FileEdit
	default:
		f.kind = kind
	}
	switch {
	case runs:
		if given {
			w := c.World
			if dir := text(f.input, "cwd", "workdir", "working_directory", "Cwd"); dir != "" {
				w.Dir = dir
			}
			read := bash.Read(line, w)
			if strings.EqualFold(name, "PowerShell") && !plainWords().MatchString(line) {
				read.Parsed = false
				read.Opaque = append(read.Opaque, fact.OpaquePart{Reason: "PowerShell is not read", Text: line, Kind: fact.OpaqueCommand})
			}
			f.line, f.opaque = &read, read.Opaque
		}
	case edits:
		f.readFiles(name, c)
	}
	return f
}

// plainWords are lines that PowerShell and bash read alike: one program that is no alias of
// PowerShell's, and words without signs.
var plainWords = lazyregexp.New(`^(git|go|gh|npm|npx|node|cargo|dotnet|python3?|uv|make|pytest)( [\w./:=@+,-]+)*$`)

// Describe returns the kind of a call's tool, the arguments, of a call through another tool
// those of the inner one, the tool of an MCP server, and the shell line; empty if the tool
// runs none.
func Describe(c Call) (kind fact.Kind, input map[string]any, mcp policy.MCPFacts, line fact.ShellLine) {
	f := read(c)
	return f.kind, f.input, f.mcp, f.command()
}

// command returns the shell line; an empty one if the tool runs none.
func (f facts) command() fact.ShellLine {
	if f.line == nil {
		return fact.ShellLine{Parsed: true}
	}
	return *f.line
}

// object returns the arguments as an object; a text is the object's JSON, or else a
// command.
func object(input any) map[string]any {
	switch v := input.(type) {
	case map[string]any:
		return v
	case string:
		var inner map[string]any
		if json.Unmarshal([]byte(v), &inner) == nil && inner != nil {
			return inner
		}
		return map[string]any{"command": v}
	}
	return map[string]any{}
}

// readMCP finds the tool of an MCP server: in the name, mcp__server__tool, or in the
// arguments of a tool that calls others.
func (f *facts) readMCP(tool string) {
	if f.mcp.Tool == "" {
		if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
			f.mcp.Server, f.mcp.Tool, _ = strings.Cut(rest, "__")
		} else if rest, ok := strings.CutPrefix(tool, "MCP:"); ok {
			f.mcp.Tool = rest
		}
	}
	server, name := text(f.input, "server_name", "server"), text(f.input, "tool_name", "tool")
	if f.mcp.Tool == "" || server == "" || name == "" {
		return
	}
	f.mcp = policy.MCPFacts{Server: server, Tool: name}
	f.input = object(f.input["arguments"])
	if _, ok := f.input["command"]; ok && len(f.input) == 1 {
		if _, isText := f.input["command"].(string); isText {
			f.input = map[string]any{} // arguments that are no JSON count as absent
		}
	}
}

// text returns the first member that is a text.
func text(o map[string]any, keys ...string) string {
	for _, key := range keys {
		if s, ok := o[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// lineOf returns the shell line of a call: a text, or the words of a command.
func lineOf(input any) (string, bool) {
	o := object(input)
	for _, key := range commandKeys {
		switch v := o[key].(type) {
		case string:
			return v, v != ""
		case []any:
			var words []string
			for _, w := range v {
				s, _ := w.(string)
				words = append(words, s)
			}
			return profile.CommandOf(words), len(words) > 0
		}
	}
	return "", false
}

// Writes reports whether a tool that no table knows changes files, by its name.
func Writes(name string) bool {
	name = strings.ToLower(name)
	for _, verb := range []string{"write", "edit", "create", "delete", "remove", "move", "rename", "replace", "insert", "patch", "update", "append", "save", "put_file", "push_file", "copy"} {
		if strings.Contains(name, verb) {
			return true
		}
	}
	return false
}

// readFiles finds the files that a tool writes.
func (f *facts) readFiles(name string, c Call) {
	if s := text(f.input, "command"); s == "view" {
		return // of an editor that also shows files
	}
	if patch := patchOf(name, f.input, c.Input); patch != "" {
		f.files = bash.Patched(patch)
		if f.files == nil {
			f.opaque = append(f.opaque, fact.OpaquePart{Reason: "the patch names no file", Text: name, Kind: fact.OpaquePath})
		}
		return
	}
	for _, key := range fileKeys {
		f.addFiles(f.input[key])
	}
	if list, ok := f.input["edits"].([]any); ok {
		for _, e := range list {
			if o, ok := e.(map[string]any); ok {
				for _, key := range fileKeys {
					f.addFiles(o[key])
				}
			}
		}
	}
}

func (f *facts) addFiles(v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			f.files = append(f.files, v)
		}
	case []any:
		for _, e := range v {
			f.addFiles(e)
		}
	case map[string]any:
		f.addFiles(text(v, fileKeys...))
	}
}

// patchOf returns the text of a patch; empty if the input has no patch.
func patchOf(name string, o map[string]any, input any) string {
	if !strings.Contains(strings.ToLower(name), "patch") {
		return ""
	}
	if s, ok := input.(string); ok {
		return s
	}
	return text(o, "input", "patch", "command", "patchText", "diff")
}

// write returns a file that a tool writes, as a line that writes it would have it.
func write(file string, w bash.World) fact.ShellLine {
	file = strings.ReplaceAll(file, `\`, "/")
	if rest, ok := strings.CutPrefix(file, "file://"); ok {
		file = rest
	}
	return bash.Written(path.Clean(file), w)
}
