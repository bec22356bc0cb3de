// Package claude reads the transcripts of Claude Code.
//
// Source: transcripts of Claude Code 2.1.17 to 2.1.231. No page describes their rows;
// https://code.claude.com/docs/en/hooks describes how a hook gets the path of the transcript.
package claude

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the transcripts of Claude Code.
var Reader = record.Rows{
	Format: "claude",
	Uncounted: func(kind string) bool {
		return kind != "assistant" && kind != "user" && rowTypes[kind]
	},
	Begins: func(first record.First) bool {
		switch first.Kind {
		case "":
			return false
		case "assistant", "user":
			if first.Has("message") || first.Has("usage") {
				return true
			}
		case "summary":
			return first.Has("leafUuid")
		case "file-history-snapshot":
			return true
		}
		return first.Has("sessionId") || first.Has("parentUuid")
	},
	Open: open,
}

// Places returns where the logs of the repository at root are, whether they exist or not.
func Places(m record.Machine, root string) []record.Place {
	return []record.Place{{Path: filepath.Join(m.Dir("CLAUDE_CONFIG_DIR", ".claude"), "projects", ProjectFolder(root)), Below: true}}
}

// rowTypes are the known types of rows. Only "assistant" and "user" hold events.
var rowTypes = record.Words(`assistant user system summary attachment progress queue-operation file-history-snapshot
	permission-mode last-prompt pr-link custom-title ai-title agent-name agent-color agent-setting
	tag mode worktree-state content-replacement saved_hook_context task-summary attribution-snapshot speculation-accept
	bridge-session marble-origami-commit marble-origami-snapshot`)

// blockTypes are the known types of the blocks of an answer. Only "tool_use" is a call.
var blockTypes = record.Words(`text thinking redacted_thinking tool_use tool_result image document server_tool_use web_search_tool_result
	web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result
	mcp_tool_use mcp_tool_result tool_search_tool_result advisor_tool_result container_upload search_result tool_reference
	compaction fallback connector_text`)

type parser struct {
	*record.Log

	row transcriptRow
}

func open(l *record.Log) func([]byte, int) bool {
	l.Agent = "claude"
	l.RecordsIncidents()
	l.RecordsTokens, l.Grouping, l.Subagent = true, record.ByIDOrDirectory, strings.HasPrefix(l.Stem, "agent-")
	c := &parser{Log: l}
	return c.read
}

func (c *parser) read(row []byte, line int) bool {
	r := &c.row
	*r = transcriptRow{Scanner: jsonscan.New(row), blocks: r.blocks[:0]}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	c.addRow(line)
	return true
}

func (c *parser) addRow(line int) {
	r := &c.row
	if len(r.session) > 0 && (c.ID == "" || c.ID != c.Stem) {
		c.ID = c.Intern(r.session)
	}
	if len(r.forkedFrom) > 0 { // the row is of that session
		c.BeginBy(r.at)
		c.Parent = c.Intern(r.forkedFrom)
		c.Copies++
		c.CopiedTokens = true
		c.Note(fact.Copied, line, "rows of the session that this one was forked from", false)
		return
	}
	c.ExtendSpan(r.at)
	known := rowTypes[string(r.kind)]
	if len(r.uuid) > 0 && (!known || len(c.RowIDs) == 0) {
		c.RowIDs = append(c.RowIDs, record.FingerprintOf("row", record.Valid(r.uuid)))
	}
	if !known {
		c.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
		return
	}
	if len(r.cwd) > 0 && c.Cwd == "" {
		c.Cwd = c.Intern(r.cwd)
	}
	if len(r.branch) > 0 {
		c.GitBranch = c.Intern(r.branch)
	}
	switch string(r.kind) {
	case "assistant":
		c.assistant(line)
	case "user":
		c.user(line)
	case "system":
		if string(r.subtype) == "compact_boundary" && !r.sidechain {
			c.Compactions = append(c.Compactions, c.Incident(record.Valid(r.uuid), r.at, line))
		}
	}
}

