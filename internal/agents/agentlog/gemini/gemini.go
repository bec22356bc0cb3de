// Package gemini reads the chats of Gemini CLI: the lines that it appends, and the
// documents that older versions wrote.
//
// Source: https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts.
// Where they are: https://geminicli.com/docs/cli/session-management. Read in 11/2026, with
// Gemini CLI 0.61.0.
package gemini

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the chats of Gemini CLI.
var Reader = reader{record.Rows{
	Format:    "gemini",
	Uncounted: func(kind string) bool { return messageTypes[kind] && kind != "user" && kind != "gemini" },
	Begins: func(first record.First) bool {
		return first.Has("sessionId", "projectHash") || first.Has("$set") || first.Has("$rewindTo") ||
			first.Kind == "gemini" && first.Has("id", "timestamp", "content")
	},
	Open: open,
}}

type reader struct{ record.Rows }

// Claims implements [record.Reader]: a document is a chat as one row.
func (r reader) Claims(first record.First) bool { return r.Begins(first) }

var messageTypes = record.Words("user gemini info error warning")

type parser struct {
	*record.Log

	row      row
	hash     string // of the project's directory
	subagent bool
}

func open(l *record.Log) func([]byte, int) bool {
	l.Separates = true
	p := &parser{}
	p.begin(l)
	return p.read
}

// begin prepares the log of a session.
func (p *parser) begin(l *record.Log) {
	l.Agent, l.RecordsTokens = "gemini", true
	p.Log, p.hash, p.subagent = l, "", false
}

func (p *parser) read(text []byte, line int) bool {
	r := &p.row
	*r = row{Scanner: jsonscan.New(text)}
	r.read()
	if !r.AtEnd() {
		return false
	}
	isHeader := len(r.session) > 0 && len(r.project) > 0
	if isHeader {
		p.findSession()
		p.header()
	}
	p.ExtendSpan(r.started)
	p.ExtendSpan(r.updated)
	if p.ID == "" {
		p.Note(fact.Damaged, line, "rows before the header of the session", true)
	}
	for _, dir := range r.directories {
		p.workIn(dir)
	}
	for i := range r.messages {
		p.message(&r.messages[i], line)
	}
	switch {
	case len(r.id) > 0 && len(r.message.kind) > 0:
		p.message(&r.message, line)
	case !isHeader && !r.isSet && !r.isRewind: // a rewind changes the conversation, not what was done
		p.UnknownRow(r.at, line, "a row that is no message and no change of the header")
	}
	return true
}

// findSession switches to the log of the header's session, which follows that of another one.
func (p *parser) findSession() {
	id := record.Valid(p.row.session)
	switch {
	case p.ID == "" || string(p.row.kind) == "subagent":
		p.Begins(id)
	case !p.Holds(id):
		l, _ := p.Switch(id)
		p.begin(l)
	default:
		p.Log, _ = p.Switch(id)
	}
}

// header reads whose chat it is. The chats of subagents are in a folder with the name of
// their session.
func (p *parser) header() {
	r := &p.row
	p.hash = record.Valid(r.project)
	if p.ID != "" {
		return
	}
	p.ID = p.Intern(r.session)
	if string(r.kind) == "subagent" {
		p.subagent = true
		if parent := path.Base(path.Dir(filepath.ToSlash(p.File))); parent != "chats" && parent != "." && parent != "/" {
			p.ID = parent
		}
	}
}

// workIn sets the directory of the session if dir is the project. A log holds only its
// hash.
func (p *parser) workIn(dir []byte) {
	if p.Cwd != "" || p.hash == "" {
		return
	}
	if sum := sha256.Sum256(dir); hex.EncodeToString(sum[:]) == p.hash {
		p.Cwd = p.Intern(dir)
	}
}

// message adds a message. A message that grows is in the log several times.
func (p *parser) message(m *message, line int) {
	p.ExtendSpan(m.at)
	switch kind := string(m.kind); {
	case len(m.id) == 0 || !messageTypes[kind]:
		p.UnknownRow(m.at, line, "messages of type "+record.Quote(m.kind)+" are not known")
	case kind == "user":
		p.prompt(m, line)
	case kind == "gemini":
		p.answer(m, line)
	}
}

// synthetic are the beginnings of texts that Gemini CLI adds to a conversation.
var synthetic = []string{"<session_context>", "<hook_context>", "<state_snapshot>", "System: Please continue."}

func (p *parser) prompt(m *message, line int) {
	written := false
	for _, text := range m.texts {
		text = bytes.TrimSpace(text)
		added := len(text) == 0
		for _, begin := range synthetic {
			added = added || bytes.HasPrefix(text, []byte(begin))
		}
		if bytes.HasPrefix(text, []byte(synthetic[0])) {
			for dir := range bytes.Lines(text) {
				if dir, ok := bytes.CutPrefix(dir, []byte("  - ")); ok {
					p.workIn(bytes.TrimRight(dir, "\r\n"))
				}
			}
		}
		written = written || !added
	}
	if written && !p.subagent {
		p.AddPromptOnce(session.Prompt{ID: record.Valid(m.id), At: m.at, Place: p.Place(line)})
	}
}

func (p *parser) answer(m *message, line int) {
	id := record.Valid(m.id)
	if m.tokens.wrong != "" {
		p.Note(fact.WrongTokens, line, m.tokens.wrong+" is not a count", true)
	}
	t := session.Tokens{CallID: id, At: m.at, Model: p.Intern(m.model), Sidechain: p.subagent, Place: p.Place(line)}
	switch {
	case m.stated:
		t.TokenCount = m.tokens.neutral()
		p.AddTokens(t)
	default: // another row of the answer may state its tokens
		p.AddTokens(t)
	}
	for i := range m.calls {
		p.call(m, &m.calls[i], id, i, line)
	}
}

func (p *parser) call(m *message, c *call, message string, n, line int) {
	call := session.ToolCall{
		ID: record.Valid(c.id), Name: p.Intern(c.name), At: c.at, Status: fact.Running, Sidechain: p.subagent, Place: p.Place(line),
	}
	if call.ID == "" {
		call.ID = message + "/" + strconv.Itoa(n)
	}
	if call.At.IsZero() {
		call.At = m.at
	}
	p.ExtendSpan(call.At)
	if _, known := profile.KindOf(call.Name); !known && strings.HasSuffix(string(c.display), " MCP Server)") {
		call.Kind = fact.MCP
	} else {
		p.ReadInput(&call, c.args, p.Cwd)
	}
	p.AddCall(call, message)
	nth := p.LastCall(call.ID)
	switch res := c.result(); {
	case res.Status != fact.Running:
		p.Results[nth] = res
	case !runs[string(c.status)]:
		p.Note(fact.WrongType, line, "the status "+record.Quote(c.status)+" of a call is not known", true)
	}
	if p.IsStep(nth) {
		p.NoteAnswer(nth, jsonscan.Unescape(c.text[:min(len(c.text), record.MaxAnswer)]), call.At)
	}
}
