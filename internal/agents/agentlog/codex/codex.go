// Package codex reads the rollouts of Codex.
//
// Source: https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs, and
// rollouts of mid-2025 and of Codex CLI 0.133.0 to 0.169.0.
package codex

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// Reader reads the rollouts of Codex. A rollout wraps each row in {timestamp, type,
// payload}; those of mid-2025 hold the payloads alone, without times and tokens.
var Reader = record.Rows{
	Format: "codex",
	Begins: func(first record.First) bool {
		return first.Has("type", "payload") && rowTypes[first.Kind] ||
			first.Has("id", "timestamp", "instructions") || bareTypes[first.Kind] && !first.Has("sessionId")
	},
	Open: open,
}

// The known types of rows, and of the payloads of items and events. token_usage_record
// repeats what token_count counts.
var (
	rowTypes  = record.Words(`session_meta turn_context response_item event_msg compacted world_state token_usage_record`)
	itemTypes = record.Words(`message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call
		web_search_call image_generation_call tool_search_call tool_search_output additional_tools ghost_snapshot compaction
		compaction_summary context_compaction agent_message other`)
	eventTypes = record.Words(`error warning stream_error task_started task_complete turn_started turn_complete turn_aborted token_count
		agent_message agent_message_delta agent_message_content_delta agent_reasoning agent_reasoning_delta agent_reasoning_raw_content
		agent_reasoning_raw_content_delta agent_reasoning_section_break reasoning_content_delta reasoning_raw_content_delta user_message
		session_configured thread_name_updated thread_goal_updated thread_rolled_back thread_settings_applied mcp_startup_update
		mcp_startup_complete mcp_tool_call_begin mcp_tool_call_end web_search_begin web_search_end image_generation_begin
		image_generation_end exec_command_begin exec_command_output_delta exec_command_end terminal_interaction view_image_tool_call
		exec_approval_request apply_patch_approval_request request_permissions request_user_input elicitation_request
		dynamic_tool_call_request dynamic_tool_call_response guardian_assessment deprecation_notice background_event undo_started
		undo_completed patch_apply_begin patch_apply_updated patch_apply_end turn_diff plan_update plan_delta shutdown_complete
		entered_review_mode exited_review_mode raw_response_item item_started item_completed hook_started hook_completed
		collab_agent_spawn_begin collab_agent_spawn_end collab_agent_interaction_begin collab_agent_interaction_end
		collab_waiting_begin collab_waiting_end collab_close_begin collab_close_end collab_resume_begin collab_resume_end
		context_compacted model_reroute conversation_path`)
	bareTypes = record.Words(`function_call function_call_output local_shell_call reasoning custom_tool_call custom_tool_call_output`)
)

// burst is the longest pause between the rows that a fork copies from its parent.
const burst = time.Second

type parser struct {
	*record.Log
	*rollout

	row rolloutRow
	// rollouts are those of the file, by their logs.
	rollouts map[*record.Log]*rollout
}

// rollout holds the rows that were read of a session.
type rollout struct {
	meta int // headers seen
	rows int // other rows seen
	// scope begins the ids of what is unique only within a session. Until copied, the rows
	// may be of another session; the last of them was written at last.
	scope  string
	copied bool
	// itemized is true once the log has completed items, among which are the calls of the
	// agent's programs.
	itemized bool
	subagent bool   // the prompts are those of another agent
	model    string // of the turn
	wrote    time.Time
	// sum is the last cumulative counter, if any, and last the last one of a single call.
	sum, last usage
	uncounted
	// running are the calls of commands that outlived their answers, by the ids of their processes, and
	// polls those of the calls that ask for them.
	running map[string]record.NthCall
	polls   map[record.NthCall]record.NthCall
	// counted are the rows that are counted by their content, which a copy in the file has, too.
	counted map[record.Fingerprint]bool
}

// uncounted is the answer of the model that no counter has so far. Today's Codex writes the
// counter after an answer and the results of its calls; that of 2025 wrote it first.
type uncounted struct {
	answer      session.Tokens
	isUncounted bool
	answers     bool // there was one
	countsFirst bool
	// apart is true if a result or a prompt separates the next answer from the last counter. final is
	// true for a text without it, which belongs to that counter if the turn ends without another.
	apart, final bool
}

