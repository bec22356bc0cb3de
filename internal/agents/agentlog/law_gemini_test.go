package agentlog_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestGeminiLaw compares the counts of sessions with a model that writes random chats of
// Gemini CLI and knows what happened.
func TestGeminiLaw(t *testing.T) {
	checkShipped(t, (*archive).gemini)
}

// chat is a session of Gemini CLI in the making.
type chat struct {
	*account

	w        *archive
	header   logRow
	rows     []logRow
	messages []logRow // of the conversation, which rewinds shorten
}

func (c *chat) visit() *visitAccount { return c.visits[wholeSession] }

func (w *archive) newChat(id, session string, of *account) *chat {
	c := &chat{w: w, account: of}
	c.header = logRow{"sessionId": id, "projectHash": "00ff", "startTime": stamp(w.now), "lastUpdated": stamp(w.now), "kind": session}
	c.visit().saw(w.now)
	c.rows = append(c.rows, c.header)
	return c
}

// gemini adds a session with messages that grow, checkpoints, rewinds and perhaps a subagent,
// as lines, as a document, or as the lines to which a document was converted.
func (w *archive) gemini() {
	id := w.id("session")
	of := w.newAccount(id)
	of.visits[wholeSession] = newVisitAccount()
	c := w.newChat(id, "main", of)
	dir := "tmp/web/chats/"
	form := rapid.SampledFrom([]string{"lines", "lines", "document", "converted"}).Draw(w.t, "form")
	for range rapid.IntRange(1, 4).Draw(w.t, "turns") {
		c.turn(form == "lines")
	}
	if w.chance("subagent", 3) {
		side := w.newChat(w.id("agent"), "subagent", of)
		side.turn(true)
		w.files[dir+id+"/"+side.header["sessionId"].(string)+".bak.jsonl"] = jsonLines(side.rows) // which only its folder names
	}
	switch {
	case form != "lines":
		document := maps.Clone(c.header)
		document["messages"] = c.messages
		text, err := json.MarshalIndent(document, "", "  ")
		if err != nil {
			w.t.Fatal(err)
		}
		if w.chance("one line", 3) {
			text, err = json.Marshal(document)
			if err != nil {
				w.t.Fatal(err)
			}
		}
		w.files[dir+"session-"+id+".json"] = text
		if form == "converted" { // the document stays
			c.rows = append([]logRow{c.header}, c.messages...)
			c.turn(true)
			w.files[dir+"session-"+id+".jsonl"] = jsonLines(c.rows)
		}
		w.files["tmp/web/logs-of-"+id+".json"] = []byte(`[{"sessionId":"` + id + `","messageId":0,"type":"user","message":"go","timestamp":"` + stamp(w.now) + `"}]`)
	case !w.harmless && w.chance("torn", 4):
		first := c.rows[0]
		c.rows = c.rows[1:]
		w.files[dir+"session-"+id+".jsonl"] = append(jsonLines([]logRow{first}), w.tear(c.rows)...)
		c.loseAll()
		c.mentions = nil
	default:
		w.write(dir+"session-"+id+".jsonl", jsonLines(c.rows))
	}
}

// push adds a message, or the same again as it grows.
func (c *chat) push(m logRow) {
	c.rows = append(c.rows, maps.Clone(m))
	if i := slices.IndexFunc(c.messages, func(o logRow) bool { return o["id"] == m["id"] }); i >= 0 {
		c.messages[i] = maps.Clone(m)
	} else {
		c.messages = append(c.messages, maps.Clone(m))
	}
	c.visit().saw(c.w.now)
}

func (c *chat) message(kind string) logRow {
	return logRow{"id": c.w.id("message"), "timestamp": stamp(c.w.now), "type": kind, "content": []any{map[string]any{"text": "text"}}}
}

