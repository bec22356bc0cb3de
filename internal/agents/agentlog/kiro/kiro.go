// Package kiro reads the conversations that users of Kiro's command line, and of Amazon Q Developer's before it, save in files.
//
// Source: a conversation of Amazon Q Developer CLI of 7/2025 in https://github.com/aws-iot-builder-tools/thingpress, and
// crates/chat-cli/src/cli/chat/conversation.rs of https://github.com/aws/amazon-q-developer-cli.
package kiro

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads saved conversations.
var Reader = record.Document{Rows: record.Rows{
	Format: "kiro",
	Begins: func(first record.First) bool { return first.Has("conversation_id", "history", "next_message") },
	Open: func(l *record.Log) func([]byte, int) bool {
		l.Agent, l.UsedTokens = "kiro", true // none are stated
		return func(text []byte, _ int) bool {
			p := parser{Log: l, Scanner: jsonscan.New(text), kinds: map[record.NthCall]fact.Kind{}}
			p.Object(p.member)
			if !p.AtEnd() {
				return false
			}
			p.finish()
			return true
		}
	},
}}

// parser reads a conversation.
type parser struct {
	*record.Log
	jsonscan.Scanner

	turns             []turn
	uses, transcribed int // answers with calls, in the turns and in the transcript
	listed            bool
	summarized        bool
	lastPrompt        string
	kinds             map[record.NthCall]fact.Kind // of calls
}

// turn holds a prompt, or the results of tools, and the model's answer.
type turn struct {
	jsonscan.Scanner

	text                  []byte
	kinds                 []string // of the members that are read
	cwd, prompt, id       []byte
	asked, began, ended   time.Time
	calls                 []call
	results               []result
	isPrompt, isCancelled bool
	isUse                 bool
}

type call struct{ id, name, original, arguments []byte }

type result struct {
	id, status, text []byte
	exit             []byte // as written
	hasExit          bool
}

func (p *parser) member(key []byte) {
	switch string(key) {
	case "conversation_id":
		p.ID = cmp.Or(record.Valid(p.TextOrNull()), p.ID)
	case "history":
		if p.listed = p.Peek() == '['; !p.listed {
			return
		}
		p.Array(func() { p.turns = append(p.turns, readTurn(p.Skip())) })
	case "transcript":
		if p.Peek() == '[' {
			p.Array(func() {
				if bytes.Contains(p.TextOrNull(), []byte("[Tool uses: ")) {
					p.transcribed++
				}
			})
		}
	case "latest_summary":
		p.summarized = p.Peek() != 'n'
	}
}

// readTurn reads a pair of what was said and the answer, or an object with both.
func readTurn(text []byte) turn {
	t := turn{Scanner: jsonscan.New(text), text: text}
	if t.Peek() == '[' {
		n := 0
		t.Array(func() {
			if n++; n == 1 {
				t.user()
			} else if n == 2 {
				t.assistant()
			}
		})
		t.Mistyped = t.Mistyped || n != 2
		return t
	}
	parts := 0
	t.Object(func(key []byte) {
		switch string(key) {
		case "user":
			parts++
			t.user()
		case "assistant":
			parts++
			t.assistant()
		case "request_metadata":
			t.Members(func(key string) {
				switch key {
				case "request_start_timestamp_ms":
					t.began = record.Milliseconds(t.Skip())
				case "stream_end_timestamp_ms":
					t.ended = record.Milliseconds(t.Skip())
				}
			})
		}
	})
	t.Mistyped = t.Mistyped || parts != 2
	return t
}

func (t *turn) object(member func(key string)) {
	t.Mistyped = t.Mistyped || t.Peek() != '{'
	t.Members(member)
}

func (t *turn) user() {
	t.object(func(key string) {
		switch key {
		case "timestamp":
			t.asked = record.Instant(t.TextOrNull())
		case "env_context":
			t.Members(func(key string) {
				if key == "env_state" {
					t.Members(func(key string) {
						if key == "current_working_directory" {
							t.cwd = t.TextOrNull()
						}
					})
				}
			})
		case "content":
			t.object(func(kind string) {
				t.kinds = append(t.kinds, kind)
				t.isPrompt, t.isCancelled = kind == "Prompt", kind == "CancelledToolUses"
				t.object(func(key string) {
					switch key {
					case "prompt":
						t.prompt = t.TextOrNull()
					case "tool_use_results":
						t.list(t.result)
					}
				})
			})
		}
	})
}

// list reads a list of objects.
func (t *turn) list(element func()) {
	if t.Peek() != '[' {
		t.Mistyped = true
		return
	}
	t.Array(element)
}

func (t *turn) result() {
	var r result
	t.object(func(key string) {
		switch key {
		case "tool_use_id":
			r.id = t.TextOrNull()
		case "status":
			r.status = t.TextOrNull()
		case "content":
			t.list(func() {
				t.Members(func(key string) {
					switch key {
					case "Text":
						r.text = append(r.text, t.TextOrNull()...)
					case "Json":
						t.Members(func(key string) {
							switch key {
							case "exit_status":
								r.hasExit = true
								r.exit = bytes.Trim(t.Skip(), `"`)
							case "stdout":
								r.text = append(r.text, t.TextOrNull()...)
							}
						})
					}
				})
			})
		}
	})
	t.results = append(t.results, r)
}

