package agentlog_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestCodexLaw compares the counts of sessions with a model that writes random rollouts in
// the rows of today's Codex and knows what happened.
func TestCodexLaw(t *testing.T) {
	checkShipped(t, (*archive).thread)
}

// thread is a session of Codex in the making.
type thread struct {
	*account

	w    *archive
	rows []logRow
	// records and counts are true if the tokens are recorded by call, and as sums.
	records, counts bool
	total           [3]int64
}

func (w *archive) thread() {
	id := w.id("session")
	c := &thread{account: w.newAccount(id), w: w}
	c.visits[wholeSession] = newVisitAccount()
	switch rapid.SampledFrom([]string{"both", "records", "counts"}).Draw(w.t, "tokens") {
	case "both":
		c.records, c.counts = true, true
	case "records": // rollouts always have their sums as well
		c.records = true
		c.lose(tokenParts...)
	default:
		c.counts = true
	}
	c.add("session_meta", logRow{"id": id, "session_id": id, "cwd": "/repo", "cli_version": "0.169.0", "source": "exec"})
	for range rapid.IntRange(1, 4).Draw(w.t, "turns") {
		c.turn()
	}
	if !w.harmless && w.chance("cut head", 6) {
		last := len(c.rows) - 1 // that names the session
		for last > 1 && c.rows[last]["payload"].(logRow)["thread_id"] == nil {
			last--
		}
		c.rows = c.rows[rapid.IntRange(1, last).Draw(w.t, "cut"):]
		c.loseAll()
		c.mentions = nil
		c.ids = append(c.ids, "rollout-"+id, "all")
		w.files["sessions/rollout-"+id+".jsonl"] = jsonLines(c.rows)
		return
	}
	w.write("sessions/rollout-"+id+".jsonl", jsonLines(c.rows))
}

func (c *thread) add(kind string, payload logRow) {
	c.w.pass()
	c.visits[wholeSession].saw(c.w.now)
	c.rows = append(c.rows, logRow{"timestamp": stamp(c.w.now), "type": kind, "payload": payload})
}

func (c *thread) done(item logRow) {
	c.add("event_msg", logRow{"type": "item_completed", "thread_id": c.ids[0], "item": item})
}

func (c *thread) turn() {
	c.add("event_msg", logRow{"type": "task_started"})
	c.add("response_item", logRow{"type": "message", "role": "user", "content": []any{logRow{"type": "input_text", "text": "go"}}})
	c.done(logRow{"type": "UserMessage", "id": c.w.id("item")})
	for range rapid.IntRange(0, 3).Draw(c.w.t, "calls") {
		switch rapid.SampledFrom([]string{"program", "long", "call", "call"}).Draw(c.w.t, "call") {
		case "program":
			c.program()
		case "long":
			c.long()
		default:
			c.call()
		}
		c.use()
	}
	c.add("response_item", logRow{"type": "message", "role": "assistant", "content": []any{logRow{"type": "output_text", "text": c.w.id("Done")}}})
	if !c.w.harmless && c.w.chance("interrupted", 6) {
		c.lose(tokenParts...)
		return
	}
	c.use()
	c.add("event_msg", logRow{"type": "task_complete"})
}

// use adds the tokens of a call of the model.
func (c *thread) use() {
	t := c.w.tokens()
	one := [3]int64{t[0] + t[2], t[2], t[1]}
	usage := func(n [3]int64) logRow {
		return logRow{"input_tokens": n[0], "cached_input_tokens": n[1], "cache_write_input_tokens": 0, "output_tokens": n[2], "total_tokens": n[0] + n[2]}
	}
	for i, n := range one {
		c.total[i] += n
	}
	counts := c.visits[wholeSession].counts
	counts["input"] += t[0]
	counts["cache_read"] += t[2]
	counts["output"] += t[1]
	if c.records {
		c.add("token_usage_record", logRow{"thread_id": c.ids[0], "response_id": c.w.id("response"), "usage": usage(one)})
	}
	if c.counts {
		c.add("event_msg", logRow{"type": "token_count", "info": logRow{"total_token_usage": usage(c.total), "last_token_usage": usage(one)}})
	}
}

