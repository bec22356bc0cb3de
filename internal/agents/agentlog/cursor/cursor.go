// Package cursor reads the transcripts of Cursor's agent.
//
// Source: transcripts, read in 2026. No page describes their rows;
// https://cursor.com/docs/hooks describes how a hook gets the path of the transcript.
package cursor

import (
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads transcripts of Cursor. They have the calls of tools, but no times, results or
// tokens; the journals of its hooks have times.
var Reader = record.Rows{
	Format: "cursor",
	Begins: func(first record.First) bool { return first.Kind == "" && first.Has("role", "message") },
	Open:   open,
}

type parser struct{ *record.Log }

func open(l *record.Log) func([]byte, int) bool {
	l.Agent, l.ID = "cursor", l.Stem
	return parser{l}.read
}

func (p parser) read(text []byte, line int) bool {
	s := jsonscan.New(text)
	var role []byte
	var calls []session.ToolCall
	var inputs [][]byte
	known := false
	s.Object(func(key []byte) {
		switch string(key) {
		case "role":
			role = s.TextOrNil()
		case "message":
			if s.Peek() == '{' {
				s.Object(func(key []byte) {
					if string(key) == "content" {
						known = s.Peek() == '[' || s.Peek() == '"'
						if s.Peek() == '[' {
							s.Array(func() { p.block(&s, line, &calls, &inputs) })
						}
					}
				})
			}
		}
	})
	if !s.AtEnd() {
		return false
	}
	switch {
	case string(role) == "user" && known:
		p.AddPrompt(session.Prompt{ID: p.RowID(), Place: p.Place(line)})
	case string(role) != "assistant" || !known:
		p.Note(fact.UnknownType, line, "rows of the role "+record.Quote(role)+" that are not known", true)
	}
	for i, c := range calls {
		p.ReadInput(&c, inputs[i], p.Cwd)
		p.AddCall(c, p.ID)
	}
	return true
}

// block reads a part of a message.
func (p parser) block(s *jsonscan.Scanner, line int, calls *[]session.ToolCall, inputs *[][]byte) {
	if s.Peek() != '{' {
		return
	}
	c := session.ToolCall{Status: fact.Unknown, Place: p.Place(line)}
	var kind, input []byte
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			kind = s.TextOrNil()
		case "id":
			c.ID = record.Valid(s.TextOrNil())
		case "name":
			c.Name = p.Intern(s.TextOrNil())
		case "input":
			input = s.Skip()
		}
	})
	switch string(kind) {
	case "tool_use":
		*calls, *inputs = append(*calls, c), append(*inputs, input)
	case "text", "thinking", "redacted_thinking", "reasoning", "image", "tool_result":
	default:
		p.Note(fact.Opaque, line, "blocks of type "+record.Quote(kind)+" are not known", true)
	}
}