func open(l *record.Log) func([]byte, int) bool {
	l.Separates = true
	c := &parser{Log: l, rollouts: map[*record.Log]*rollout{}}
	c.begin()
	return c.read
}

// begin prepares the log of a session.
func (c *parser) begin() {
	of := &rollout{running: map[string]record.NthCall{}, polls: map[record.NthCall]record.NthCall{}, counted: map[record.Fingerprint]bool{}}
	l := c.Log
	l.Agent, l.RecordsTokens = "codex", true
	l.RecordsIncidents()
	l.AtEnd = func() { of.addUncounted(l) }
	c.rollout, c.rollouts[l] = of, of
}

func (c *parser) read(row []byte, line int) bool {
	r := &c.row
	*r = rolloutRow{Scanner: jsonscan.New(row)}
	enveloped := false
	r.Object(func(key []byte) {
		switch string(key) {
		case "timestamp":
			r.at = record.Instant(r.TextOrNil())
		case "type":
			r.kind = r.TextOrNil()
		case "payload":
			enveloped = true
			if r.Peek() == '{' {
				r.Object(r.member)
			}
		default:
			if !enveloped {
				r.member(key)
			}
		}
	})
	if !r.AtEnd() {
		return false
	}
	if !enveloped {
		r.payloadKind, r.kind = r.kind, []byte("response_item")
		if r.payloadKind == nil && r.id != nil {
			r.kind = []byte("session_meta")
		}
	}
	c.addRow(line)
	return true
}

func (c *parser) addRow(line int) {
	r := &c.row
	isHeader := string(r.kind) == "session_meta"
	if isHeader {
		c.header()
	} else {
		c.followThread(line)
		r.at = c.Tick(r.at, line)
		c.rows++
		if c.meta == 0 && c.rows == 1 {
			c.Note(fact.Damaged, line, "the rollout begins without its header; what came before is not known", true)
		}
	}
	c.ExtendSpan(r.at)
	if !r.at.IsZero() {
		c.copied = c.copied && r.at.Sub(c.wrote) <= burst
		c.wrote = r.at
	}
	switch string(r.kind) {
	case "session_meta":
	case "turn_context":
		if len(r.cwd) > 0 {
			c.Cwd = c.Intern(r.cwd)
		}
		if len(r.model) > 0 {
			c.model = c.Intern(r.model)
		}
	case "response_item":
		c.item(line)
	case "event_msg":
		c.event(line)
	case "token_usage_record":
		c.UsedTokens = true
	default:
		if !rowTypes[string(r.kind)] {
			c.UnknownRow(r.at, line, "rows of type "+record.Quote(r.kind)+" are not known")
		}
	}
	if c.copied {
		c.Replayed = record.Replayed{Calls: len(c.Calls), Tokens: len(c.Tokens), Prompts: len(c.Prompts), Messages: len(c.MessagePrompts)}
	}
}

// header reads a header. The first is the file's own. A fork follows it at once with a copy of another
// session, and of its header; any other begins another session of the file.
func (c *parser) header() {
	r := &c.row
	id := record.Valid(r.id)
	switch {
	case c.isRepeated():
		return
	case c.meta > 0 && id != c.ID && (c.copied || c.rows == 0) && (r.at.IsZero() || r.at.Sub(c.wrote).Abs() <= burst):
		if !slices.Contains(c.Ancestors, id) {
			c.Ancestors = append(c.Ancestors, id)
			c.copied, c.wrote = true, r.at
			c.Parent = cmp.Or(c.Parent, id)
		}
		return
	case c.Holds(id):
		c.Log, _ = c.Switch(id)
		c.rollout = c.rollouts[c.Log]
		return
	case c.meta > 0 || c.rows > 0:
		c.Log, _ = c.Switch(id)
		c.begin()
		c.isRepeated() // from now on
	default:
		c.Begins(id)
	}
	c.meta++
	c.ID, c.Cwd, c.GitBranch, c.Parent = id, record.Valid(r.cwd), record.Valid(r.branch), record.Valid(r.parent)
	c.scope = c.ID + " "
	c.subagent = r.subagent
}

