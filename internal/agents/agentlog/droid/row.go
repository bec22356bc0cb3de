package droid

import (
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// row is a line of a session.
type row struct {
	jsonscan.Scanner

	kind, id, cwd, parent, fork       []byte
	role, visibility, model, hookCall []byte // of a message
	at                                time.Time
	blocks                            []block
	isRefused                         bool // by a hook
}

// block is a part of a message.
type block struct {
	kind, id, name, text []byte
	input                []byte // as written
	isError              bool
}

func (r *row) member(key []byte) {
	switch string(key) {
	case "type":
		r.kind = r.TextOrNull()
	case "id":
		r.id = r.TextOrNull()
	case "cwd":
		r.cwd = r.TextOrNull()
	case "parent":
		r.parent = r.TextOrNull()
	case "forkedAtMessageId":
		r.fork = r.TextOrNull()
	case "timestamp":
		r.at = record.Instant(r.TextOrNull())
	case "message":
		r.Mistyped = r.Mistyped || r.Peek() != '{'
		r.Members(r.message)
	}
}

func (r *row) message(key string) {
	switch key {
	case "role":
		r.role = r.TextOrNull()
	case "visibility":
		r.visibility = r.TextOrNull()
	case "modelId":
		r.model = r.TextOrNull()
	case "hookToolCallId":
		r.hookCall = r.TextOrNull()
	case "hookResults":
		if r.Peek() == '[' {
			r.Array(func() {
				r.Members(func(key string) {
					if key == "exitCode" {
						exit := r.IntOrNull()
						r.isRefused = r.isRefused || exit != nil && *exit == 2
					}
				})
			})
		}
	case "content":
		switch r.Peek() {
		case '"':
			r.blocks = []block{{kind: []byte("text"), text: r.TextOrNil()}}
		case '[':
			r.Array(r.block)
		default:
			r.Mistyped = r.Mistyped || string(r.Skip()) != "null"
		}
	}
}

func (r *row) block() {
	b := block{}
	r.Mistyped = r.Mistyped || r.Peek() != '{'
	r.Members(func(key string) {
		switch key {
		case "type":
			b.kind = r.TextOrNull()
		case "id", "tool_use_id":
			b.id = r.TextOrNull()
		case "name":
			b.name = r.TextOrNull()
		case "text":
			b.text = r.TextOrNull()
		case "content":
			switch r.Peek() {
			case '"':
				b.text = r.TextOrNil()
			case '[':
				b.text = jsonscan.Unescape(r.FirstText())
			default:
				r.Mistyped = r.Mistyped || string(r.Skip()) != "null"
			}
		case "input":
			b.input = r.Skip()
		case "is_error":
			b.isError = r.BoolOrNull()
		}
	})
	r.blocks = append(r.blocks, b)
}