// call adds a call of the log: its item, if it was not blocked, and its output.
func (c *thread) call() {
	id := c.w.id("call")
	command := rapid.SampledFrom([]string{"make", "ls"}).Draw(c.w.t, "command")
	c.add("response_item", logRow{"type": "function_call", "name": "exec_command", "arguments": `{"cmd":"` + command + `"}`, "call_id": id})
	ends := []string{"ok", "failed", "blocked", "declined"}
	if !c.w.harmless {
		ends = append(ends, "running")
	}
	end, output := rapid.SampledFrom(ends).Draw(c.w.t, "end"), "Process exited with code 0\nOutput:\n"
	switch end {
	case "ok", "failed":
		code := map[string]int{"ok": 0, "failed": 2}[end]
		c.execution(id, command, "completed", code)
	case "blocked":
		output = "Command blocked by PreToolUse hook: no. Command: " + command
	case "declined":
		c.done(logRow{"type": "CommandExecution", "id": id, "command": []string{"bash", "-lc", command}, "status": "declined", "exit_code": -1})
		output = "exec_command failed: rejected by user"
	case "running":
		c.visits[wholeSession].unknown["commands"] = true
		return
	}
	c.add("response_item", logRow{"type": "function_call_output", "call_id": id, "output": output})
}

// long adds a command that ends in the answer to a call which asks for it, if at all.
func (c *thread) long() {
	process := c.w.n + 700
	output := func(id, text string) {
		c.add("response_item", logRow{"type": "function_call_output", "call_id": id, "output": "Chunk ID: 4f2a1c\nWall time: 10.0 seconds\n" + text + "\nOutput:\n"})
	}
	running := fmt.Sprint("Process running with session ID ", process)
	id := c.w.id("call")
	c.add("response_item", logRow{"type": "function_call", "name": "exec_command", "arguments": `{"cmd":"make"}`, "call_id": id})
	output(id, running)
	polls := rapid.IntRange(1, 3).Draw(c.w.t, "polls")
	for i := range polls {
		c.use()
		id := c.w.id("call")
		c.add("response_item", logRow{"type": "function_call", "name": "write_stdin", "arguments": fmt.Sprintf(`{"session_id":%d,"chars":""}`, process), "call_id": id})
		switch {
		case i < polls-1:
			output(id, running)
		case !c.w.harmless && c.w.chance("never ends", 4):
			output(id, running)
			c.visits[wholeSession].unknown["commands"] = true
			return
		default:
			output(id, fmt.Sprint("Process exited with code ", rapid.IntRange(0, 2).Draw(c.w.t, "code")))
		}
	}
	c.visits[wholeSession].counts["commands"]++
}

// execution adds a command that ran.
func (c *thread) execution(id, command, status string, code int) {
	c.visits[wholeSession].counts["commands"]++
	c.done(logRow{"type": "CommandExecution", "id": id, "command": []string{"/bin/bash", "-lc", command}, "status": status, "exit_code": code})
}

// program adds a program of the agent, whose calls are only among the completed items.
func (c *thread) program() {
	id := c.w.id("call")
	c.add("response_item", logRow{"type": "custom_tool_call", "name": "exec", "input": "await tools.exec_command()", "call_id": id, "status": "completed"})
	for range rapid.IntRange(1, 3).Draw(c.w.t, "nested calls") {
		nested := c.w.id("exec")
		switch rapid.SampledFrom([]string{"command", "edit", "failed edit", "MCP", "agent"}).Draw(c.w.t, "nested") {
		case "command":
			c.execution(nested, "make", rapid.SampledFrom([]string{"completed", "failed"}).Draw(c.w.t, "status"), rapid.IntRange(0, 2).Draw(c.w.t, "code"))
		case "edit":
			c.visits[wholeSession].counts["edits"]++
			c.done(logRow{"type": "FileChange", "id": nested, "changes": logRow{"/repo/a.go": logRow{"type": "add"}}, "status": "completed"})
		case "failed edit":
			c.done(logRow{"type": "FileChange", "id": nested, "changes": logRow{"/repo/a.go": logRow{"type": "add"}}, "status": "failed"})
		case "MCP":
			c.done(logRow{"type": "McpToolCall", "id": nested, "server": "jira", "tool": "search", "status": "completed"})
		case "agent":
			c.done(logRow{"type": "CollabAgentToolCall", "id": nested, "tool": "spawn_agent", "status": "completed"})
		}
	}
	if !c.w.harmless && c.w.chance("item of a future type", 10) {
		c.done(logRow{"type": "RemoteExecution", "id": c.w.id("exec"), "status": "completed"})
		c.loseAll()
		c.unknown["seconds"] = false // its time is known
		c.mentions = append(c.mentions, "RemoteExecution")
	}
	c.add("response_item", logRow{"type": "custom_tool_call_output", "call_id": id, "output": "Script completed"})
}
