package agentlog_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestCopilotLaw compares the counts of sessions with a model that writes random events of
// Copilot CLI and knows what happened.
func TestCopilotLaw(t *testing.T) {
	checkShipped(t, (*archive).copilot)
}

// copilot is a session of Copilot CLI in the making.
type copilot struct {
	*account

	w    *archive
	rows []logRow
}

func (c *copilot) add(kind string, data map[string]any) {
	row := logRow{"type": kind, "data": data, "id": c.w.id("event"), "timestamp": stamp(c.w.now), "parentId": nil}
	c.visits[wholeSession].saw(c.w.now)
	c.rows = append(c.rows, row)
}

// copilot adds a session: runs of the program, each with answers and their calls, and at its
// end the sums of its tokens.
func (w *archive) copilot() {
	id := w.id("session")
	c := &copilot{w: w, account: w.newAccount(id)}
	c.visits[wholeSession] = newVisitAccount()
	c.add("session.start", map[string]any{"sessionId": id, "producer": "copilot-agent", "context": map[string]any{"cwd": "/repo"}})
	runs := rapid.IntRange(1, 3).Draw(w.t, "runs")
	for run := range runs {
		if run > 0 {
			w.now = w.now.Add(time.Minute)
			c.add("session.resume", map[string]any{"context": map[string]any{"cwd": "/repo"}})
		}
		c.run(!w.harmless && w.chance("killed", 4))
	}
	text := jsonLines(c.rows)
	if !w.harmless && w.chance("torn", 5) && len(c.rows) > 2 {
		first := c.rows[0] // it names the session
		c.rows = c.rows[1:]
		text = append(jsonLines([]logRow{first}), w.tear(c.rows)...)
		c.loseAll()
		c.mentions = nil
	}
	w.write("session-state/"+id+"/events.jsonl", text)
}

func (c *copilot) run(killed bool) {
	w := c.w
	sums := map[string]*[4]int64{}
	for range rapid.IntRange(1, 3).Draw(w.t, "turns") {
		w.pass()
		if w.chance("prompt", 2) {
			c.add("user.message", map[string]any{"content": "go on"})
		}
		w.pass()
		tokens := w.tokens()
		model := rapid.SampledFrom([]string{"gpt-5.4", "claude"}).Draw(w.t, "model")
		if sums[model] == nil {
			sums[model] = &[4]int64{}
		}
		for i, n := range tokens {
			sums[model][i] += n
		}
		var requests []any
		var calls []func()
		for range rapid.IntRange(0, 2).Draw(w.t, "calls") {
			request, begin := c.call()
			requests, calls = append(requests, request), append(calls, begin)
		}
		c.add("assistant.message", map[string]any{"messageId": w.id("message"), "outputTokens": tokens[1], "toolRequests": requests})
		if killed {
			c.visits[wholeSession].counts["output"] += tokens[1]
		}
		for _, begin := range calls {
			begin()
		}
		if !w.harmless && w.chance("event of a future type", 25) {
			c.add("tool.execution_v2", map[string]any{})
			c.loseAll()
			c.unknown["seconds"] = false // its time is known
		}
	}
	w.pass()
	if killed {
		c.lose("input", "cache_read", "cache_write")
		return
	}
	metrics := map[string]any{}
	for model, t := range sums {
		for i, part := range tokenParts {
			c.visits[wholeSession].counts[part] += t[i]
		}
		metrics[model] = map[string]any{"requests": map[string]any{"count": 1}, "usage": map[string]any{
			"inputTokens": t[0] + t[2] + t[3], "outputTokens": t[1], "cacheReadTokens": t[2], "cacheWriteTokens": t[3],
		}}
	}
	c.add("session.shutdown", map[string]any{"modelMetrics": metrics})
}

// call returns what an answer asks for, and a function that adds the events of the call.
func (c *copilot) call() (request map[string]any, begin func()) {
	w := c.w
	tools := []string{"bash", "bash", "edit", "create", "view", "report_intent", "github-search"}
	if !w.harmless {
		tools = append(tools, "frobnicate")
	}
	tool := rapid.SampledFrom(tools).Draw(w.t, "tool")
	outcomes := []string{"ok", "ok", "failed", "denied"}
	if !w.harmless {
		outcomes = append(outcomes, "running", "not begun")
	}
	outcome := rapid.SampledFrom(outcomes).Draw(w.t, "outcome")
	quantity, input := "", map[string]any{"path": "/repo/a.go"}
	switch tool {
	case "bash":
		quantity, input = "commands", map[string]any{"command": rapid.SampledFrom([]string{"make", "ls"}).Draw(w.t, "command")}
	case "edit", "create":
		quantity = "edits"
	case "frobnicate":
		c.lose("commands", "edits")
		c.mentions = append(c.mentions, tool)
	}
	id := w.id("call")
	v := c.visits[wholeSession]
	switch {
	case quantity == "":
	case outcome == "running", outcome == "not begun":
		v.unknown[quantity] = true
	case outcome == "ok", outcome == "failed" && quantity == "commands":
		v.counts[quantity]++
	}
	return map[string]any{"toolCallId": id, "name": tool, "arguments": input, "type": "function"}, func() {
		if outcome == "not begun" {
			return
		}
		w.pass()
		c.add("tool.execution_start", map[string]any{"toolCallId": id, "toolName": tool, "arguments": input})
		if outcome == "running" {
			return
		}
		w.pass()
		result := map[string]any{"toolCallId": id, "success": outcome == "ok"}
		switch {
		case outcome == "denied":
			result["error"] = map[string]any{"code": "denied", "message": "no"}
		case tool == "bash":
			code := map[string]int{"ok": 0, "failed": 1}[outcome]
			maps.Copy(result, map[string]any{"success": w.chance("claims success", 2) || outcome == "ok", "result": map[string]any{"content": fmt.Sprintf("text\n<exited with exit code %d>", code)}})
		}
		c.add("tool.execution_complete", result)
	}
}