func (c *parser) assistant(line int) {
	r := &c.row
	use := r.usage
	if r.old.present {
		use = r.old
	}
	if use.wrong != "" {
		c.Note(fact.WrongTokens, line, use.wrong+" is not a count", true)
	}
	if !r.isMessage && !use.present {
		c.Note(fact.WrongType, line, "an answer without its message", true)
	}
	id := record.Valid(r.id)
	if id == "" && len(r.request) > 0 {
		id = "request " + record.Valid(r.request)
	}
	// An error of the API has the form of an answer, and was not billed. What an answer
	// without usage used is unknown.
	if !r.apiError && string(r.model) != "<synthetic>" && (use.present || r.isMessage) {
		for i, count := range append([]fact.TokenCount{use.tokens}, use.asides...) {
			t := session.Tokens{CallID: id, At: r.at, TokenCount: count, Model: c.Intern(r.model), Sidechain: r.sidechain, Place: c.Place(line)}
			if i > 0 && id != "" {
				t.CallID += " aside " + strconv.Itoa(i)
			}
			c.AddTokens(t)
		}
	}
	if id == "" {
		id = r.at.String()
	}
	for _, b := range r.blocks {
		if !blockTypes[string(b.kind)] {
			c.Note(fact.Opaque, line, "blocks of type "+record.Quote(b.kind)+" are not known", true)
		}
		if string(b.kind) != "tool_use" {
			continue
		}
		call := session.ToolCall{
			ID: record.Valid(b.id), Name: c.Intern(b.name), At: r.at, Status: fact.Running, Sidechain: r.sidechain, Place: c.Place(line),
		}
		cwd := c.Cwd
		if len(r.cwd) > 0 {
			cwd = c.Intern(r.cwd)
		}
		c.ReadInput(&call, b.input, cwd)
		c.AddCall(call, id)
		c.AddMove(&call, record.CallKey(&call, id), b.input)
	}
}

func (c *parser) user(line int) {
	r := &c.row
	answered := false
	for _, b := range r.blocks {
		if string(b.kind) != "tool_result" {
			continue
		}
		answered = true
		id := c.LastCall(record.Valid(b.answers))
		c.Results[id] = record.ResultOf(b.isError, r.interrupted, r.at, b.text, r.outcome)
		if c.IsStep(id) {
			c.NoteAnswer(id, jsonscan.Unescape(b.text[:min(len(b.text), record.MaxAnswer)]), r.at)
		}
	}
	text := r.content
	if text == nil && len(r.blocks) > 0 {
		text = r.blocks[0].text
	}
	if !answered && !r.sidechain && bytes.HasPrefix(text, []byte("[Request interrupted")) {
		c.Interrupts = append(c.Interrupts, c.Incident(record.Valid(r.uuid), r.at, line))
	}
	if answered || r.hidden || r.sidechain || isNotPrompt(text) || text == nil && len(r.blocks) == 0 {
		return
	}
	id := record.Valid(r.uuid)
	if id == "" {
		id = c.RowID()
	}
	c.AddPromptOnce(session.Prompt{ID: id, At: r.at, Place: c.Place(line)})
}

// notPrompts are the beginnings of user rows that no person typed as a prompt.
var notPrompts = []string{
	"[Request interrupted", "<command-name>", "<command-message>", "<command-args>", "<local-command-", "<bash-input>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "<system-reminder>",
}

func isNotPrompt(text []byte) bool {
	text = bytes.TrimSpace(text)
	return slices.ContainsFunc(notPrompts, func(n string) bool { return bytes.HasPrefix(text, []byte(n)) })
}

// ProjectFolder returns the name of the folder in which Claude Code keeps the transcripts
// of a directory. Several directories may share one folder; the cwd of each transcript
// distinguishes them.
func ProjectFolder(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}
