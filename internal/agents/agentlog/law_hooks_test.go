package agentlog_test

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestHooksLaw compares the counts of sessions with a model that writes random journals of
// rulecheck and streams of Cursor's hooks, and knows what happened. Some events are delivered
// twice, as to hooks of the user and of the project.
func TestHooksLaw(t *testing.T) {
	for name, write := range map[string]func(*hooked) string{"journal": (*hooked).journal, "cursor": (*hooked).cursor} {
		t.Run(name, func(t *testing.T) {
			checkJournals(t, func(w *archive) {
				h := &hooked{w: w, account: w.newAccount(w.id("session"))}
				h.visits[wholeSession] = newVisitAccount()
				h.lose(tokenParts...)
				file := write(h)
				if !w.harmless && w.chance("torn", 5) {
					h.loseAll()
					h.mentions = nil
					w.files[file] = w.tear(h.rows)
				} else {
					w.files[file] = jsonLines(h.rows)
				}
			})
		})
	}
}

// checkJournals is [checkSessions] with journals that may be put together in one file.
func checkJournals(t *testing.T, write func(w *archive)) {
	t.Helper()
	checkArchives(t, func(w *archive) bool {
		for range rapid.IntRange(1, 3).Draw(w.t, "sessions") {
			w.now = w.now.Add(time.Hour)
			write(w)
		}
		names := w.names()
		if len(names) < 2 || !w.chance("together", 2) {
			return false
		}
		var rows [][]byte
		for _, name := range rapid.Permutation(names).Draw(w.t, "order") {
			lines := slices.Collect(bytes.Lines(w.files[name]))
			if w.chance("in turns", 2) {
				rows = inTurns(rows, lines)
			} else {
				rows = append(rows, lines...)
			}
			delete(w.files, name)
		}
		w.files[rapid.SampledFrom([]string{"all.jsonl", "all.ndjson", path.Dir(names[0]) + "/" + path.Base(names[0])}).Draw(w.t, "name")] = bytes.Join(rows, nil)
		return !w.harmless
	})
}

// inTurns lays the lines of two files between each other.
func inTurns(a, b [][]byte) (all [][]byte) {
	for i := range max(len(a), len(b)) {
		all = append(all, a[min(i, len(a)):min(i+1, len(a))]...)
		all = append(all, b[min(i, len(b)):min(i+1, len(b))]...)
	}
	return all
}

// hooked is a file of a session's hooks in the making.
type hooked struct {
	*account

	w    *archive
	rows []logRow
}

// add adds a row, perhaps twice.
func (h *hooked) add(row logRow) {
	h.rows = append(h.rows, row)
	h.visits[wholeSession].saw(h.w.now)
	if h.w.chance("delivered twice", 6) {
		h.rows = append(h.rows, row)
	}
}

// hookedCall is a call that hooks record.
type hookedCall struct{ tool, quantity, text, outcome, id string }

// draw draws a call with one of some outcomes, and counts it. If no event records the end of a call,
// its outcome is unknown.
func (h *hooked) draw(tools map[string]string, outcomes ...string) hookedCall {
	w := h.w
	w.now = w.now.Add(4 * time.Second) // so that it is not a second delivery of the last
	if !w.harmless {
		outcomes = append(outcomes, "running")
	}
	names := slices.Sorted(maps.Keys(tools))
	c := hookedCall{tool: rapid.SampledFrom(names).Draw(w.t, "tool"), outcome: rapid.SampledFrom(outcomes).Draw(w.t, "outcome"), id: w.id("call")}
	c.quantity = tools[c.tool]
	c.text = rapid.SampledFrom([]string{"make", "ls"}).Draw(w.t, "text")
	if c.quantity != "commands" {
		c.text = "/repo/" + c.text
	}
	if c.tool == "frobnicate" {
		h.lose("commands", "edits")
		h.mentions = append(h.mentions, c.tool)
	}
	v := h.visits[wholeSession]
	switch {
	case c.quantity == "", c.outcome == "denied", c.outcome == "rejected":
	case c.outcome == "running":
		v.unknown[c.quantity] = true
	case c.outcome != "failed", c.quantity == "commands":
		v.counts[c.quantity]++
	}
	return c
}

func (h *hooked) known(tools map[string]string) map[string]string {
	if h.w.harmless {
		return tools
	}
	tools = maps.Clone(tools)
	tools["frobnicate"] = ""
	return tools
}

