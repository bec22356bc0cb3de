// Package hooks reads the journals of agents' hooks.
//
// Source: docs/agents.md describes the journal that rulecheck writes, and the profile of
// each agent names the page of its payloads.
package hooks

import (
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

// Reader reads journals of agents' hooks, which have a row for each event. The
// canonical form names the event event_type; the payloads of agents, to which a time was
// added, hook_event_name.
var Reader = record.Rows{
	Format: "hooks",
	Begins: func(first record.First) bool {
		return first.Has("received_at", "payload") || first.Has("event_type", "session_id") || first.Has("event_type", "timestamp") || first.Has("hook_event_name")
	},
	Open: open,
}

type eventRow struct {
	jsonscan.Scanner

	event, session, tool, input, cwd, adapter, id, failure []byte
	decision, rule, status, exit                           []byte // of rulecheck, in its journal
	promised                                               []string
	inner                                                  []byte // a payload within the row
	legacy, interrupted, failed, subagent                  bool
	alone                                                  bool // the journal is that of one session
	mcp                                                    bool // the tool is of an MCP server, whatever its name
	observed                                               bool // the agent did not get the decision
	agentName                                              string
	at                                                     time.Time
}

type parser struct {
	*record.Log

	row    eventRow
	logged []loggedCall     // by their indexes
	last   map[string]int   // the last call with an id, by session and id
	open   map[string][]int // the calls with events to come, by what they do
	// delivered is the last event without the id of a call, and deliveredAt its time.
	delivered   record.Fingerprint
	deliveredAt time.Time
}

// journals reads a file, whose rows may be of several sessions.
type journals struct {
	first    *record.Log
	sessions map[string]*parser
	current  *parser
}

func open(l *record.Log) func([]byte, int) bool {
	l.Separates = l.Stem != stateJournal
	return (&journals{first: l, sessions: map[string]*parser{}, current: newParser(l)}).read
}

// stateJournal is the name of the journal of a state directory, without extension. It is of one session,
// however many conversations that had.
const stateJournal = "hooks"

func newParser(l *record.Log) *parser {
	l.Grouping = record.ByDirectory
	return &parser{Log: l, last: map[string]int{}, open: map[string][]int{}}
}

func (j *journals) read(row []byte, line int) bool {
	r := eventRow{Scanner: jsonscan.New(row)}
	r.Object(r.member)
	if !r.AtEnd() {
		return false
	}
	j.find(&r)
	j.current.row = r
	j.current.addRow(line)
	return true
}

// find switches to the log of the session that a row names, if the file may hold several.
func (j *journals) find(r *eventRow) {
	j.first.Separates = j.first.Separates || r.alone
	if len(r.session) == 0 {
		return
	}
	id := j.current.Intern(r.session)
	if j.current.ID == "" {
		j.current.Begins(id)
		j.sessions[id] = j.current
	}
	if !j.first.Separates {
		return
	}
	l, isNew := j.current.Switch(id)
	if isNew {
		j.sessions[id] = newParser(l)
		l.Alone, j.first.Alone = true, true
	}
	j.current = j.sessions[id]
}

func (r *eventRow) member(key []byte) {
	switch string(key) {
	case "event_type":
		r.event, _ = r.Text()
	case "hook_event_name":
		name, _ := r.Text()
		if r.event == nil {
			r.event, r.legacy = name, true
		}
	case "payload":
		if r.Peek() == '{' && r.inner == nil {
			r.wrapped(r.Skip())
		}
	case "received_at":
		r.at = record.Instant(r.TextOrNil())
	case "timestamp":
		text, _ := r.Text()
		r.at = record.Instant(text)
	case "session_id":
		r.session, _ = r.Text()
	case "conversation_id":
		r.agentName = "cursor"
		if id := r.TextOrNil(); r.session == nil {
			r.session = id
		}
	case "turn_id":
		r.agentName = "codex"
	case "tool_name":
		r.tool, _ = r.Text()
	case "tool_input":
		r.input = r.Skip()
	case "tool_response":
		if r.Peek() == '{' {
			r.Object(r.response)
		}
	case "cwd":
		r.cwd, _ = r.Text()
	case "adapter":
		r.adapter, _ = r.Text()
	case "tool_use_id":
		r.id, _ = r.Text()
	case "error":
		r.failure = r.Skip()
	case "status": // of rulecheck's journal
		r.status = r.TextOrNil()
	case "exit_code":
		r.exit = r.Skip()
	case "mcp_server", "mcp_context":
		value := string(r.Skip())
		r.mcp = value != "null" && value != `""`
	case "decision":
		r.decision = r.TextOrNil()
	case "rule":
		r.rule = r.TextOrNil()
	case "promised":
		r.Array(func() { r.promised = append(r.promised, record.Valid(r.TextOrNil())) })
	case "observed":
		r.observed = r.Bool()
	case "is_interrupt":
		r.interrupted = r.Bool() || r.interrupted
	case "calls": // only rulecheck's journal counts them
		r.Skip()
		r.alone = r.inner == nil
	case "agent_id":
		r.subagent = string(r.Skip()) != "null"
	}
}

// wrapped reads a payload that was received at the time next to it.
func (r *eventRow) wrapped(payload []byte) {
	outer := r.Scanner
	r.Scanner, r.inner = jsonscan.New(payload), payload
	r.Object(r.member)
	r.Scanner = outer
}

// payload returns what the agent passed to its hook.
func (h *parser) payload() []byte {
	if h.row.inner != nil {
		return h.row.inner
	}
	return h.Row
}

func (r *eventRow) response(key []byte) {
	switch string(key) {
	case "interrupted":
		r.interrupted = r.Bool()
	case "error":
		r.failed = string(r.Skip()) != "null"
	}
}

func (h *parser) addRow(line int) {
	r := &h.row
	h.ExtendSpan(r.at)
	h.Alone = h.Alone || r.alone
	if len(r.session) > 0 {
		id := h.Intern(r.session)
		h.IDs[id] = true
		if h.ID == "" {
			h.ID = id
		}
	}
	if len(r.cwd) > 0 && h.Cwd == "" {
		h.Cwd = h.Intern(r.cwd)
	}
	e, known := hookEvents()[profile.PlainName(string(r.event))]
	switch adapter := string(r.adapter); {
	case adapter == "claude_code" || adapter == "legacy":
		h.Agent = "claude"
	case adapter != "":
		h.Agent = h.Intern(r.adapter)
	case r.legacy && known && h.Agent == "":
		h.Agent = cmp.Or(e.agent, r.agentName, "claude")
	}
	switch {
	case len(r.event) == 0:
		h.UnknownRow(r.at, line, "rows without the name of an event")
	case !known:
		h.UnknownRow(r.at, line, "events named "+record.Quote(r.event)+" are not known")
	case e.does == prompted:
		h.JournalsPrompts = true
		h.AddPrompt(session.Prompt{ID: h.RowID(), At: r.at, Place: h.Place(line)})
	case e.does != nothing && !h.isRepeated(e):
		h.tool(e, line)
	}
	if h.row.alone {
		h.decide(e, line)
	}
}

// decisionKinds are those of the decisions in rulecheck's journal.
var decisionKinds = map[string]fact.DecisionKind{"deny": fact.Denied, "ask": fact.Asked, "block": fact.Refused}

// decide adds what rulecheck decided on an event, other than to allow it.
func (h *parser) decide(e hookEvent, line int) {
	r := &h.row
	d := session.Decision{At: r.at, Rule: record.Valid(r.rule), Tool: record.Valid(r.tool), Observed: r.observed, Place: h.Place(line)}
	if kind, ok := decisionKinds[string(r.decision)]; ok {
		if d.ID, d.Kind = h.RowID(), kind; e.does == began && len(r.input) > 0 {
			d.Target = targetOf(r.input)
		}
		h.Decisions = append(h.Decisions, d)
	}
	for _, rule := range r.promised {
		d.ID, d.Kind, d.Rule, d.Target = h.RowID(), fact.Promised, rule, ""
		h.Decisions = append(h.Decisions, d)
	}
}

// isRepeated reports whether the row is a second delivery of an event without the id of a call: it
// has the payload of the last such event, and came soon after it. Between two equal calls are other
// events.
func (h *parser) isRepeated(e hookEvent) bool {
	if e.source == toolEvents || len(h.row.id) > 0 || h.row.at.IsZero() {
		return false
	}
	last, lastAt := h.delivered, h.deliveredAt
	h.delivered, h.deliveredAt = record.FingerprintOf(string(h.payload())), h.row.at
	return h.delivered == last && !h.row.at.After(lastAt.Add(twice))
}

// targetOf returns the command or the files of a call, as rulecheck's journal has them.
func targetOf(input []byte) string {
	command, paths := "", []string{}
	s := jsonscan.New(input)
	s.Object(func(key []byte) {
		switch string(key) {
		case "command":
			command = record.Valid(s.TextOrNil())
		case "paths":
			s.Array(func() { paths = append(paths, record.Valid(s.TextOrNil())) })
		default:
			s.Skip()
		}
	})
	return cmp.Or(command, strings.Join(paths, " "))
}

// tool adds or completes the call that a row is about.
func (h *parser) tool(e hookEvent, line int) {
	r := &h.row
	name, input := r.tool, r.input
	switch e.source {
	case shellEvents:
		name, input = []byte("Shell"), h.payload()
	case fileEvents:
		name, input = []byte("Edit"), h.payload()
	case toolEvents:
	}
	if len(name) == 0 {
		h.Note(fact.WrongType, line, "an event of a tool without the name of the tool", true)
		return
	}
	c := session.ToolCall{
		ID: record.Valid(r.id), Name: h.Intern(name), At: r.at, Status: fact.Running, Sidechain: r.subagent, Place: h.Place(line),
	}
	if e.does == began && string(r.decision) == "deny" && !r.observed {
		c.Status, c.End = fact.Rejected, r.at
	}
	if e.does != began {
		failure := r.failure
		if len(failure) > 1 && failure[0] == '"' {
			failure = failure[1 : len(failure)-1]
		}
		res := record.ResultOf(e.does == failed || e.agent == "gemini" && r.failed, r.interrupted, r.at, failure)
		if string(r.status) == string(fact.Unknown) {
			res.Status = fact.Unknown
		}
		if exit, err := strconv.Atoi(string(r.exit)); err == nil {
			res.Exit = &exit
		}
		c.Status, c.ExitCode, c.End = res.Status, res.Exit, res.At
	}
	cwd := h.Cwd
	if len(r.cwd) > 0 {
		cwd = h.Intern(r.cwd)
	}
	if r.mcp {
		c.Kind = fact.MCP
	} else {
		h.ReadInput(&c, input, cwd)
	}
	h.record(c, e)
}
