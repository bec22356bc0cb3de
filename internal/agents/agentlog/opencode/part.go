package opencode

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/money"
)

// part is a part of a message: a text, the call of a tool, the end of a call of the model.
type part struct {
	jsonscan.Scanner

	kind, tool, call, status, failure, answer []byte
	input, exit                               []byte // as written
	start, end                                time.Time
	synthetic                                 bool
	used                                      usage
}

func (r *part) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind = r.TextOrNil()
	case "tool":
		r.tool = r.TextOrNil()
	case "callID":
		r.call = r.TextOrNil()
	case "synthetic":
		r.synthetic = r.Bool()
	case "cost":
		r.used.cost = money.StatedUSD(r.Skip())
	case "tokens":
		if r.Peek() == '{' {
			r.used.read(&r.Scanner)
		}
	case "state":
		if r.Peek() == '{' {
			r.Object(r.state)
		}
	}
}

func (r *part) state(key []byte) {
	switch string(key) {
	case "status":
		r.status = r.TextOrNil()
	case "input":
		r.input = r.Skip()
	case "output":
		if r.Peek() == '"' {
			r.answer = r.Raw()
		}
	case "error":
		r.failure = r.TextOrNil()
	case "metadata":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				if string(key) == "exit" {
					r.exit = r.Skip()
				}
			})
		}
	case "time":
		if r.Peek() == '{' {
			r.Object(func(key []byte) {
				switch string(key) {
				case "start":
					r.start = record.Milliseconds(r.Skip())
				case "end":
					r.end = record.Milliseconds(r.Skip())
				}
			})
		}
	}
}

func (p *parser) addPart(id, message string, data []byte, line int) {
	r := part{Scanner: jsonscan.New(data)}
	r.Object(r.member)
	if !r.AtEnd() {
		p.Note(fact.Damaged, line, notJSON, true)
		return
	}
	p.ExtendSpan(r.start)
	p.ExtendSpan(r.end)
	m := p.messages[message]
	if m == nil && !harmless[string(r.kind)] {
		p.Note(fact.Damaged, line, "parts of messages that are missing", true)
	}
	if m != nil {
		m.parts++
	}
	switch kind := string(r.kind); {
	case kind == "tool":
		p.addCall(&r, message, m, line)
	case kind == "step-finish" && m != nil:
		if !m.hasStep(id) {
			m.steps = append(m.steps, step{id, r.used, p.Place(line)})
		}
	case kind == "compaction" && m != nil && !p.child:
		p.Compactions = append(p.Compactions, p.Incident(id, m.created, line))
	case kind == "text" && m != nil:
		m.texts++
		if !r.synthetic {
			m.written++
		}
	case kind != "step-finish" && kind != "text" && !harmless[kind]:
		p.UnknownRow(r.start, line, "parts of type "+record.Quote(r.kind)+" are not known")
	}
}

func (p *parser) addCall(r *part, message string, m *message, line int) {
	call := session.ToolCall{
		ID: record.Valid(r.call), Name: p.Intern(r.tool), At: r.start, Sidechain: p.child, Place: p.Place(line),
	}
	cwd := p.Cwd
	if m != nil {
		if call.At.IsZero() { // it was not yet started
			call.At = m.created
		}
		if m.cwd != "" {
			cwd = m.cwd
		}
	}
	inBackground := call.Name == "background_process" // of Kilo; without a command, it asks about one
	switch _, known := profile.KindOf(call.Name); {
	case !known && strings.Contains(call.Name, "_"):
		call.Kind = fact.MCP // SERVER_TOOL
	case inBackground && !record.ReadObject(r.input).Has("command"):
		call.Kind = fact.Other
	default:
		p.ReadInput(&call, r.input, cwd)
	}
	call.Status, call.ExitCode = r.outcome(call.Kind)
	if inBackground && call.Kind == fact.Command && call.Status == fact.OK {
		call.Status = fact.Unknown // it goes on
	}
	if call.Status == "" {
		p.Note(fact.WrongType, line, "calls with the status "+record.Quote(r.status)+", which is not known", true)
		call.Status = fact.Unknown
	}
	call.End = r.end
	p.AddCall(call, message)
	if id := p.LastCall(call.ID); call.ID != "" && call.Status == fact.OK && p.IsStep(id) {
		p.Results[id] = record.Result{Status: call.Status, Exit: call.ExitCode, At: r.end}
		p.NoteAnswer(id, jsonscan.Unescape(r.answer[:min(len(r.answer), record.MaxAnswer)]), r.end)
	}
}

// aborted is the error of a call that was stopped, which may have had an effect.
const aborted = "Tool execution aborted"

// refusals are the beginnings of the errors of calls that were not permitted.
var refusals = []string{"The user rejected permission", "The user has specified a rule which prevents"}

// outcome returns how a call ended; the status is empty if it is not known. A command whose
// program fails is completed, with its exit status, so that a command in error was not run:
// a plugin or a rule refused it, or its input is invalid.
func (r *part) outcome(kind fact.Kind) (fact.Status, *int) {
	switch string(r.status) {
	case "pending", "running":
		return fact.Running, nil
	case "completed":
		if exit, err := strconv.Atoi(string(r.exit)); err == nil && kind == fact.Command {
			if exit != 0 {
				return fact.Error, &exit
			}
			return fact.OK, &exit
		}
		if kind == fact.Command && string(r.exit) == "null" { // it was stopped
			return fact.Error, nil
		}
		return fact.OK, nil
	case "error":
		switch {
		case bytes.HasPrefix(r.failure, []byte(aborted)):
			return fact.Unknown, nil
		case kind == fact.Command:
			return fact.Rejected, nil
		}
		for _, refusal := range refusals {
			if bytes.HasPrefix(r.failure, []byte(refusal)) {
				return fact.Rejected, nil
			}
		}
		return fact.Error, nil
	}
	return "", nil
}
