package agentlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// directory adds a state directory: the journal of hooks of a conversation, in one of its
// forms, the journal of its phases, and perhaps its transcript.
func (w *archive) directory() {
	phased := w.chance("phased", 2)
	c := w.newConversation(phased)
	c.dir = "projects/-repo/"
	dir := w.id("state") + "/"
	c.work()
	transcript := w.chance("with transcript", 2)
	legacy := w.chance("legacy", 2)
	rows := c.hooks(legacy)
	if transcript {
		c.write()
	} else {
		c.onlyHooks(legacy)
	}
	if phased {
		var states []logRow
		for _, p := range c.phases {
			states = append(states, logRow{"from_node": "x", "to_node": p.name, "phase": p.name, "mode": "execution", "timestamp": stamp(p.start), "workflow_id": nil})
		}
		w.write(dir+"states.jsonl", jsonLines(states))
	}
	if len(rows) == 0 {
		rows = []logRow{{"event_type": "Stop", "session_id": c.id, "timestamp": stamp(w.now)}}
	}
	if !w.harmless && len(rows) > 1 && w.chance("torn", 6) { // one row at least names the session
		c.loseAll()
		c.mentions = nil
		w.files[dir+"hooks.jsonl"] = w.tear(rows)
		return
	}
	w.write(dir+"hooks.jsonl", jsonLines(rows))
}

