// Package copilot reads the events of sessions of Copilot CLI.
//
// Source: sessions of Copilot CLI 1.0.70. No page describes their events; where they are:
// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference.
package copilot

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Reader reads the events of Copilot CLI.
var Reader = record.Rows{
	Format:    "copilot",
	Uncounted: func(kind string) bool { return types[kind] && !counted[kind] },
	Begins: func(first record.First) bool {
		return first.Has("type", "data", "id", "timestamp") && strings.Contains(first.Kind, ".") && !first.Has("payload")
	},
	Open: open,
}

// The known types of events, and those that hold something that is counted.
var (
	types = record.Words(`session.start session.resume session.error session.idle session.info session.warning session.model_change
		session.mode_changed session.plan_changed session.workspace_file_changed session.handoff session.truncation session.snapshot_rewind
		session.shutdown session.context_changed session.usage_info session.compaction_start session.compaction_complete session.task_complete
		session.title_changed session.remote_steerable_changed session.tools_updated session.background_tasks_changed session.skills_loaded
		session.custom_agents_updated session.mcp_servers_loaded session.mcp_server_status_changed session.extensions_loaded session.todos_changed
		session.permissions_changed session.import_legacy session.binary_asset user.message pending_messages.modified assistant.turn_start
		assistant.intent assistant.reasoning assistant.reasoning_delta assistant.streaming_delta assistant.message assistant.message_start
		assistant.message_delta assistant.turn_end assistant.usage assistant.idle abort tool.user_requested tool.execution_start
		tool.execution_partial_result tool.execution_progress tool.execution_complete skill.invoked subagent.started subagent.completed
		subagent.failed subagent.selected subagent.deselected hook.start hook.end hook.progress system.message system.notification
		permission.requested permission.completed user_input.requested user_input.completed elicitation.requested elicitation.completed
		sampling.requested sampling.completed mcp.oauth_required mcp.oauth_completed external_tool.requested external_tool.completed
		command.queued command.execute command.completed commands.changed auto_mode_switch.requested auto_mode_switch.completed
		exit_plan_mode.requested exit_plan_mode.completed capabilities.changed`)
	counted = record.Words("session.start session.resume session.shutdown user.message assistant.message tool.user_requested tool.execution_start tool.execution_complete session.compaction_complete abort")
)

type parser struct {
	*record.Log

	row row
	// requested are the calls that an answer asked for and that did not begin, by their ids,
	// as indexes of Calls.
	requested map[string]int
	// segment is the number of tokens recorded before the program was last started. At the
	// end it writes the sums that replace those of single answers.
	segment int
	seen    map[record.Fingerprint]bool // the events so far
}

func open(l *record.Log) func([]byte, int) bool {
	l.Separates = true
	l.Stem = path.Base(path.Dir(l.File)) // each session has a folder
	first := begin(l)
	p, others := first, map[*record.Log]*parser{l: first}
	rows := 0
	return func(text []byte, line int) bool {
		id, ok := startIn(text)
		rows++
		switch {
		case !ok || id == p.ID:
		case rows == 1:
			p.Begins(id)
		default: // the events of several sessions were put together
			l, isNew := p.Switch(id)
			if isNew {
				others[l] = begin(l)
			}
			p = others[l]
		}
		return p.read(text, line)
	}
}

// begin prepares the log of a session.
func begin(l *record.Log) *parser {
	l.Agent, l.RecordsTokens, l.TokenSums = "copilot", true, true // of a run of the agent, so that those of a phase are unknown
	l.RecordsIncidents()
	return &parser{Log: l, requested: map[string]int{}, seen: map[record.Fingerprint]bool{}}
}

// startIn returns the session that an event begins or resumes.
func startIn(text []byte) (id string, ok bool) {
	if !bytes.Contains(text, []byte(`"session.start"`)) && !bytes.Contains(text, []byte(`"session.resume"`)) {
		return "", false
	}
	r := row{Scanner: jsonscan.New(text)}
	r.Object(r.member)
	kind := string(r.kind)
	return record.Valid(r.session), r.AtEnd() && len(r.session) > 0 && (kind == "session.start" || kind == "session.resume")
}

func (p *parser) read(text []byte, line int) bool {
	r := &p.row
	*r = row{Scanner: jsonscan.New(text), requests: r.requests[:0]}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	p.ExtendSpan(r.at)
	if len(r.id) > 0 { // a program that collects logs may deliver an event again
		event := record.FingerprintOf(string(text))
		if p.seen[event] {
			return true
		}
		p.seen[event] = true
	}
	switch kind := string(r.kind); kind {
	case "session.start", "session.resume":
		p.begin()
	case "session.shutdown":
		p.shutdown(line)
	case "user.message":
		if len(r.source) == 0 || string(r.source) == "user" {
			p.AddPromptOnce(session.Prompt{ID: p.id(), At: r.at, Place: p.Place(line)})
		}
	case "assistant.message":
		p.answer(line)
	case "tool.execution_start", "tool.user_requested":
		p.start(line)
	case "tool.execution_complete":
		p.complete()
	case "session.compaction_complete":
		p.Compactions = append(p.Compactions, p.Incident(p.id(), r.at, line))
	case "abort":
		p.Interrupts = append(p.Interrupts, p.Incident(p.id(), r.at, line))
	default:
		if !types[kind] {
			p.UnknownRow(r.at, line, "events of type "+record.Quote(r.kind)+" are not known")
		}
	}
	return true
}

