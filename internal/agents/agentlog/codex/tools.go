package codex

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

func (c *parser) toolCall(line int) {
	r := &c.row
	call := session.ToolCall{ID: record.Valid(r.call), Name: c.Intern(r.name), At: r.at, Status: fact.Running, Place: c.Place(line)}
	if call.ID == "" {
		call.ID = record.Valid(r.id)
	}
	input := r.input
	if server := record.Valid(r.namespace); strings.HasPrefix(server, "mcp__") && !strings.HasPrefix(call.Name, "mcp__") {
		call.Name = c.Intern([]byte(strings.TrimSuffix(server, "__") + "__" + call.Name))
	}
	if string(r.payloadKind) == "local_shell_call" {
		call.Name, input = "local_shell_call", r.argv
	}
	cwd := c.Cwd
	switch {
	case call.Name == "exec" && string(r.payloadKind) == "custom_tool_call":
		if call.Kind = fact.Other; !c.itemized {
			call.Opaque = true
			c.Note(fact.Opaque, line, "a program of the agent ran commands that the log does not contain", true)
		}
	case call.Name == "write_stdin":
		call.Kind = fact.Other
		process, text := stdinIn(input)
		if call.Opaque = text; text {
			c.Note(fact.Opaque, line, "text was written to a running command", true)
		}
		defer func() { // once the call has its number
			if command, ok := c.running[process]; ok {
				c.polls[c.LastCall(call.ID)] = command
			}
		}()
	case c.kind(&call) == fact.FileEdit:
		c.ReadInput(&call, input, cwd)
	case call.Kind == fact.Command:
		command, dir, ok := commandIn(input)
		if !ok {
			c.Note(fact.WrongType, line, "the command of "+call.Name+" is not readable", true)
		}
		if dir != "" {
			cwd = record.Absolute(cwd, dir)
		}
		call.Command = c.Intern([]byte(command))
		if strings.HasPrefix(strings.TrimSpace(command), "apply_patch") || strings.HasPrefix(command, "applypatch") {
			c.Patch(&call, []byte(command), cwd)
		}
	}
	c.AddCall(call, c.scope)
}

// completed adds the call that an item is about, or the result of one that is known.
func (c *parser) completed(line int) {
	c.itemized = true
	i := &c.row.done
	call := session.ToolCall{ID: record.Valid(i.id), At: c.row.at, Status: fact.Running, Place: c.Place(line)}
	switch string(i.kind) {
	case "CommandExecution":
		call.Kind, call.Name, call.Command = fact.Command, "exec_command", profile.CommandOf(i.argv)
	case "FileChange":
		call.Kind, call.Name = fact.FileEdit, "apply_patch"
		for _, name := range i.paths {
			call.Paths = append(call.Paths, record.Absolute(c.Cwd, name))
		}
	case "McpToolCall":
		call.Kind, call.Name = fact.MCP, "mcp__"+record.Valid(i.server)+"__"+record.Valid(i.tool)
	case "CollabAgentToolCall":
		call.Kind, call.Name = fact.Other, record.Valid(i.tool)
	default:
		if !doneTypes[string(i.kind)] {
			c.UnknownRow(c.row.at, line, "completed items of type "+record.Quote(i.kind)+" are not known")
		}
		return
	}
	if call.ID == "" {
		return
	}
	if !c.HasCall(call.ID) {
		c.AddCall(call, c.scope)
	}
	c.row.call = i.id
	exit, err := strconv.Atoi(string(i.exit))
	switch status := string(i.status); {
	case status == "declined": // its exit code is made up
		c.setResult(record.Result{Status: fact.Rejected, At: c.row.at})
	case err == nil:
		c.setResult(exited(exit, c.row.at))
	case status == "completed":
		c.setResult(record.Result{Status: fact.OK, At: c.row.at})
	case status == "failed":
		c.setResult(record.Result{Status: fact.Error, At: c.row.at})
	case status != "" && status != "in_progress" && status != "inProgress":
		c.Note(fact.WrongType, line, "the status "+record.Quote(i.status)+" of an item is not known", true)
	}
}

// doneTypes are the known types of completed items that are no calls, or whose calls the log
// has as well.
var doneTypes = record.Words(`UserMessage HookPrompt AgentMessage Plan Reasoning WebSearch ImageView ImageGeneration EnteredReviewMode
	ExitedReviewMode ContextCompaction SubAgentActivity Sleep`)

func (c *parser) kind(call *session.ToolCall) fact.Kind {
	c.Classify(call)
	return call.Kind
}

// stdinIn returns the process that a call writes to, and whether it writes more than control
// characters.
func stdinIn(input []byte) (process string, text bool) {
	s := jsonscan.New(input)
	if s.Peek() != '{' {
		return "", true
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "session_id":
			process = string(bytes.Trim(s.Skip(), `"`))
		case "chars":
			text = bytes.ContainsFunc(s.TextOrNil(), unicode.IsPrint)
		}
	})
	return process, text
}

// commandIn returns the command of a shell call, which is a string or a list of words,
// without a wrapping shell.
func commandIn(input []byte) (command, dir string, ok bool) {
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
				command = record.Valid(text)
				return
			}
			var argv []string
			s.Array(func() { argv = append(argv, record.Valid(s.TextOrNil())) })
			command, ok = profile.CommandOf(argv), len(argv) > 0
		case "workdir", "working_directory":
			dir = record.Valid(s.TextOrNil())
		}
	})
	return command, dir, ok && s.AtEnd()
}

// runningIn finds the id of the process that outlives the answer to its command.
var runningIn = lazyregexp.New(`Process running with session ID (\d+)`)

// exitIn finds the exit status in the output of a Codex command.
var exitIn = lazyregexp.New(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)\b`)

func exited(code int, at time.Time) record.Result {
	r := record.Result{Status: fact.OK, Exit: &code, At: at}
	if code != 0 {
		r.Status = fact.Error
	}
	return r
}

// resultIn returns how a call ended, by the metadata of its output or by its text.
func resultIn(output []byte, at time.Time) record.Result {
	s := jsonscan.New(output)
	if s.Peek() == '{' {
		var exit, words, success []byte
		s.Object(func(key []byte) {
			switch string(key) {
			case "output", "content":
				words = jsonscan.Unescape(record.Head(s.FirstText()))
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
			return record.Result{Status: fact.OK, At: at}
		case "false":
			return record.Result{Status: fact.Error, At: at}
		}
		output = words
	}
	output = record.Head(output)
	if record.IsRejection(output) || bytes.Contains(output, []byte("rejected by user")) {
		return record.Result{Status: fact.Rejected, At: at}
	}
	if m := exitIn().FindSubmatch(output); m != nil {
		if code, err := strconv.Atoi(string(m[1])); err == nil {
			return exited(code, at)
		}
	}
	switch {
	case bytes.Contains(output, []byte("Process running with session ID")):
		return record.Result{Status: fact.Running}
	case bytes.HasPrefix(output, []byte("Success.")):
		return record.Result{Status: fact.OK, At: at}
	case bytes.HasPrefix(output, []byte("apply_patch verification failed")), bytes.HasPrefix(output, []byte("failed ")):
		return record.Result{Status: fact.Error, At: at}
	}
	return record.Result{Status: fact.Unknown, At: at}
}