// hooks returns the rows that hooks wrote. In the old form, a tool that fails has no row
// after it, and rows have no ids.
func (c *conversation) hooks(legacy bool) []logRow {
	var rows []logRow
	for _, a := range c.actions {
		row := func(event string, at time.Time, more logRow) {
			r := logRow{"session_id": c.id, "timestamp": stamp(at), "cwd": "/repo", "tool_name": a.tool, "tool_input": a.input()}
			if legacy {
				r["hook_event_name"] = event
			} else {
				r["event_type"], r["tool_use_id"] = event, a.id
			}
			maps.Copy(r, more)
			rows = append(rows, r)
			c.visits[a.visit].saw(at)
		}
		row("PreToolUse", a.asked.Add(100*time.Millisecond), nil)
		switch a.outcome {
		case "ok":
			row("PostToolUse", a.done, logRow{"tool_response": map[string]any{"interrupted": false}})
		case "failed":
			if !legacy {
				row("PostToolUseFailure", a.done, logRow{"error": "Exit code 2"})
			}
		case "rejected":
			if !legacy {
				row("PostToolUseFailure", a.done, logRow{"error": "The user doesn't want to proceed"})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b logRow) int { return strings.Compare(a["timestamp"].(string), b["timestamp"].(string)) }) //nolint:forcetypeassert // see above
	return rows
}

// onlyHooks forgets what a journal of hooks does not record.
func (c *conversation) onlyHooks(legacy bool) {
	clear(c.unknown)
	c.lose(tokenParts...)
	if len(c.mentions) > 0 {
		c.lose("commands", "edits")
	}
	c.hookSpan(legacy)
	if !legacy {
		return
	}
	for _, a := range c.actions {
		if a.outcome == "failed" || a.outcome == "rejected" {
			if a.isCommand() {
				c.visits[a.visit].unknown["commands"] = true
			} else if a.isEdit() {
				c.visits[a.visit].unknown["edits"] = true
			}
		}
	}
}

// hookSpan sets the spans of visits to what hooks record.
func (c *conversation) hookSpan(legacy bool) {
	last := map[string]time.Time{}
	first := map[string]time.Time{}
	for _, a := range c.actions {
		if first[a.visit].IsZero() {
			first[a.visit] = a.asked.Add(100 * time.Millisecond)
		}
		last[a.visit] = later(last[a.visit], a.asked.Add(100*time.Millisecond))
		if a.outcome == "ok" || !legacy && a.outcome != "" {
			last[a.visit] = later(last[a.visit], a.done)
		}
	}
	if len(c.phases) == 0 {
		v := c.visits[wholeSession]
		v.start, v.end = first[wholeSession], last[wholeSession]
		if v.start.IsZero() {
			v.start, v.end = c.w.now, c.w.now
		}
		return
	}
	p := c.phases[len(c.phases)-1] // the others end where the next begins
	key := phaseKey(p.name, p.start)
	c.visits[key].end = later(p.start, last[key])
	if len(c.actions) == 0 {
		c.visits[key].end = later(p.start, c.w.now)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rollouts adds a rollout of Codex, and perhaps one that was forked from it.
func (w *archive) rollouts() {
	p := w.newRollout("")
	p.work()
	if w.chance("forked", 2) {
		p.fork()
	}
	dir := "sessions/2026/03/"
	if !w.harmless && w.chance("torn", 6) && len(p.children) == 0 {
		p.loseAll()
		p.ids = append(p.ids, "rollout-"+p.id) // without its header, a rollout is named after its file
		w.files[dir+"rollout-"+p.id+".jsonl"] = w.tear(p.rows)
		return
	}
	w.write(dir+"rollout-"+p.id+".jsonl", jsonLines(p.rows))
	if w.chance("archived, too", 5) {
		w.files["archived_sessions/rollout-"+p.id+".jsonl"] = jsonLines(p.rows)
	}
	for _, child := range p.children {
		w.write(dir+"rollout-"+child.id+".jsonl", jsonLines(child.rows))
	}
}

// rollout is a log of Codex in the making.
type rollout struct {
	*account

	w        *archive
	id       string
	header   logRow
	rows     []logRow
	total    [3]int64 // the counter: input with cached input, cached input, output
	children []*rollout
	v        *visitAccount
}

func (w *archive) newRollout(parent string) *rollout {
	r := &rollout{w: w, id: w.id("rollout"), v: newVisitAccount()}
	r.account = w.newAccount(r.id)
	r.visits[wholeSession] = r.v
	w.now = w.now.Add(time.Hour)
	meta := map[string]any{"id": r.id, "cwd": "/repo", "originator": "codex_cli_rs", "cli_version": "0.98.0"}
	if parent != "" {
		meta["forked_from_id"] = parent
	}
	r.row("session_meta", meta)
	r.header = r.rows[0]
	return r
}

func (r *rollout) row(kind string, payload map[string]any) {
	r.rows = append(r.rows, logRow{"timestamp": stamp(r.w.now), "type": kind, "payload": payload})
	r.v.saw(r.w.now)
}

func (r *rollout) work() {
	for range rapid.IntRange(1, 4).Draw(r.w.t, "turns") {
		r.turn()
	}
}

func (r *rollout) turn() {
	w := r.w
	w.pass()
	if w.chance("prompt", 2) {
		r.row("event_msg", map[string]any{"type": "user_message", "message": "go on"})
	}
	for range rapid.IntRange(0, 2).Draw(w.t, "calls") {
		w.pass()
		r.call()
	}
	w.pass()
	if r.total[0] > 2000 && w.chance("counter restarts", 4) {
		r.total = [3]int64{}
	}
	tokens := w.tokens()
	r.total[0] += tokens[0] + tokens[2]
	r.total[1] += tokens[2]
	r.total[2] += tokens[1]
	r.counter(tokens)
	r.v.counts["input"] += tokens[0]
	r.v.counts["cache_read"] += tokens[2]
	r.v.counts["output"] += tokens[1]
	if w.chance("again", 3) {
		w.pass()
		r.counter(tokens)
	}
}

func (r *rollout) counter(tokens [4]int64) {
	r.row("event_msg", map[string]any{"type": "token_count", "info": map[string]any{
		"total_token_usage": map[string]any{"input_tokens": r.total[0], "cached_input_tokens": r.total[1], "output_tokens": r.total[2], "reasoning_output_tokens": 0},
		"last_token_usage":  map[string]any{"input_tokens": tokens[0] + tokens[2], "cached_input_tokens": tokens[2], "output_tokens": tokens[1]},
	}})
}

func (r *rollout) call() {
	w, id := r.w, r.w.id("call")
	text := rapid.SampledFrom([]string{"make", "go test ./..."}).Draw(w.t, "text")
	if w.chance("patch", 3) {
		ok := w.chance("applied", 2)
		r.row("response_item", map[string]any{"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": "*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** End Patch\n"})
		w.pass()
		if ok {
			r.v.counts["edits"]++
		}
		r.row("event_msg", map[string]any{"type": "patch_apply_end", "call_id": id, "success": ok})
		return
	}
	arguments, err := json.Marshal(map[string]any{"command": []string{"bash", "-lc", text}})
	if err != nil {
		panic(err)
	}
	r.row("response_item", map[string]any{"type": "function_call", "name": "shell", "call_id": id, "arguments": string(arguments)})
	if !w.harmless && w.chance("no result", 12) {
		r.v.unknown["commands"] = true
		return
	}
	w.pass()
	r.v.counts["commands"]++
	exit := rapid.IntRange(0, 1).Draw(w.t, "exit status")
	r.row("response_item", map[string]any{"type": "function_call_output", "call_id": id, "output": fmt.Sprintf(`{"output":"","metadata":{"exit_code":%d}}`, exit)})
}

// fork adds a rollout that begins with a replay of this one, written when it was forked.
func (r *rollout) fork() {
	child := r.w.newRollout(r.id)
	replay := func() string { return stamp(r.w.now) }
	slow := time.Duration(rapid.SampledFrom([]int{0, 1, 30, 700}).Draw(r.w.t, "milliseconds a row")) * time.Millisecond
	for _, row := range r.rows { // its header, too
		r.w.now = r.w.now.Add(slow)
		row = logRow{"timestamp": replay(), "type": row["type"], "payload": row["payload"]}
		child.rows = append(child.rows, row)
	}
	child.v.saw(r.w.now)
	child.total = r.total
	r.w.now = r.w.now.Add(5 * time.Second)
	child.work()
	r.children = append(r.children, child)
}
