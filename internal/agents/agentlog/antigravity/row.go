package antigravity

import (
	"bytes"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// row is a step.
type row struct {
	kind, status, content []byte
	step                  int64
	hasStep               bool
	exit                  *int
	at                    time.Time
	calls                 []call
}

type call struct{ name, arguments []byte }

// readRow reads a step; ok is false if the row is not JSON.
func readRow(text []byte) (r row, ok bool) {
	s := jsonscan.New(text)
	s.Object(func(key []byte) {
		switch string(key) {
		case "step_index":
			r.step, r.hasStep, _ = jsonscan.Count(s.Skip())
		case "type":
			r.kind = s.TextOrNil()
		case "status":
			r.status = s.TextOrNil()
		case "created_at":
			r.at = record.Instant(s.TextOrNil())
		case "content":
			r.content = s.Skip()
		case "exit_code":
			if exit, err := strconv.Atoi(string(s.Skip())); err == nil {
				r.exit = &exit
			}
		case "tool_calls":
			if s.Peek() == '[' {
				s.Array(func() { r.calls = append(r.calls, readCall(&s)) })
			}
		}
	})
	return r, s.AtEnd()
}

func readCall(s *jsonscan.Scanner) (c call) {
	if s.Peek() != '{' {
		s.Skip()
		return c
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "name":
			c.name = s.TextOrNil()
		case "args":
			c.arguments = s.Skip()
		}
	})
	return c
}

// readArguments completes a call by the arguments of its tool. In transcript.jsonl each argument is
// a JSON text.
func (p parser) readArguments(c *session.ToolCall, arguments []byte) {
	p.Classify(c)
	var command, file, written []byte
	s := jsonscan.New(arguments)
	if s.Peek() == '{' {
		s.Object(func(key []byte) {
			switch string(key) {
			case "CommandLine":
				command = plain(s.TextOrNil())
			case "TargetFile", "AbsolutePath":
				file = plain(s.TextOrNil())
			case "Input":
				written = plain(s.TextOrNil())
			case "Cwd":
				if cwd := plain(s.TextOrNil()); p.Cwd == "" {
					p.Cwd = record.Valid(cwd)
				}
			}
		})
	}
	switch {
	case (c.Name == "send_command_input" || c.Name == "manage_task") && len(written) > 0:
		p.Note(fact.Opaque, c.Line, "text was written to a running command", true)
	case c.Kind == fact.Command && len(command) > 0:
		c.Command = p.Intern(command)
	case (c.Kind == fact.FileEdit || c.Kind == fact.Read) && len(file) > 0:
		c.Paths = []string{record.Absolute(p.Cwd, p.Intern(file))}
	case c.Kind == fact.Command || c.Kind == fact.FileEdit || c.Kind == fact.Read:
		p.Note(fact.WrongType, c.Line, "a call of "+c.Name+" without its command or file", c.Kind != fact.Read)
	}
}

// plain returns the text in an argument that is a JSON text, and any other unchanged.
func plain(argument []byte) []byte {
	s := jsonscan.New(argument)
	if s.Peek() != '"' {
		return argument
	}
	if text, ok := s.Text(); ok && s.AtEnd() {
		return text
	}
	return argument
}

// outcome is how a step ended.
type outcome struct {
	of     fact.Kind // of its calls; empty if it is not known
	status string
	exit   *int
	at     time.Time
}

// exitLine is how the result of a command states its exit status, before the command's output.
var exitLine = lazyregexp.New(`The command (?:completed (successfully)|exited with code (-?\d{1,10})|failed with exit code:? (-?\d{1,10}))`)

func outcomeOf(r *row) outcome {
	o := outcome{status: string(r.status), exit: r.exit, at: r.at}
	switch string(r.kind) {
	case "RUN_COMMAND":
		o.of = fact.Command
	case "CODE_ACTION":
		o.of = fact.FileEdit
	}
	head, _, _ := bytes.Cut(record.Head(r.content), []byte("Output:"))
	if m := exitLine().FindSubmatch(head); m != nil && o.exit == nil {
		exit := 0
		if m[1] == nil {
			exit, _ = strconv.Atoi(string(m[2]) + string(m[3])) // at most ten digits
		}
		o.exit = &exit
	}
	return o
}

// statusOf returns the outcome of a call. A command has run if it runs in the background, or ended
// without a recorded exit status.
func (o outcome) statusOf(kind fact.Kind) fact.Status {
	isCommand := kind == fact.Command
	switch {
	case o.status == "ERROR", o.exit != nil && *o.exit != 0:
		return fact.Error
	case o.status == "DONE" && (!isCommand || o.exit != nil):
		return fact.OK
	case isCommand && (o.status == "DONE" || o.status == "RUNNING"):
		return fact.Unknown
	default:
		return fact.Running
	}
}
