// Package aider reads the chat history of Aider.
//
// Source: https://github.com/Aider-AI/aider/blob/main/aider/io.py, and histories of Aider
// 0.86.1. The options that name the file: https://aider.chat/docs/config/options.html.
package aider

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the history that Aider keeps in a project: markdown, in which a quoted line
// is a message of Aider. It has neither ids nor times of events, only local times without a
// zone, and rounded numbers of tokens. All of that is unknown.
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

// Places returns where the logs of the repository at root are, whether they exist or not.
func Places(m record.Machine, root string) []record.Place {
	history := cmp.Or(m.Getenv("AIDER_CHAT_HISTORY_FILE"), ".aider.chat.history.md")
	if !filepath.IsAbs(history) {
		history = filepath.Join(root, history)
	}
	return []record.Place{{Path: history, Own: true}}
}

const begins = "# aider chat started at "

// Messages of Aider about what it did.
const (
	applied = "> Applied edit to "
	ran     = "> Running "
)

type parser struct {
	*record.Log

	prompt int  // the last line of a prompt
	fenced bool // within a block of code of an answer
}

func open(l *record.Log) func([]byte, int) bool {
	l.Agent, l.Grouping = "aider", record.ByFile
	p := &parser{Log: l}
	return p.read
}

func (p *parser) read(text []byte, line int) bool {
	switch {
	case bytes.HasPrefix(text, []byte(begins)):
		p.fenced = false
	case bytes.HasPrefix(text, []byte("#### ")):
		p.fenced = false
		if p.prompt != line-1 && !isCommand(text[5:]) {
			p.AddPrompt(session.Prompt{ID: p.RowID(), Place: p.Place(line)})
		}
		p.prompt = line
	case bytes.HasPrefix(text, []byte("```")):
		p.fenced = !p.fenced
	case p.fenced:
	case bytes.HasPrefix(text, []byte(applied)):
		name := p.Intern(text[len(applied):])
		p.add(session.ToolCall{Name: "edit", Kind: fact.FileEdit, Paths: []string{name}, Status: fact.OK}, line)
	case bytes.HasPrefix(text, []byte(ran)):
		p.add(session.ToolCall{Name: "shell", Kind: fact.Command, Command: p.Intern(text[len(ran):]), Status: fact.Unknown}, line)
	}
	return true
}

func (p *parser) add(c session.ToolCall, line int) {
	c.Place = p.Place(line)
	p.AddCall(c, "")
}

// isCommand reports whether a prompt is a command to Aider itself.
func isCommand(prompt []byte) bool {
	return bytes.HasPrefix(prompt, []byte("/")) || bytes.HasPrefix(prompt, []byte("!"))
}
