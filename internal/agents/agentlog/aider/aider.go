// Package aider reads the chat history of Aider.
//
// Source: https://github.com/Aider-AI/aider/blob/main/aider/io.py, and histories of Aider
// 0.86.1. The options that name the file: https://aider.chat/docs/config/options.html.
package aider

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the history that Aider keeps in a project: markdown, in which a quoted line
// is a message of Aider. It has neither ids nor times of events, and rounded numbers of tokens, which are
// unknown. Each start of Aider is a session; its time is local, without a zone, and names it.
var Reader = reader{record.Rows{
	Format: "aider",
	Begins: func(first record.First) bool { return strings.HasPrefix(first.Head, begins) },
	Open:   open,
}}

type reader struct{ record.Rows }

// Sessions implements [record.Reader]. Lines of markdown may be empty.
func (r reader) Sessions(f *record.File) ([]record.Session, error) {
	sessions, err := r.Rows.Sessions(f)
	f.Log.Forget(fact.Blank)
	return sessions, err
}

const begins = "# aider chat started at "

// Messages of Aider about what it did.
const (
	applied = "> Applied edit to "
	ran     = "> Running "
	used    = "> Tokens: "
)

// runs are the commands of Aider that run one of the shell.
var runs = []string{"/run ", "/test ", "!"}

type parser struct {
	*record.Log

	prompt int  // the last line of a prompt
	events int  // of the session
	fenced bool // within a block of code of an answer
	// quoted are the messages in the block. If the answer never ends it, Aider wrote them.
	quoted []session.ToolCall
}

func open(l *record.Log) func([]byte, int) bool {
	l.Separates = true
	p := &parser{Log: l}
	begin(l)
	l.AtEnd = p.endFence
	return p.read
}

func begin(l *record.Log) { l.Agent, l.Grouping = "aider", record.ByFile }

func (p *parser) read(text []byte, line int) bool {
	switch {
	case bytes.HasPrefix(text, []byte(begins)):
		p.endFence()
		p.start(record.Valid(text[len(begins):]))
	case bytes.HasPrefix(text, []byte("#### ")):
		p.endFence()
		prompt := text[5:]
		if p.prompt != line-1 {
			if command, ok := commandIn(prompt); ok {
				p.add(session.ToolCall{Name: "shell", Kind: fact.Command, Command: p.Intern(command), Status: fact.Unknown, Place: p.Place(line)})
			} else if !isCommand(prompt) {
				p.events++
				p.AddPrompt(session.Prompt{ID: p.ID + " " + strconv.Itoa(p.events), Place: p.Place(line)})
			}
		}
		p.prompt = line
	case bytes.HasPrefix(text, []byte("```")):
		if p.fenced && len(text) > len("```") { // the answer left the last block open
			p.endFence()
		}
		p.quoted = p.quoted[:0]
		p.fenced = !p.fenced
	case bytes.HasPrefix(text, []byte(used)):
		if bytes.Contains(text, []byte(" sent, ")) {
			p.endFence()
		}
	case bytes.HasPrefix(text, []byte(applied)):
		name := p.Intern(text[len(applied):])
		p.add(session.ToolCall{Name: "edit", Kind: fact.FileEdit, Paths: []string{name}, Status: fact.OK, Place: p.Place(line)})
	case bytes.HasPrefix(text, []byte(ran)):
		p.add(session.ToolCall{Name: "shell", Kind: fact.Command, Command: p.Intern(text[len(ran):]), Status: fact.Unknown, Place: p.Place(line)})
	}
	return true
}

// start begins a session. Two that start in one second are numbered.
func (p *parser) start(at string) {
	id := at
	for n := 2; p.Holds(id); n++ {
		id = at + "#" + strconv.Itoa(n)
	}
	if p.ID == "" && p.events == 0 {
		p.Begins(id)
	} else {
		p.Log, _ = p.Switch(id)
		begin(p.Log)
	}
	p.ID, p.events, p.prompt = id, 0, 0
}

// endFence ends a block of code that an answer left open.
func (p *parser) endFence() {
	p.fenced = false
	for _, c := range p.quoted {
		p.add(c)
	}
	p.quoted = p.quoted[:0]
}

func (p *parser) add(c session.ToolCall) {
	if p.fenced {
		p.quoted = append(p.quoted, c)
		return
	}
	p.events++
	p.AppendCall(c, record.FingerprintOf("aider", p.ID, strconv.Itoa(p.events), c.Command, strings.Join(c.Paths, "\x00")))
}

// commandIn returns the command of the shell that a command to Aider runs.
func commandIn(prompt []byte) (command []byte, ok bool) {
	for _, begin := range runs {
		if command, ok = bytes.CutPrefix(prompt, []byte(begin)); ok {
			command = bytes.TrimSpace(command)
			return command, len(command) > 0
		}
	}
	return nil, false
}

// isCommand reports whether a prompt is a command to Aider itself.
func isCommand(prompt []byte) bool {
	return bytes.HasPrefix(prompt, []byte("/")) || bytes.HasPrefix(prompt, []byte("!"))
}
