package agentlog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// claudeTools are the tools of Claude Code, by whose names hook journals call the tools
// of other agents, too; path is the key of the file name.
var claudeTools = map[string]struct {
	kind session.Kind
	path string
}{
	"Bash":         {kind: session.Command},
	"Edit":         {session.FileEdit, "file_path"},
	"Write":        {session.FileEdit, "file_path"},
	"MultiEdit":    {session.FileEdit, "file_path"},
	"NotebookEdit": {session.FileEdit, "notebook_path"},
	"Read":         {session.Read, "file_path"},
	"NotebookRead": {session.Read, "notebook_path"},
}

// claudeInput completes a call by the input of its tool.
func (p *part) claudeInput(c *session.ToolCall, input []byte, cwd string) {
	tool, known := claudeTools[c.Name]
	c.Kind = tool.kind
	if !known {
		c.Kind = otherKind(c.Name)
		return
	}
	s := jsonscan.New(input)
	if s.Peek() != '{' {
		p.note(session.WrongType, c.Line, "the input of "+c.Name+" is not an object", true)
		return
	}
	complete := false
	s.Object(func(key []byte) {
		switch {
		case tool.kind == session.Command && string(key) == "command":
			text, ok := s.Text()
			c.Command, complete = p.intern(text), ok
		case tool.path != "" && string(key) == tool.path:
			if text, ok := s.Text(); ok && len(text) > 0 {
				c.Paths, complete = []string{absolute(cwd, p.intern(text))}, true
			}
		}
	})
	if !complete {
		p.note(session.WrongType, c.Line, "a call of "+c.Name+" without its command or file", true)
	}
}

func otherKind(name string) session.Kind {
	if strings.HasPrefix(name, "mcp__") {
		return session.MCP
	}
	return session.Other
}

// claudeResult returns how a tool ended. Only the text of a failure holds an exit status.
func claudeResult(isError, interrupted bool, at time.Time, texts ...[]byte) result {
	r := result{status: session.OK, at: at}
	if !isError {
		if interrupted {
			r.status = session.Error
		}
		return r
	}
	r.status = session.Error
	for _, text := range texts {
		text = bytes.TrimPrefix(jsonscan.Unescape(head(text)), []byte("Error: "))
		if isRejection(text) {
			r.status = session.Rejected
		}
		if code, ok := bytes.CutPrefix(text, []byte("Exit code ")); ok {
			digits := code[:len(code)-len(bytes.TrimLeft(code, "0123456789"))]
			if exit, err := strconv.Atoi(string(digits)); err == nil {
				r.exit = &exit
			}
		}
	}
	return r
}

// rejections are the beginnings of the result of a tool call that the user rejected.
var rejections = []string{
	"The user doesn't want to", "User rejected tool use", "[Request interrupted by user for tool use]",
	"Permission to use ", "exec command rejected by user", "patch rejected by user", "rejected by user",
}

func isRejection(text []byte) bool {
	return slices.ContainsFunc(rejections, func(r string) bool { return bytes.HasPrefix(text, []byte(r)) })
}
