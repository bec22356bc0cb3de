package clinetasks

import (
	"bytes"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// message is one of the conversation with the model.
type message struct {
	jsonscan.Scanner

	row        []byte
	role, kind []byte
	at         time.Time
	blocks     []record.Block
	// made is true for a text that the agent wrote, not the user; a summary replaces other messages, unless it has an id.
	made, isSummary, hasID bool
}

// converse reads the messages, and returns how they were read.
func (p *parser) converse(text []byte) jsonscan.Scanner {
	s := jsonscan.New(text)
	s.Array(func() {
		m := message{row: s.Skip()}
		m.Scanner = jsonscan.New(m.row)
		m.Object(m.member)
		p.messages = append(p.messages, m)
		switch {
		case m.Mistyped || !m.AtEnd():
			p.Note(fact.WrongType, len(p.messages), "a value of a message has another type", true)
		case string(m.role) != "user" && string(m.role) != "assistant" && string(m.kind) != "reasoning":
			p.UnknownRow(m.at, len(p.messages), "messages with the role "+record.Quote(m.role)+" are not known")
		}
		for _, b := range m.blocks {
			if !blockKinds[string(b.Kind)] {
				p.UnknownRow(m.at, len(p.messages), "parts of messages of type "+record.Quote(b.Kind)+" are not known")
			}
		}
	})
	return s
}

var blockKinds = record.Words("text image image_url document file tool_use tool_result thinking redacted_thinking reasoning thoughtSignature")

func (m *message) member(key []byte) {
	switch string(key) {
	case "role":
		m.role = m.TextOrNull()
	case "type":
		m.kind = m.TextOrNull()
	case "ts":
		value := m.Skip()
		m.at = record.Milliseconds(value)
		m.Mistyped = m.Mistyped || m.at.IsZero() && string(value) != "null"
	case "isSummary", "isTruncationMarker":
		if m.BoolOrNull() {
			m.made = true
			m.isSummary = m.isSummary || string(key) == "isSummary"
		}
	case "condenseId":
		m.hasID = len(m.TextOrNull()) > 0
	case "content":
		blocks, ok := record.Blocks(&m.Scanner)
		m.blocks, m.Mistyped = append(m.blocks, blocks...), m.Mistyped || !ok && m.Peek() != 'n'
	}
}

// texts returns the texts of a value: a text, or those of a list of parts.
func texts(value []byte) (text []byte) {
	s := jsonscan.New(value)
	if s.Peek() == '"' {
		return s.TextOrNil()
	}
	if s.Peek() == '[' {
		s.Array(func() {
			s.Members(func(key string) {
				if key == "text" {
					text = append(append(text, s.TextOrNil()...), '\n')
				}
			})
		})
	}
	return text
}

// environmentBegins begins the part in which an agent describes where it runs.
var environmentBegins = []byte("<environment_details>")

var (
	directoryLine = lazyregexp.New(`(?m)^# Current (?:Working|Workspace) Directory \((.+)\) Files$`)
	modelLine     = lazyregexp.New(`(?m)^# Current Mode\n<slug>[^\n]*\n<name>[^\n]*\n<model>([^<\n]+)</model>$`)
)

// environment returns the directory and the model that a message states; empty: it states none.
func (m *message) environment() (dir, model []byte) {
	for _, b := range m.blocks {
		if string(b.Kind) != "text" || !bytes.HasPrefix(b.Text, environmentBegins) {
			continue
		}
		if found := directoryLine().FindSubmatch(b.Text); found != nil {
			dir = found[1]
		}
		if found := modelLine().FindSubmatch(b.Text); found != nil {
			model = found[1]
		}
	}
	return dir, model
}
