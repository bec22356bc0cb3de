package agentlog

import (
	"bytes"
	"cmp"
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
		return first.has("type", "payload") && slices.Contains(codexTypes, first.kind) ||
			first.has("id", "timestamp", "instructions") || slices.Contains(bareCodexTypes, first.kind) && !first.has("sessionId")
	},
	open: openCodex,
}

var (
	codexTypes     = []string{"session_meta", "turn_context", "response_item", "event_msg", "compacted"}
	bareCodexTypes = []string{
		"function_call", "function_call_output", "local_shell_call", "reasoning", "custom_tool_call", "custom_tool_call_output",
	}
)

// replayTime is the longest time between the header of a fork and the last row that it
// copies from its parent.
const replayTime = time.Second

type codexParser struct {
	*part

	row  codexRow
	meta int // headers seen
	from time.Time
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
	case "compacted":
	default:
		c.note(session.UnknownType, line, "rows of type "+quote(r.kind)+" are not known", false)
	}
}

// header reads a header. The first is the file's own; a second one begins the copy of
// another session.
func (c *codexParser) header() {
	r := &c.row
	c.meta++
	if c.meta > 1 {
		if string(r.id) != c.ID {
			c.copied = true
			if c.Parent == "" {
				c.Parent = valid(r.id)
			}
		}
		return
	}
	c.from = r.at
	c.ID, c.Cwd, c.GitBranch, c.Parent = valid(r.id), valid(r.cwd), valid(r.branch), valid(r.parent)
	c.scope = c.ID + " "
}

// isReplay reports whether the row is a copy from another session.
func (c *codexParser) isReplay() bool {
	return c.copied && !c.row.at.IsZero() && c.row.at.Sub(c.from) <= replayTime
}

func (c *codexParser) event(line int) {
	r := &c.row
	switch string(r.payloadKind) {
	case "token_count":
		c.countTokens(line)
	case "user_message":
		if !c.isReplay() {
			c.Prompts = append(c.Prompts, session.Prompt{ID: c.stamp(), At: r.at, Place: c.place(line)})
		}
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
	}
}

// stamp identifies a row by session and time, alike in all copies of a rollout; it is
// empty if either is unknown.
func (c *codexParser) stamp() string {
	if c.ID == "" || c.row.at.IsZero() {
		return ""
	}
	return c.ID + "@" + c.row.at.Format(time.RFC3339Nano)
}

// setResult records the result of a call unless a more precise one is known.
func (c *codexParser) setResult(res result) {
	id := valid(c.row.call)
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
		if string(r.role) == "user" && !isContext(jsonscan.Unescape(head(r.words))) && !c.isReplay() {
			c.messagePrompts = append(c.messagePrompts, session.Prompt{ID: c.stamp(), At: r.at, Place: c.place(line)})
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		if !c.isReplay() {
			c.toolCall(line)
		}
	case "function_call_output", "custom_tool_call_output":
		c.setResult(codexResult(r.output, r.at))
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
		c.note(session.WrongType, line, now.wrong+u.wrong+" is not a count", true)
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
		c.sum.input, c.sum.cached, c.sum.output = c.sum.input+u.input, c.sum.cached+u.cached, c.sum.output+u.output
	}
	c.last = r.last
	if u.input == 0 && u.output == 0 || c.isReplay() {
		return
	}
	counts := &[4]int64{max(u.input-u.cached, 0), u.cached, 0, u.output}
	id := c.stamp()
	if id != "" {
		id += "/" + strconv.FormatInt(now.input+now.output+u.output, 10)
	}
	c.addTokens(session.Tokens{
		CallID: id, At: r.at, Place: c.place(line),
		TokenCount: session.TokenCount{Input: &counts[0], CacheRead: &counts[1], CacheWrite: &counts[2], Output: &counts[3]},
	})
}
