package agentlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// action is one tool call as it happened.
type action struct {
	id, tool, text string // the command, or the path of a file
	outcome        string // ok, failed, rejected, or "" if the log ends before
	asked, done    time.Time
	visit          string // the key of its visit
}

// quantity returns what the action counts as, and "" if it counts as nothing.
func (a action) quantity() string {
	switch {
	case a.isCommand() && a.outcome != "rejected":
		return "commands"
	case a.isEdit() && a.outcome == "ok", a.isEdit() && a.outcome == "":
		return "edits"
	}
	return ""
}

func (a action) isCommand() bool { return a.tool == "Bash" || a.tool == "PowerShell" }
func (a action) isEdit() bool    { return a.tool == "Edit" || a.tool == "Write" }

func (a action) input() map[string]any {
	if a.isEdit() || a.tool == "Read" {
		return map[string]any{"file_path": "/repo/" + a.text}
	}
	return map[string]any{"command": a.text}
}

// logRow is a row of a log; copies have other values of some keys.
type logRow map[string]any

func jsonLines(rows []logRow) []byte {
	var b strings.Builder
	for _, row := range rows {
		data, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		b.Write(append(data, '\n'))
	}
	return []byte(b.String())
}

// conversation is one transcript of Claude Code in the making.
type conversation struct {
	*account

	w       *archive
	id      string
	rows    []logRow
	side    []logRow // of a subagent
	actions []action
	// reusesIDs makes the ids of tool calls count from 0 again and again.
	reusesIDs bool
	phased    bool
	visit     string // the key of the current visit
	phases    []phase
	dir       string
}

type phase struct {
	name  string
	start time.Time
}

func (w *archive) newConversation(phased bool) *conversation {
	c := &conversation{w: w, id: w.id("session"), reusesIDs: w.chance("reused ids", 4), phased: phased, visit: wholeSession}
	c.account = w.newAccount(c.id)
	w.now = w.now.Add(time.Hour)
	if phased {
		c.enter()
	} else {
		c.visits[c.visit] = newVisitAccount()
	}
	return c
}

func (c *conversation) enter() {
	c.w.now = c.w.now.Add(30 * time.Second)
	if old := c.visits[c.visit]; old != nil {
		old.saw(c.w.now)
	}
	p := phase{rapid.SampledFrom([]string{"plan", "code"}).Draw(c.w.t, "phase"), c.w.now}
	c.phases = append(c.phases, p)
	c.visit = phaseKey(p.name, p.start)
	c.visits[c.visit] = newVisitAccount()
	c.visits[c.visit].saw(p.start)
	c.w.now = c.w.now.Add(30 * time.Second)
}