// journal adds rows of rulecheck's journal.
func (h *hooked) journal() string {
	w := h.w
	id, n := h.ids[0], 0
	row := func(event string, c *hookedCall, more logRow) {
		r := logRow{"event_type": event, "timestamp": stamp(w.now), "session_id": id, "adapter": "claude", "cwd": "/repo", "rulecheck": "1.0", "calls": n}
		if c != nil {
			r["tool_name"], r["tool_use_id"] = c.tool, c.id
			switch {
			case c.quantity == "commands":
				r["tool_input"] = map[string]any{"command": c.text}
			case c.quantity == "edits" || c.tool == "Read":
				r["tool_input"] = map[string]any{"paths": []string{c.text}}
			}
		}
		maps.Copy(r, more)
		h.add(r)
	}
	row("session_start", nil, nil)
	tools := h.known(map[string]string{"Bash": "commands", "PowerShell": "commands", "Edit": "edits", "Write": "edits", "Read": "", "Task": ""})
	for range rapid.IntRange(1, 6).Draw(w.t, "calls") {
		w.pass()
		if w.chance("prompt", 4) {
			row("user_prompt_submit", nil, logRow{"prompt_sha256": "00"})
		}
		c := h.draw(tools, "ok", "ok", "failed", "rejected", "denied", "observed")
		n++
		decision := logRow{}
		switch c.outcome {
		case "denied":
			decision = logRow{"decision": "deny", "rule": "r"}
		case "observed":
			decision = logRow{"decision": "deny", "rule": "r", "observed": true}
		case "rejected":
			decision = logRow{"decision": "ask", "rule": "r"}
		}
		row("pre_tool_use", &c, decision)
		w.pass()
		switch c.outcome {
		case "ok", "observed":
			row("post_tool_use", &c, nil)
		case "failed":
			row("post_tool_use_failure", &c, logRow{"error": "Exit code 2"})
		case "rejected":
			row("post_tool_use_failure", &c, logRow{"error": "The user doesn't want to proceed with this tool use."})
		}
	}
	row("stop", nil, nil)
	return "journal-" + id + "/claude-" + id + ".ndjson"
}

// cursor adds the payloads of Cursor's hooks with the times of their delivery: up to four events
// for one call.
func (h *hooked) cursor() string {
	w := h.w
	id := h.ids[0]
	payload := func(event string, more logRow) logRow {
		of := logRow{"conversation_id": id, "generation_id": "g", "hook_event_name": event, "cursor_version": "2026.07", "workspace_roots": []string{"/repo"}}
		maps.Copy(of, more)
		return logRow{"received_at": stamp(w.now), "payload": of}
	}
	soon := func() { w.now = w.now.Add(10 * time.Millisecond) }
	h.add(payload("sessionStart", nil))
	tools := h.known(map[string]string{"Shell": "commands", "Write": "edits", "Read": "", "Grep": ""})
	for range rapid.IntRange(1, 6).Draw(w.t, "calls") {
		w.pass()
		if w.chance("prompt", 4) {
			h.add(payload("beforeSubmitPrompt", logRow{"prompt": "go"}))
		}
		c := h.draw(tools, "ok", "ok", "failed")
		call := logRow{"tool_name": c.tool, "tool_use_id": c.id, "cwd": "/repo", "tool_input": map[string]any{"command": c.text}}
		if c.quantity != "commands" {
			call["tool_input"] = map[string]any{"file_path": c.text}
		}
		h.add(payload("preToolUse", call))
		soon()
		if c.tool == "Shell" {
			h.add(payload("beforeShellExecution", logRow{"command": c.text, "cwd": "/repo"}))
		}
		if c.outcome == "running" {
			continue
		}
		w.pass()
		switch {
		case c.tool == "Shell":
			h.add(payload("afterShellExecution", logRow{"command": c.text, "output": "…", "duration": 1}))
		case c.quantity == "edits" && c.outcome == "ok":
			h.add(payload("afterFileEdit", logRow{"file_path": c.text, "edits": []any{}}))
		}
		soon()
		if c.outcome == "failed" {
			call["error_message"] = "no"
			h.add(payload("postToolUseFailure", call))
		} else {
			call["tool_output"] = "{}"
			h.add(payload("postToolUse", call))
		}
	}
	h.add(payload("sessionEnd", nil))
	return "cursor-" + id + "/stream.ndjson"
}