// followThread switches to the log of the session that a row names. If its header is not in the file, it is
// not known how many of the rows before are of that session.
func (c *parser) followThread(line int) {
	id := record.Valid(c.row.thread)
	switch {
	case id == "" || id == c.ID || c.copied || slices.Contains(c.Ancestors, id):
		return
	case c.Holds(id):
		c.Log, _ = c.Switch(id)
		c.rollout = c.rollouts[c.Log]
		return
	case c.ID == "":
		c.Begins(id)
		c.ID, c.scope = id, id+" "
		return
	}
	c.Note(fact.Damaged, line, "rows of another session, whose header is not in the log", true)
	c.Log, _ = c.Switch(id)
	c.begin()
	c.ID, c.scope = id, id+" "
}

// isRepeated reports whether the file holds the row, which is counted by its content, already.
func (c *parser) isRepeated() bool {
	if c.row.at.IsZero() {
		return false
	}
	key := record.FingerprintOf(string(c.Row))
	repeated := c.counted[key]
	c.counted[key] = true
	return repeated
}

// answered notes an answer of the model.
func (c *parser) answered(line int) {
	if c.isRepeated() || c.copied {
		return
	}
	c.answers = true
	if !c.countsFirst || c.apart {
		c.answer, c.isUncounted = session.Tokens{At: c.row.at, Model: c.model, Place: c.Place(line)}, true
		c.final = string(c.row.payloadKind) == "message" && !c.apart && c.sum.present
	}
}

// counterIs notes a counter, which has the last answer if it grew.
func (c *parser) counterIs(larger bool) {
	c.final = false
	if larger {
		c.countsFirst = c.countsFirst || !c.answers && c.meta > 0 && !c.copied
		c.isUncounted, c.apart, c.answers = false, false, true
	}
}

// addUncounted adds the answer that no counter has. Its tokens are unknown.
func (o *rollout) addUncounted(l *record.Log) {
	t := o.answer
	switch {
	case !o.isUncounted:
	case t.At.IsZero() && len(l.Tokens) == 0: // a log without times and counters
		l.UsedTokens = true
	default:
		t.CallID = cmp.Or(l.ID, t.At.String()) + " " + l.Numbered("uncounted")
		l.AddTokens(t)
	}
	o.isUncounted = false
}

func (c *parser) event(line int) {
	r := &c.row
	switch string(r.payloadKind) {
	case "token_count":
		if !c.isRepeated() {
			c.countTokens(line)
		}
	case "task_started", "turn_started":
		if c.isRepeated() {
			return
		}
		c.addUncounted(c.Log) // the answer was interrupted
		c.apart = true
	case "task_complete", "turn_complete":
		if !c.isRepeated() {
			c.isUncounted = c.isUncounted && !c.final
		}
	case "user_message":
		c.apart = true
		if c.subagent || c.isRepeated() {
			return
		}
		c.AddPrompt(session.Prompt{ID: cmp.Or(c.number("prompt "+record.TextID(r.message)), c.RowID()), At: r.at, Place: c.Place(line)})
	case "context_compacted":
		c.Compactions = append(c.Compactions, c.incident("compaction", line)...)
	case "turn_aborted":
		if reason := string(r.reason); reason == "" || reason == "interrupted" {
			c.Interrupts = append(c.Interrupts, c.incident("interrupt", line)...)
		}
	case "item_completed":
		c.completed(line)
	case "exec_command_end":
		if exit, err := strconv.Atoi(string(r.exit)); err == nil {
			c.setResult(exited(exit, r.at))
		}
	case "patch_apply_end":
		switch string(r.success) {
		case "true":
			c.setResult(record.Result{Status: fact.OK, At: r.at})
		case "false":
			c.setResult(record.Result{Status: fact.Error, At: r.at})
		}
	default:
		if !eventTypes[string(r.payloadKind)] {
			c.UnknownRow(r.at, line, "events of type "+record.Quote(r.payloadKind)+" are not known")
		}
	}
}

// incident returns the incident of the row, unless the row is copied from another session.
func (c *parser) incident(kind string, line int) []session.Incident {
	if c.isRepeated() || c.copied {
		return nil
	}
	return []session.Incident{c.Incident(c.number(kind), c.row.at, line)}
}

// number identifies an event by its session, its content and the number of its occurrence,
// alike in all copies, which have other times. It is empty if the session is not known.
func (c *parser) number(content string) string {
	if c.ID == "" {
		return ""
	}
	return c.ID + " " + c.Numbered(content)
}

// setResult records the result of a call unless a more precise one is known.
func (c *parser) setResult(res record.Result) {
	c.setResultOf(c.LastCall(record.Valid(c.row.call)), res)
}

