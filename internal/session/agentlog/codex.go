package agentlog

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
	"github.com/rulecheck/rulecheck/internal/session"
)

// codexReader reads the rollouts of Codex. A rollout wraps each row in {timestamp, type,
// payload}; those of mid-2025 hold the payloads alone, without times and tokens.
var codexReader = reader{
	name: "codex", reportsTokens: true,
	folder: func(getenv func(string) string, _ string) string {
		return filepath.Join(cmp.Or(getenv("CODEX_HOME"), filepath.Join(getenv("HOME"), ".codex")), "sessions")
	},
	claims: func(first firstRow) bool {
		return first.has("type", "payload") && codexTypes[first.kind] ||
			first.has("id", "timestamp", "instructions") || bareCodexTypes[first.kind] && !first.has("sessionId")
	},
	open: openCodex,
}

// The known types of rows, and of the payloads of items and events. token_usage_record
// repeats what token_count counts.
var (
	codexTypes = set(`session_meta turn_context response_item event_msg compacted world_state token_usage_record`)
	codexItems = set(`message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call
		web_search_call image_generation_call tool_search_call tool_search_output additional_tools ghost_snapshot compaction
		compaction_summary context_compaction agent_message other`)
	codexEvents = set(`error warning stream_error task_started task_complete turn_started turn_complete turn_aborted token_count
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
	bareCodexTypes = set(`function_call function_call_output local_shell_call reasoning custom_tool_call custom_tool_call_output`)
)

// burst is the longest pause between the rows that a fork copies from its parent.
const burst = time.Second

type codexParser struct {
	*part

	row  codexRow
	meta int // headers seen
	// scope begins the ids of what is unique only within a session. Until copied, the rows
	// may be of another session; the last of them was written at last.
	scope  string
	copied bool
	// itemized is true once the log has completed items, among which are the calls of the
	// agent's programs.
	itemized bool
	wrote    time.Time
	// sum is the last cumulative counter, if any, and last the last one of a single call.
	sum, last codexUsage
}

func openCodex(p *part, _ Options) func([]byte, int) bool {
	p.Agent = "codex"
	c := &codexParser{part: p}
	return c.read
}

func (c *codexParser) read(row []byte, line int) bool {
	r := &c.row
	*r = codexRow{Scanner: jsonscan.New(row)}
	enveloped := false
	r.Object(func(key []byte) {
		switch string(key) {
		case "timestamp":
			r.at = instant(r.TextOrNil())
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

func (c *codexParser) addRow(line int) {
	r := &c.row
	c.extendSpan(r.at)
	if !r.at.IsZero() {
		c.copied = c.copied && r.at.Sub(c.wrote) <= burst
		c.wrote = r.at
	}
	switch string(r.kind) {
	case "session_meta":
		c.header()
	case "turn_context":
		if len(r.cwd) > 0 {
			c.Cwd = c.intern(r.cwd)
		}
	case "response_item":
		c.item(line)
	case "event_msg":
		c.event(line)
	default:
		if !codexTypes[string(r.kind)] {
			c.unknownRow(r.at, line, "rows of type "+quote(r.kind)+" are not known")
		}
	}
	if c.copied {
		c.replayed = replayed{len(c.Calls), len(c.Tokens), len(c.Prompts), len(c.messagePrompts)}
	}
}

// header reads a header. The first is the file's own; a second one begins the copy of
// another session.
func (c *codexParser) header() {
	r := &c.row
	c.meta++
	if c.meta > 1 {
		if id := valid(r.id); id != c.ID && !slices.Contains(c.ancestors, id) {
			c.ancestors = append(c.ancestors, id)
			c.copied = true
			c.Parent = cmp.Or(c.Parent, id)
		}
		return
	}
	c.ID, c.Cwd, c.GitBranch, c.Parent = valid(r.id), valid(r.cwd), valid(r.branch), valid(r.parent)
	c.scope = c.ID + " "
}

func (c *codexParser) event(line int) {
	r := &c.row
	switch string(r.payloadKind) {
	case "token_count":
		c.countTokens(line)
	case "user_message":
		c.addPrompt(session.Prompt{ID: c.number("prompt " + textID(r.message)), At: r.at, Place: c.place(line)})
	case "item_completed":
		c.completed(line)
	case "exec_command_end":
		if exit, err := strconv.Atoi(string(r.exit)); err == nil {
			c.setResult(exited(exit, r.at))
		}
	case "patch_apply_end":
		switch string(r.success) {
		case "true":
			c.setResult(result{status: session.OK, at: r.at})
		case "false":
			c.setResult(result{status: session.Error, at: r.at})
		}
	default:
		if !codexEvents[string(r.payloadKind)] {
			c.unknownRow(r.at, line, "events of type "+quote(r.payloadKind)+" are not known")
		}
	}
}

// number identifies an event by its session, its content and the number of its occurrence,
// alike in all copies, which have other times. It is empty if the session is not known.
func (c *codexParser) number(content string) string {
	if c.ID == "" {
		return ""
	}
	return c.ID + " " + c.numbered(content)
}

// setResult records the result of a call unless a more precise one is known.
func (c *codexParser) setResult(res result) {
	id := c.lastCall(valid(c.row.call))
	if old, ok := c.results[id]; ok && old.status != session.Unknown && old.status != session.Running && (old.exit != nil || res.exit == nil) {
		return
	}
	c.results[id] = res
}

func (c *codexParser) item(line int) {
	r := &c.row
	switch string(r.payloadKind) {
	case "message":
		// A log without events records prompts only as messages.
		if string(r.role) == "user" && !isContext(jsonscan.Unescape(head(r.words))) {
			c.messagePrompts = append(c.messagePrompts, session.Prompt{ID: c.number("message " + textID(r.words)), At: r.at, Place: c.place(line)})
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		c.toolCall(line)
	case "function_call_output", "custom_tool_call_output":
		c.setResult(codexResult(r.output, r.at))
		c.noteAnswer(c.lastCall(valid(r.call)), r.output, r.at)
	default:
		if !codexItems[string(r.payloadKind)] && !r.isRecord {
			c.unknownRow(r.at, line, "items of type "+quote(r.payloadKind)+" are not known")
		}
	}
}

// contexts are the beginnings of user messages that Codex itself wrote.
var contexts = []string{"# AGENTS.md", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>", "<skill>"}

func isContext(text []byte) bool {
	text = bytes.TrimSpace(text)
	return slices.ContainsFunc(contexts, func(c string) bool { return bytes.HasPrefix(text, []byte(c)) })
}

// countTokens adds the growth of the cumulative counter. Rollouts repeat an unchanged counter,
// and it restarts when a session is resumed.
func (c *codexParser) countTokens(line int) {
	r := &c.row
	u, now := r.last, r.total
	if now.wrong != "" || !now.present && u.wrong != "" {
		c.note(session.WrongTokens, line, now.wrong+u.wrong+" is not a count", true)
		return
	}
	switch {
	case now.present:
		u = now
		if c.sum.present && now.input >= c.sum.input && now.output >= c.sum.output && now.cached >= c.sum.cached {
			u = codexUsage{input: now.input - c.sum.input, cached: now.cached - c.sum.cached, output: now.output - c.sum.output}
		}
		c.sum = now
	case u.present && u == c.last:
		return
	case u.present && c.sum.present:
		c.sum.add(u)
	}
	c.last = r.last
	if u.input == 0 && u.output == 0 {
		return
	}
	counts := &[4]int64{max(u.input-u.cached, 0), u.cached, 0, u.output}
	c.addTokens(session.Tokens{
		CallID: c.number(fmt.Sprint("tokens", now.input, now.cached, now.output, r.last.input, r.last.cached, r.last.output)), At: r.at, Place: c.place(line),
		TokenCount: session.TokenCount{Input: &counts[0], CacheRead: &counts[1], CacheWrite: &counts[2], Output: &counts[3]},
	})
}