func (t *turn) assistant() {
	t.object(func(kind string) {
		t.isUse = kind == "ToolUse"
		if !t.isUse && kind != "Response" {
			t.kinds = append(t.kinds, kind)
		}
		t.object(func(key string) {
			switch key {
			case "message_id":
				t.id = t.TextOrNull()
			case "tool_uses":
				t.list(t.call)
			}
		})
	})
}

func (t *turn) call() {
	var c call
	t.object(func(key string) {
		switch key {
		case "id":
			c.id = t.TextOrNull()
		case "name":
			c.name = t.TextOrNull()
		case "orig_name":
			c.original = t.TextOrNull()
		case "args":
			c.arguments = t.Skip()
		}
	})
	t.calls = append(t.calls, c)
}

var kinds = record.Words("Prompt ToolUseResults CancelledToolUses")

// finish adds what the turns hold.
func (p *parser) finish() {
	for i := range p.turns {
		t, line := &p.turns[i], i+1
		if t.Mistyped || !t.AtEnd() {
			p.Note(fact.WrongType, line, "a value of a turn has another type", true)
		}
		for _, kind := range t.kinds {
			if !kinds[kind] {
				p.UnknownRow(t.asked, line, "turns of type "+record.Quote([]byte(kind))+" are not known")
			}
		}
		p.Cwd = cmp.Or(p.Cwd, record.Valid(t.cwd))
		p.Row = t.text
		for _, at := range []time.Time{t.asked, t.began, t.ended} {
			p.ExtendSpan(at)
		}
		p.prompt(t, line)
		for _, r := range t.results {
			p.result(t, &r, line)
		}
		if t.isUse {
			p.uses++
		}
		for _, c := range t.calls {
			p.call(t, &c, line)
		}
	}
	if p.Mistyped || !p.listed {
		p.Note(fact.WrongType, 1, "a value of the conversation has another type", true)
	}
	if p.summarized || p.transcribed > p.uses {
		p.Note(fact.Elided, 1, "turns that are gone from the conversation, which keeps the last ones or a summary", true)
	}
}

// prompt adds what the user wrote. A turn in which calls were cancelled may repeat the prompt before.
func (p *parser) prompt(t *turn, line int) {
	text := record.Valid(t.prompt)
	if t.isPrompt || t.isCancelled && text != "" && text != p.lastPrompt {
		p.AddPromptOnce(session.Prompt{ID: record.TextID(t.text), At: t.asked, Place: p.Place(line)})
		p.lastPrompt = text
	}
}

func (p *parser) call(t *turn, of *call, line int) {
	c := session.ToolCall{ID: record.Valid(of.id), Name: p.Intern(of.name), At: t.ended, Status: fact.Running, Place: p.Place(line)}
	kind, known := profile.KindOf(c.Name)
	switch {
	case !known && (strings.Contains(c.Name, "___") || bytes.ContainsAny(of.original, "@/")): // of a server
		c.Kind = fact.MCP
	case kind == fact.Read:
		p.Classify(&c)
		c.Paths = p.files(of.arguments)
	default:
		p.ReadInput(&c, of.arguments, p.Cwd)
	}
	p.AddCall(c, cmp.Or(record.Valid(t.id), record.TextID(t.text)))
	p.kinds[p.LastCall(c.ID)] = c.Kind
}

// files returns the files that a call reads: one, or one for each of its operations.
func (p *parser) files(arguments []byte) (names []string) {
	s := jsonscan.New(arguments)
	add := func(key string) {
		if key == "path" {
			names = append(names, record.Absolute(p.Cwd, record.Valid(s.TextOrNil())))
		}
	}
	s.Members(func(key string) {
		if key == "operations" && s.Peek() == '[' {
			s.Array(func() { s.Members(add) })
			return
		}
		add(key)
	})
	return names
}

// result adds how a call ended. A command that ended with another status than 0 is a success of the tool.
func (p *parser) result(t *turn, of *result, line int) {
	id := record.Valid(of.id)
	if !p.HasCall(id) {
		if line > 1 { // the first turn may follow one that is gone
			p.Note(fact.UnknownType, line, "results of calls that the conversation does not have", true)
		}
		return
	}
	nth := p.LastCall(id)
	r := record.Result{Status: fact.Unknown, At: t.began}
	switch string(of.status) {
	case "Success":
		if r.Status = fact.OK; of.hasExit {
			r.Status = fact.Unknown
			if n, err := strconv.Atoi(string(of.exit)); err == nil {
				if p.kinds[nth] == fact.Command {
					r.Exit = &n
				}
				if r.Status = fact.OK; n != 0 {
					r.Status = fact.Error
				}
			}
		} else if p.kinds[nth] == fact.Command {
			r.Status = fact.Unknown
		}
	case "Error":
		if r.Status = fact.Error; t.isCancelled {
			r.Status = fact.Rejected
		}
	default:
		p.Note(fact.UnknownType, line, "results with the status "+record.Quote(of.status)+" are not known", true)
	}
	r.Made = p.MadeBy(nth, of.text)
	p.Results[nth] = r
	if p.IsStep(nth) {
		p.NoteAnswer(nth, of.text[:min(len(of.text), record.MaxAnswer)], t.began)
	}
}