// id identifies the event.
func (p *parser) id() string {
	if len(p.row.id) > 0 {
		return record.Valid(p.row.id)
	}
	return p.RowID()
}

func (p *parser) begin() {
	r := &p.row
	p.segment = len(p.Tokens)
	if len(r.session) > 0 && p.ID == "" {
		p.ID = p.Intern(r.session)
	}
	if len(r.cwd) > 0 {
		p.Cwd = cmp.Or(p.Cwd, p.Intern(r.cwd))
	}
	if len(r.branch) > 0 {
		p.GitBranch = p.Intern(r.branch)
	}
}

// answer adds the calls that an answer asks for, and its output tokens, the only ones that are
// recorded.
func (p *parser) answer(line int) {
	r := &p.row
	id := p.id()
	for _, q := range r.requests {
		c := p.call(q, line)
		at := len(p.Calls)
		if p.AddCall(c, id); len(p.Calls) > at && c.ID != "" {
			p.requested[c.ID] = at
		}
	}
	if r.wrong != "" {
		p.Note(fact.WrongTokens, line, r.wrong+" is not a count", true)
	}
	p.AddTokens(session.Tokens{CallID: id, At: r.at, TokenCount: fact.TokenCount{Output: r.output}, Sidechain: r.subagent, Place: p.Place(line)})
}

func (p *parser) call(q request, line int) session.ToolCall {
	r := &p.row
	c := session.ToolCall{
		ID: record.Valid(q.id), Name: p.Intern(q.name), At: r.at, Status: fact.Running, Sidechain: r.subagent, Place: p.Place(line),
	}
	switch _, known := profile.KindOf(c.Name); {
	case q.mcp, !known && strings.Contains(c.Name, "-"): // SERVER-TOOL
		c.Kind = fact.MCP
	case c.Name == "write_bash", c.Name == "write_powershell":
		c.Kind = fact.Other
		p.Note(fact.Opaque, line, "text was written to a running command", true)
	default:
		p.ReadInput(&c, q.input, p.Cwd)
	}
	return c
}

// start adds a call that begins, or moves one that was asked for to its beginning.
func (p *parser) start(line int) {
	r := &p.row
	id := record.Valid(r.call.id)
	if at, ok := p.requested[id]; ok && p.Calls[at].Name == record.Valid(r.call.name) {
		c := &p.Calls[at]
		c.At, c.Sidechain, c.Place = r.at, r.subagent, p.Place(line)
		if r.at.IsZero() {
			p.Note(fact.NoTime, line, "a tool call without a readable time", true)
		}
		if r.call.mcp {
			c.Kind = fact.MCP
		}
		delete(p.requested, id)
		return
	}
	p.AddCall(p.call(r.call, line), p.id())
}

func (p *parser) complete() {
	r := &p.row
	id := record.Valid(r.call.id)
	delete(p.requested, id)
	call := p.LastCall(id)
	p.Results[call] = r.result()
	if p.IsStep(call) {
		p.NoteAnswer(call, jsonscan.Unescape(r.text[:min(len(r.text), record.MaxAnswer)]), r.at)
	}
}

// exitText is the end of what a command wrote.
var exitText = lazyregexp.New(`exit(?:ed with exit)? code (-?\d+)\D*$`)

// result returns how a call ended.
func (r *row) result() record.Result {
	res := record.Result{Status: fact.OK, At: r.at}
	if string(r.success) != "true" {
		res.Status = fact.Error
	}
	switch string(r.failureCode) {
	case "rejected", "denied":
		res.Status = fact.Rejected
		return res
	}
	tail := jsonscan.Unescape(r.text[max(0, len(r.text)-100):])
	if m := exitText().FindSubmatch(tail); m != nil && bytes.HasSuffix(bytes.TrimSpace(tail), []byte(">")) {
		if exit, err := strconv.Atoi(string(m[1])); err == nil {
			res.Exit = &exit
			if exit != 0 {
				res.Status = fact.Error
			}
		}
	}
	return res
}

// shutdown replaces the tokens of the answers since the program was started by its sums.
func (p *parser) shutdown(line int) {
	r := &p.row
	if !r.hasMetrics {
		return
	}
	p.DropTokens(p.segment)
	if r.wrong != "" {
		p.Note(fact.WrongTokens, line, r.wrong+" is not a count", true)
	}
	id := p.id()
	slices.SortStableFunc(r.models, func(a, b model) int { return cmp.Compare(a.name, b.name) })
	for _, m := range r.models {
		p.AddTokens(session.Tokens{CallID: id + " " + m.name, At: r.at, TokenCount: m.tokens, Model: p.Intern([]byte(m.name)), Place: p.Place(line)})
	}
	p.segment = len(p.Tokens)
}
