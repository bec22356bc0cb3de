// Package droid reads the sessions of Factory's Droid.
//
// Source: sessions of Droid 0.215.0; no page describes them.
package droid

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
)

// Reader reads the sessions of Droid. Their tokens are in the settings next to them, as sums without times or models, and
// are unknown.
var Reader = record.Rows{
	Format: "droid",
	Begins: func(first record.First) bool { return first.Kind == "session_start" && first.Has("id", "title") },
	Open: func(l *record.Log) func([]byte, int) bool {
		l.Agent, l.UsedTokens = "droid", true
		p := &parser{Log: l, refused: map[string]bool{}, kinds: map[record.NthCall]fact.Kind{}}
		return p.read
	},
	Uncounted: func(kind string) bool { return quiet[kind] },
}

// quiet are the types of rows that hold nothing that is counted.
var quiet = record.Words("agent_turn_outcome agent_turn_completed compaction_state session_closed session_inactivity todo_state")

type parser struct {
	*record.Log

	fork    string          // the last message that the session has from another
	refused map[string]bool // the ids of calls that a hook refused
	kinds   map[record.NthCall]fact.Kind
}

func (p *parser) read(text []byte, line int) bool {
	r := row{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	if r.Mistyped {
		p.Note(fact.WrongType, line, "a value of a row has another type", true)
	}
	p.ExtendSpan(r.at)
	switch kind := string(r.kind); {
	case kind == "session_start":
		p.ID, p.Parent, p.fork = record.Valid(r.id), record.Valid(r.parent), record.Valid(r.fork)
		if p.Cwd == "" {
			p.Cwd = p.Intern(r.cwd)
		}
	case kind == "message":
		p.message(&r, line)
	case !quiet[kind]:
		p.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
	}
	return true
}

func (p *parser) message(r *row, line int) {
	id := record.Valid(r.id)
	if id == "" {
		id = p.RowID()
	}
	isUser := string(r.role) == "user"
	if !isUser && string(r.role) != "assistant" {
		p.UnknownRow(r.at, line, "messages with the role "+record.Quote(r.role)+" are not known")
		return
	}
	if r.isRefused {
		p.refused[record.Valid(r.hookCall)] = true
	}
	asks := false
	for i := range r.blocks {
		switch b := &r.blocks[i]; string(b.kind) {
		case "text":
			asks = asks || !bytes.HasPrefix(b.text, []byte("<system-reminder>"))
		case "image", "document":
			asks = true
		case "tool_use":
			p.call(b, r.at, id, line)
		case "tool_result":
			p.result(b, r.at, line)
		case "thinking", "redacted_thinking", "reasoning":
		default:
			p.UnknownRow(r.at, line, "parts of messages of type "+record.Quote(b.kind)+" are not known")
		}
	}
	switch {
	case isUser && asks && len(r.visibility) == 0:
		p.AddPromptOnce(session.Prompt{ID: id, At: r.at, Place: p.Place(line)})
	case !isUser && len(r.model) > 0: // otherwise Droid wrote it
		p.AddTokens(session.Tokens{CallID: id, At: r.at, Model: p.Intern(r.model), Place: p.Place(line)})
	}
	if p.fork != "" && id == p.fork {
		p.Replayed = record.Replayed{Calls: len(p.Calls), Tokens: len(p.Tokens), Prompts: len(p.Prompts)}
	}
}

func (p *parser) call(b *block, at time.Time, message string, line int) {
	c := session.ToolCall{ID: record.Valid(b.id), Name: p.Intern(b.name), At: at, Status: fact.Running, Place: p.Place(line)}
	if _, known := profile.KindOf(c.Name); !known && strings.Contains(c.Name, "___") {
		c.Kind = fact.MCP // SERVER___TOOL
	} else {
		p.ReadInput(&c, b.input, p.Cwd)
	}
	p.AddCall(c, message)
	p.kinds[p.LastCall(c.ID)] = c.Kind
}

func (p *parser) result(b *block, at time.Time, line int) {
	id := record.Valid(b.id)
	if !p.HasCall(id) {
		p.Note(fact.UnknownType, line, "results of calls that the log does not have", true)
		return
	}
	nth := p.LastCall(id)
	r := record.Result{At: at, Made: p.MadeBy(nth, b.text)}
	if r.Status, r.Exit = outcome(p.kinds[nth], b); b.isError && p.refused[id] {
		r.Status = fact.Rejected
	}
	p.Results[nth] = r
	if r.Status == fact.OK && p.IsStep(nth) {
		p.NoteAnswer(nth, b.text[:min(len(b.text), record.MaxAnswer)], at)
	}
}

// The beginnings of the results of calls that were refused, and of those that were stopped.
var (
	refusals = []string{"Exec ended early: ", "Tool execution denied", "Tool execution blocked by hook"}
	stopped  = []string{"Tool execution cancelled", "Command cancelled by user", "Request cancelled by user", "Tool execution was interrupted", "Tool execution timed out"}
)

// outcome returns how a call ended. The text of a command ends with its exit status, unless it was not run, goes on or was stopped.
func outcome(kind fact.Kind, b *block) (fact.Status, *int) {
	text := bytes.TrimPrefix(b.text, []byte("Error: "))
	begins := func(texts ...string) bool {
		for _, of := range texts {
			if bytes.HasPrefix(text, []byte(of)) {
				return true
			}
		}
		return false
	}
	switch {
	case b.isError && (begins(refusals...) || record.IsRejection(text)):
		return fact.Rejected, nil
	case b.isError && begins(stopped...):
		return fact.Unknown, nil // it may have had an effect
	case b.isError && kind != fact.Command:
		return fact.Error, nil
	case kind != fact.Command:
		return fact.OK, nil
	case begins("Command timed out after "):
		return fact.Error, nil
	}
	if digits, ok := bytes.CutSuffix(text[bytes.LastIndexByte(text, '\n')+1:], []byte("]")); ok {
		if digits, ok = bytes.CutPrefix(digits, []byte("[Process exited with code ")); ok {
			if exit, err := strconv.Atoi(string(digits)); err == nil && exit != 0 {
				return fact.Error, &exit
			} else if err == nil {
				return fact.OK, &exit
			}
		}
	}
	if b.isError {
		return fact.Error, nil
	}
	return fact.Unknown, nil // in the background
}
