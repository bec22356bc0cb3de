// Package claude reads the transcripts of Claude Code.
//
// Source: transcripts of Claude Code 2.1.17 to 2.1.231. No page describes their rows;
// https://code.claude.com/docs/en/hooks describes how a hook gets the path of the transcript.
package claude

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"time"

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
	// rows are those of the file, by hashes of their ids, and session the id in the last of them.
	rows    record.Hashes
	session string
	// early are the times of rows without ids and events, by session, where no other row of the session was read.
	early map[string][]time.Time
	// stream is true for the output of Claude Code, and results counts those of each session.
	stream  bool
	results map[string]int
}

func open(l *record.Log) func([]byte, int) bool { return newParser(l).read }

func newParser(l *record.Log) *parser {
	begin(l)
	l.Separates, l.Subagent = true, strings.HasPrefix(l.Stem, "agent-")
	return &parser{Log: l, rows: record.Hashes{}, early: map[string][]time.Time{}, results: map[string]int{}}
}

// begin prepares the log of a session.
func begin(l *record.Log) {
	l.Agent = "claude"
	l.RecordsIncidents()
	l.RecordsTokens, l.Grouping = true, record.ByIDOrDirectory
}

func (c *parser) read(row []byte, line int) bool {
	r := &c.row
	*r = transcriptRow{Scanner: jsonscan.New(row), blocks: r.blocks[:0]}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	if c.stream {
		r.session, r.sidechain = r.streamed, r.ofTask
	}
	if c.findSession() {
		c.addRow(line)
	}
	return true
}

var seed = maphash.MakeSeed()

// findSession switches to the log of the row's session. A session goes on with another id if a row
// of it follows one in the file: the agent resumed it. Otherwise the file holds several sessions, as
// logs that were put together do. It returns false for a row of no known session, whose time is kept.
func (c *parser) findSession() bool {
	r := &c.row
	follows := false
	if len(r.uuid) > 0 {
		of := maphash.Bytes(seed, r.uuid)
		follows = c.rows.Has(maphash.Bytes(seed, r.after)) && !c.rows.Has(of) && len(r.forkedFrom) == 0
		c.rows.Add(of)
	}
	if len(r.session) == 0 || string(r.session) == c.session {
		return true
	}
	id := c.Intern(r.session)
	first := c.session == ""
	switch known := c.Holds(id); {
	case known:
		c.Log, _ = c.Switch(id)
	case first, follows, len(r.uuid) == 0 && (id == c.Stem || c.session == c.Stem):
		c.Begins(id) // with this id, too
		if c.ID == "" || c.ID != c.Stem {
			c.ID = id
		}
	case len(r.uuid) == 0 && string(r.kind) != "assistant" && string(r.kind) != "user":
		c.early[id] = append(c.early[id], r.at)
		return false
	default:
		c.Log, _ = c.Switch(id)
		begin(c.Log)
		c.ID, c.TokenSums = id, c.stream
	}
	c.session = id
	for _, at := range c.early[id] {
		c.ExtendSpan(at)
	}
	delete(c.early, id)
	return true
}

func (c *parser) addRow(line int) {
	r := &c.row
	if len(r.forkedFrom) > 0 { // the row is of that session
		c.BeginBy(r.at)
		c.Parent = c.Intern(r.forkedFrom)
		c.Copies++
		c.CopiedTokens = true
		c.Note(fact.Copied, line, "rows of the session that this one was forked from", false)
		return
	}
	if kind := string(r.kind); len(r.uuid) > 0 && (kind == "user" || kind == "assistant") {
		r.at = c.Tick(r.at, line)
	}
	c.ExtendSpan(r.at)
	known := rowTypes[string(r.kind)] || c.stream && streamTypes[string(r.kind)]
	if len(r.uuid) > 0 && len(c.RowIDs) == 0 {
		c.expectBefore(r.after, line)
	}
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
	if len(r.branch) > 0 && string(r.branch) != c.GitBranch {
		c.OnBranch(c.Intern(r.branch))
	}
	switch string(r.kind) {
	case "assistant":
		c.assistant(line)
	case "user":
		c.user(line)
	case "result":
		c.result(line)
	case "pr-link":
		c.LinkPullRequest(record.Valid(r.pullRequest))
	case "system":
		if string(r.subtype) == "compact_boundary" && !r.sidechain {
			c.Compactions = append(c.Compactions, c.Incident(record.Valid(r.uuid), r.at, line))
		}
	}
}

// expectBefore notes that a log begins in the middle of its session if the row that its first one
// follows is not in the file.
func (c *parser) expectBefore(row []byte, line int) {
	if len(row) == 0 {
		return
	}
	before, l := maphash.Bytes(seed, row), c.Log
	l.AtEnd = func() {
		if !c.rows.Has(before) {
			l.Note(fact.Headless, line, "the log begins in the middle of the session; what came before is not known", true)
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
	if use.unknown != "" {
		c.Note(fact.WrongTokens, line, "iterations of type "+record.Quote([]byte(use.unknown))+" are not known", true)
	}
	if !r.isMessage && !use.present {
		c.Note(fact.WrongType, line, "an answer without its message", true)
	}
	id := record.Valid(r.id)
	switch {
	case id != "":
	case len(r.request) > 0:
		id = "request " + record.Valid(r.request)
	case len(r.uuid) > 0:
		id = "row " + record.Valid(r.uuid)
	}
	// An error of the API has the form of an answer, and was not billed. What an answer
	// without usage used is unknown.
	if !r.apiError && string(r.model) != "<synthetic>" && (use.present || r.isMessage) {
		for i, count := range append([]fact.TokenCount{use.tokens}, use.asides...) {
			if c.stream {
				count.Output = nil // it is not complete yet
			}
			t := session.Tokens{CallID: id, At: r.at, TokenCount: count, Model: c.Intern(r.model), Tier: use.tier, Sidechain: r.sidechain, Place: c.Place(line)}
			if len(use.asides) == 0 {
				t.Cost = r.cost
			}
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
		result := record.ResultOf(b.isError, r.interrupted, r.at, b.text, r.outcome)
		if r.denied && b.isError {
			result.Status = fact.Rejected
		}
		if result.Status == fact.OK {
			result.Made = c.MadeBy(id, b.text)
		}
		c.Results[id] = result
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
