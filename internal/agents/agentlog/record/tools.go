package record

import (
	"bytes"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// kinds maps the exact names of tools, as logs have them, to their kinds.
type kinds map[string]fact.Kind

// of returns the kind of a tool; ok is false if no profile lists it.
func (k kinds) of(name string) (kind fact.Kind, ok bool) {
	if kind, ok = k[name]; ok {
		return kind, true
	}
	if kind, ok = profile.KindOf(name); ok {
		k[name] = kind
	}
	return kind, ok
}

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
	fileKeys    = []string{"file_path", "notebook_path", "path", "filePath", "target_file", "target_notebook", "absolute_path", "absolutePath"}
)

// ReadInput completes a call by the input of its tool.
func (l *Log) ReadInput(c *session.ToolCall, input []byte, cwd string) {
	l.Classify(c)
	switch {
	case c.Kind == fact.FileEdit && profile.PlainName(c.Name) == "applypatch" && !ReadObject(input).Has("paths"):
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
	return profile.CommandOf(argv), len(argv) > 0
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