// turn adds a prompt, an answer and its calls; canRewind is true for lines, none of which a rewind
// removes.
func (c *chat) turn(canRewind bool) {
	w := c.w
	w.pass()
	prompt := c.message("user")
	c.push(prompt)
	w.pass()
	answer := c.message("gemini")
	answer["model"], answer["tokens"] = "gemini-3-pro", nil
	if canRewind && w.chance("begins without tokens", 2) {
		c.push(answer)
	}
	switch {
	case !w.harmless && w.chance("no tokens", 12):
		c.push(answer)
		c.lose(tokenParts...)
	default:
		c.use(answer)
		c.push(answer)
	}
	var calls []any
	for range rapid.IntRange(0, 3).Draw(w.t, "calls") {
		w.pass()
		calls = append(calls, c.call())
		answer["toolCalls"] = slices.Clone(calls)
		if canRewind {
			c.push(answer)
		}
	}
	c.push(answer)
	if w.chance("information", 4) {
		w.pass()
		c.push(c.message(rapid.SampledFrom([]string{"info", "error", "warning"}).Draw(w.t, "kind")))
	}
	if !w.harmless && w.chance("message of a future type", 20) {
		w.pass()
		c.push(c.message("gemini_v2"))
		c.loseAll()
		c.unknown["seconds"] = false // its time is known
		c.mentions = append(c.mentions, "gemini_v2")
	}
	switch {
	case !canRewind:
	case w.chance("checkpoint", 4):
		w.pass()
		c.visit().saw(w.now)
		c.rows = append(c.rows, logRow{"$set": map[string]any{"messages": slices.Clone(c.messages), "lastUpdated": stamp(w.now)}})
	case w.chance("rewind", 4):
		c.rows = append(c.rows, logRow{"$rewindTo": prompt["id"]})
		c.messages = c.messages[:slices.IndexFunc(c.messages, func(o logRow) bool { return o["id"] == prompt["id"] })]
	}
}

// use adds the tokens of an answer, as Gemini counts them.
func (c *chat) use(answer logRow) {
	t := c.w.tokens() // the last counts thoughts
	tool := int64(rapid.IntRange(0, 50).Draw(c.w.t, "tool"))
	answer["tokens"] = map[string]any{
		"input": t[0] + t[2], "cached": t[2], "output": t[1], "thoughts": t[3], "tool": tool, "total": t[0] + t[2] + t[1] + t[3] + tool,
	}
	counts := c.visit().counts
	counts["input"] += t[0] + tool
	counts["cache_read"] += t[2]
	counts["output"] += t[1] + t[3]
}

func (c *chat) call() map[string]any {
	w := c.w
	tools := []string{"run_shell_command", "run_shell_command", "replace", "write_file", "read_file", "mcp_jira_search", "update_topic"}
	statuses := []string{"success", "success", "error", "cancelled"}
	if !w.harmless {
		tools, statuses = append(tools, "frobnicate"), append(statuses, "executing")
	}
	tool := rapid.SampledFrom(tools).Draw(w.t, "tool")
	status := rapid.SampledFrom(statuses).Draw(w.t, "status")
	quantity, args, text := "", map[string]any{"file_path": "/repo/a.go"}, "text"
	switch tool {
	case "run_shell_command":
		quantity, args = "commands", map[string]any{"command": rapid.SampledFrom([]string{"make", "ls"}).Draw(w.t, "command")}
		if status == "success" && w.chance("exit", 2) {
			text = "Output: Exit Code: 7\nExit Code: 3\nProcess Group PGID: 12"
		}
	case "replace", "write_file":
		quantity = "edits"
	case "frobnicate":
		c.lose("commands", "edits")
		c.mentions = append(c.mentions, tool)
	}
	v := c.visit()
	switch {
	case quantity == "":
	case status == "executing":
		v.unknown[quantity] = true
	case status == "success", status == "error" && quantity == "commands":
		v.counts[quantity]++
	}
	v.saw(w.now)
	id := w.id("call")
	return map[string]any{
		"id": id, "name": tool, "args": args, "status": status, "timestamp": stamp(w.now), "displayName": tool,
		"result": []any{map[string]any{"functionResponse": map[string]any{"id": id, "name": tool, "response": map[string]any{"output": text}}}},
	}
}