func (c *conversation) row(kind string, sidechain bool, members map[string]any) {
	row := logRow{
		"type": kind, "uuid": c.w.id("row"), "parentUuid": nil, "sessionId": c.id, "timestamp": stamp(c.w.now), "cwd": "/repo", "version": "2.1.98",
		"gitBranch": "main", "isSidechain": sidechain, "userType": "external",
	}
	maps.Copy(row, members)
	c.visits[c.visit].saw(c.w.now)
	rows := &c.rows
	if sidechain {
		rows = &c.side
	}
	if n := len(*rows); n > 0 {
		follows := "parentUuid"
		if row["subtype"] == "compact_boundary" {
			follows = "logicalParentUuid"
		}
		row[follows] = (*rows)[n-1]["uuid"]
	}
	*rows = append(*rows, row)
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// work adds some turns: prompts, calls of the model, calls of tools and their results.
func (c *conversation) work() {
	for range rapid.IntRange(1, 4).Draw(c.w.t, "turns") {
		if c.phased && c.w.chance("phase", 4) {
			c.enter()
		}
		c.turn()
	}
}

func (c *conversation) turn() {
	w, side := c.w, c.w.chance("subagent", 5)
	w.pass()
	if !side && w.chance("prompt", 2) {
		c.row("user", false, map[string]any{"message": map[string]any{"role": "user", "content": "go on"}})
	}
	switch {
	case w.chance("compaction", 10):
		c.row("system", side, map[string]any{"subtype": "compact_boundary", "content": "Conversation compacted"})
		c.row("user", side, map[string]any{"isCompactSummary": true, "message": map[string]any{"role": "user", "content": "This session is being continued"}})
	case w.chance("error of the API", 10):
		c.row("assistant", side, map[string]any{"isApiErrorMessage": true, "message": map[string]any{
			"id": w.id("msg"), "model": "<synthetic>", "content": []any{}, "usage": usage([4]int64{}),
		}})
	}
	message, tokens := w.id("msg"), w.tokens()
	compaction := [4]int64{}
	if w.chance("server-side compaction", 8) {
		compaction = w.tokens()
	}
	hasUsage := w.harmless || !w.chance("no usage", 12)
	answer := func(block map[string]any, output int64) {
		members := map[string]any{"id": message, "model": "claude", "role": "assistant", "content": []any{block}}
		if hasUsage {
			own := usage([4]int64{tokens[0], output, tokens[2], tokens[3]})
			if compaction[0] > 0 { // which the counts leave out
				message, before := maps.Clone(own), usage(compaction)
				message["type"], before["type"] = "message", "compaction"
				own["iterations"] = []any{before, message}
			}
			members["usage"] = own
		}
		c.row("assistant", side, map[string]any{"requestId": "req" + message, "message": members})
	}
	if hasUsage {
		c.count(tokens)
		c.count(compaction)
	} else {
		for _, part := range tokenParts {
			c.visits[c.visit].unknown[part] = true
		}
	}
	answer(map[string]any{"type": "text", "text": "Next."}, min(1, tokens[1]))
	var asked []action
	for range rapid.IntRange(0, 2).Draw(w.t, "calls") {
		w.pass()
		a := c.newAction(len(asked))
		asked = append(asked, a)
		answer(map[string]any{"type": "tool_use", "id": a.id, "name": a.tool, "input": a.input()}, tokens[1])
	}
	answer(map[string]any{"type": "text", "text": "…"}, tokens[1])
	for _, a := range asked {
		w.pass()
		a.done = w.now
		c.result(a, side)
		c.did(a)
	}
	if !w.harmless && w.chance("row of a future type", 25) {
		c.row("assistant_v2", false, map[string]any{"message": map[string]any{"usage": usage(tokens), "content": []any{
			map[string]any{"type": "tool_use", "id": w.id("toolu"), "name": "Bash", "input": map[string]any{"command": "make"}},
		}}})
		c.loseAll()
		c.unknown["seconds"] = false // its time is known
	}
}

// newAction draws a call of a tool.
func (c *conversation) newAction(n int) action {
	w := c.w
	tools := []string{"Bash", "Bash", "Bash", "Edit", "Write", "Read", "PowerShell"}
	a := action{tool: rapid.SampledFrom(tools).Draw(w.t, "tool"), asked: w.now, visit: c.visit, id: w.id("toolu")}
	if c.reusesIDs {
		a.id = fmt.Sprintf("functions.%s:%d", a.tool, n)
	}
	if !w.harmless && w.chance("unknown tool", 30) {
		a.tool = "Frobnicate"
		c.mentions = append(c.mentions, a.tool)
		c.lose("commands", "edits") // what the tool does is unknown
	}
	a.text = rapid.SampledFrom([]string{"make", "go test ./...", "ls"}).Draw(w.t, "text")
	a.outcome = rapid.SampledFrom([]string{"ok", "ok", "ok", "failed", "rejected"}).Draw(w.t, "outcome")
	if !w.harmless && w.chance("no result", 12) {
		a.outcome = ""
	}
	return a
}

func (c *conversation) result(a action, side bool) {
	text := map[string]string{"ok": "fine", "failed": "Exit code 2\nno", "rejected": "The user doesn't want to proceed with this tool use."}[a.outcome]
	if a.outcome == "" {
		return
	}
	c.row("user", side, map[string]any{"message": map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": a.id, "content": text, "is_error": a.outcome != "ok"},
	}}})
}

// did counts an action.
func (c *conversation) did(a action) {
	c.actions = append(c.actions, a)
	quantity := a.quantity()
	if quantity == "" {
		return
	}
	if a.outcome == "" {
		c.visits[a.visit].unknown[quantity] = true
		return
	}
	c.visits[a.visit].counts[quantity]++
}

func (c *conversation) count(tokens [4]int64) {
	for i, part := range tokenParts {
		c.visits[c.visit].counts[part] += tokens[i]
	}
}

// write writes the transcript, and that of its subagent.
func (c *conversation) write() {
	c.w.write(c.file(), jsonLines(c.rows))
	if len(c.side) > 0 {
		name := fmt.Sprintf("%s%s/subagents/agent-%s.jsonl", c.dir, c.id, c.w.id("a"))
		if c.w.chance("old layout", 2) {
			name = fmt.Sprintf("%sagent-%s.jsonl", c.dir, c.w.id("a"))
		}
		c.w.write(name, jsonLines(c.side))
	}
}

func (c *conversation) file() string { return c.dir + c.id + ".jsonl" }

// resume returns a conversation whose transcript begins with a copy of the rows of c.
// With fork, its rows name the parent, and it may copy a part only.
func (c *conversation) resume(fork bool) *conversation {
	copied := c.w.newConversation(false)
	copied.dir, copied.reusesIDs, copied.mayBeUnknown = c.dir, c.reusesIDs, !c.w.harmless
	rows := c.rows
	if fork && len(rows) > 0 {
		rows = rows[:rapid.IntRange(1, len(rows)).Draw(c.w.t, "copied rows")]
	}
	for _, row := range rows {
		row = maps.Clone(row)
		if fork {
			row["forkedFrom"] = map[string]any{"sessionId": row["sessionId"], "messageUuid": row["uuid"]}
		}
		row["sessionId"] = copied.id
		copied.rows = append(copied.rows, row)
	}
	copied.work()
	return copied
}

func usage(tokens [4]int64) map[string]any {
	return map[string]any{
		"input_tokens": tokens[0], "output_tokens": tokens[1], "cache_read_input_tokens": tokens[2], "cache_creation_input_tokens": tokens[3],
	}
}