func (c *parser) setResultOf(id record.NthCall, res record.Result) {
	old, ok := c.Results[id]
	if res.Made == nil {
		res.Made = old.Made
	}
	if ok && old.Status != fact.Unknown && old.Status != fact.Running && (old.Exit != nil || res.Exit == nil) {
		return
	}
	c.Results[id] = res
}

func (c *parser) item(line int) {
	r := &c.row
	switch string(r.payloadKind) {
	case "message":
		// A log without events records prompts only as messages.
		if string(r.role) == "assistant" {
			c.answered(line)
		}
		if string(r.role) == "user" && !c.subagent && !c.isRepeated() && !isContext(jsonscan.Unescape(record.Head(r.words))) {
			c.MessagePrompts = append(c.MessagePrompts, session.Prompt{ID: cmp.Or(c.number("message "+record.TextID(r.words)), c.RowID()), At: r.at, Place: c.Place(line)})
		}
	case "reasoning", "web_search_call", "image_generation_call", "tool_search_call":
		c.answered(line)
	case "function_call", "custom_tool_call", "local_shell_call":
		c.answered(line)
		c.toolCall(line)
	case "function_call_output", "custom_tool_call_output":
		c.output()
		c.NoteAnswer(c.LastCall(record.Valid(r.call)), r.output, r.at)
	default:
		if !itemTypes[string(r.payloadKind)] && !r.isRecord {
			c.UnknownRow(r.at, line, "items of type "+record.Quote(r.payloadKind)+" are not known")
		}
	}
}

// output records the result of a call. A command that outlives its answer ends in that of a call which
// asks for it.
func (c *parser) output() {
	r := &c.row
	c.apart = true
	id, res := c.LastCall(record.Valid(r.call)), resultIn(r.output, r.at)
	res.Made = c.MadeBy(id, r.output)
	command, isPoll := c.polls[id]
	switch {
	case isPoll:
		if res.Exit != nil || res.Status == fact.Error {
			c.setResultOf(command, res)
		}
		res = record.Result{Status: fact.OK, At: r.at}
	case res.Status == fact.Running:
		if m := runningIn().FindSubmatch(record.Head(r.output)); m != nil {
			c.running[string(m[1])] = id
		}
	}
	c.setResultOf(id, res)
}

// contexts are the beginnings of user messages that Codex itself wrote.
var contexts = []string{"# AGENTS.md", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>", "<skill>", "<hook_prompt ", "<subagent_notification>"}

func isContext(text []byte) bool {
	text = bytes.TrimSpace(text)
	return slices.ContainsFunc(contexts, func(c string) bool { return bytes.HasPrefix(text, []byte(c)) })
}

// countTokens adds the growth of the cumulative counter. Rollouts repeat an unchanged counter,
// and it restarts when a session is resumed.
func (c *parser) countTokens(line int) {
	r := &c.row
	u, now := r.last, r.total
	if now.wrong != "" || !now.present && u.wrong != "" {
		c.Note(fact.WrongTokens, line, now.wrong+u.wrong+" is not a count", true)
		return
	}
	switch {
	case now.present && c.meta == 0 && !c.sum.present: // it has what came before the log, too
		c.sum = now
		if !u.present {
			c.answered(line)
			c.addUncounted(c.Log)
			return
		}
	case now.present:
		u = now
		if c.sum.present && now.input >= c.sum.input && now.output >= c.sum.output && now.cached >= c.sum.cached {
			u = usage{input: now.input - c.sum.input, cached: now.cached - c.sum.cached, output: now.output - c.sum.output}
		}
		c.sum = now
	case u.present && u == c.last:
		c.counterIs(false)
		return
	case u.present && c.sum.present:
		c.sum.add(u)
	}
	c.last = r.last
	c.counterIs(u.input > 0 || u.output > 0)
	if u.input == 0 && u.output == 0 {
		return
	}
	counts := &[4]int64{max(u.input-u.cached, 0), u.cached, 0, u.output}
	c.AddTokens(session.Tokens{
		CallID: c.number(fmt.Sprint("tokens", now.input, now.cached, now.output, r.last.input, r.last.cached, r.last.output)), At: r.at, Model: c.model, Place: c.Place(line),
		TokenCount: fact.TokenCount{Input: &counts[0], CacheRead: &counts[1], CacheWrite: &counts[2], Output: &counts[3]},
	})
}
