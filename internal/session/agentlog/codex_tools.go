package agentlog

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/session"
)

// OpaqueProgram is the message of the diagnostic about a program of the agent whose calls
// are not in the log.
const OpaqueProgram = "a program of the agent ran commands that the log does not contain"

func (c *codexParser) toolCall(line int) {
	r := &c.row
	call := session.ToolCall{ID: valid(r.call), Name: c.intern(r.name), At: r.at, Status: session.Running, Place: c.place(line)}
	if call.ID == "" {
		call.ID = valid(r.id)
	}
	input := r.input
	if string(r.payloadKind) == "local_shell_call" {
		call.Name, input = "local_shell_call", r.argv
	}
	cwd := c.Cwd
	switch {
	case call.Name == "exec" && string(r.payloadKind) == "custom_tool_call":
		if call.Kind = session.Other; !c.itemized {
			c.note(session.Opaque, line, OpaqueProgram, true)
		}
	case call.Name == "write_stdin":
		call.Kind = session.Read // of what the command wrote
		if writesText(input) {
			call.Kind = session.Other
			c.note(session.Opaque, line, "text was written to a running command", true)
		}
	case c.kind(&call) == session.FileEdit:
		c.readInput(&call, input, cwd)
	case call.Kind == session.Command:
		command, dir, ok := codexCommand(input)
		if !ok {
			c.note(session.WrongType, line, "the command of "+call.Name+" is not readable", true)
		}
		if dir != "" {
			cwd = absolute(cwd, dir)
		}
		call.Command = c.intern([]byte(command))
		if strings.HasPrefix(strings.TrimSpace(command), "apply_patch") || strings.HasPrefix(command, "applypatch") {
			c.patch(&call, []byte(command), cwd)
		}
	}
	c.addCall(call, c.scope)
}

// completed adds the call that an item is about, or the result of one that is known.
func (c *codexParser) completed(line int) {
	c.itemized = true
	i := &c.row.done
	call := session.ToolCall{ID: valid(i.id), At: c.row.at, Status: session.Running, Place: c.place(line)}
	switch string(i.kind) {
	case "CommandExecution":
		call.Kind, call.Name, call.Command = session.Command, "exec_command", commandOf(i.argv)
	case "FileChange":
		call.Kind, call.Name = session.FileEdit, "apply_patch"
		for _, name := range i.paths {
			call.Paths = append(call.Paths, absolute(c.Cwd, name))
		}
	case "McpToolCall":
		call.Kind, call.Name = session.MCP, "mcp__"+valid(i.server)+"__"+valid(i.tool)
	default:
		return
	}
	if call.ID == "" {
		return
	}
	if c.ordinal[call.ID] == 0 {
		c.addCall(call, c.scope)
	}
	c.row.call = i.id
	exit, err := strconv.Atoi(string(i.exit))
	switch {
	case err == nil:
		c.setResult(exited(exit, c.row.at))
	case string(i.status) == "completed":
		c.setResult(result{status: session.OK, at: c.row.at})
	case string(i.status) == "failed":
		c.setResult(result{status: session.Error, at: c.row.at})
	}
}

func (c *codexParser) kind(call *session.ToolCall) session.Kind {
	c.classify(call)
	return call.Kind
}

// writesText reports whether the input of a call that writes to a running command holds
// more than control characters.
func writesText(input []byte) bool {
	s := jsonscan.New(input)
	text := false
	if s.Peek() != '{' {
		return true
	}
	s.Object(func(key []byte) {
		if string(key) == "chars" {
			text = bytes.ContainsFunc(s.TextOrNil(), unicode.IsPrint)
		}
	})
	return text
}

// codexCommand returns the command of a shell call, which is a string or a list of words,
// without a wrapping shell.
func codexCommand(input []byte) (command, dir string, ok bool) {
	s := jsonscan.New(input)
	if s.Peek() != '{' {
		return "", "", false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "cmd", "command":
			if s.Peek() != '[' {
				var text []byte
				text, ok = s.Text()
				command = valid(text)
				return
			}
			var argv []string
			s.Array(func() { argv = append(argv, valid(s.TextOrNil())) })
			command, ok = commandOf(argv), len(argv) > 0
		case "workdir", "working_directory":
			dir = valid(s.TextOrNil())
		}
	})
	return command, dir, ok && s.AtEnd()
}

// commandOf returns the command line for a list of words: the script of a shell, or else
// the words, quoted where a shell needs it.
func commandOf(argv []string) string {
	if len(argv) == 3 && (argv[1] == "-lc" || argv[1] == "-c") {
		switch argv[0][strings.LastIndexByte(argv[0], '/')+1:] {
		case "bash", "sh", "zsh":
			return argv[2]
		}
	}
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsFunc(word, needsQuotes) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func needsQuotes(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("@%+=:,./-_", r)
}

// exitIn finds the exit status in the output of a Codex command.
var exitIn = lazyregexp.New(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)\b`)

func exited(code int, at time.Time) result {
	r := result{status: session.OK, exit: &code, at: at}
	if code != 0 {
		r.status = session.Error
	}
	return r
}

// codexResult returns how a call ended, by the metadata of its output or by its text.
func codexResult(output []byte, at time.Time) result {
	s := jsonscan.New(output)
	if s.Peek() == '{' {
		var exit, words, success []byte
		s.Object(func(key []byte) {
			switch string(key) {
			case "output", "content":
				words = jsonscan.Unescape(head(s.FirstText()))
			case "success":
				success = s.Skip()
			case "metadata":
				if s.Peek() == '{' {
					s.Object(func(key []byte) {
						if string(key) == "exit_code" {
							exit = s.Skip()
						}
					})
				}
			}
		})
		if code, err := strconv.Atoi(string(exit)); err == nil {
			return exited(code, at)
		}
		switch string(success) {
		case "true":
			return result{status: session.OK, at: at}
		case "false":
			return result{status: session.Error, at: at}
		}
		output = words
	}
	output = head(output)
	if isRejection(output) || bytes.Contains(output, []byte("rejected by user")) {
		return result{status: session.Rejected, at: at}
	}
	if m := exitIn().FindSubmatch(output); m != nil {
		if code, err := strconv.Atoi(string(m[1])); err == nil {
			return exited(code, at)
		}
	}
	switch {
	case bytes.Contains(output, []byte("Process running with session ID")):
		return result{status: session.Running}
	case bytes.HasPrefix(output, []byte("Success.")):
		return result{status: session.OK, at: at}
	case bytes.HasPrefix(output, []byte("apply_patch verification failed")), bytes.HasPrefix(output, []byte("failed ")):
		return result{status: session.Error, at: at}
	}
	return result{status: session.Unknown, at: at}
}
