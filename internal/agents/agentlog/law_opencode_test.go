package agentlog_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // writes the databases
	"pgregory.net/rapid"
)

// TestOpenCodeLaw compares the counts of sessions with a model that writes random databases
// of OpenCode, with SQLite itself, and knows what happened.
func TestOpenCodeLaw(t *testing.T) {
	dir := t.TempDir()
	checkArchives(t, func(w *archive) bool { return w.openCode(dir) })
}

// openCode is a session of OpenCode in the making.
type openCode struct {
	*account

	w          *archive
	id, parent string
	rows       []openCodeRow
}

// openCodeRow is a row of a message or of one of its parts.
type openCodeRow struct {
	table, id, message string
	data               map[string]any
	torn               bool
	counted            bool // a part that holds something that is counted
}

func (c *openCode) add(table, message string, data map[string]any) *openCodeRow {
	id := strings.ReplaceAll(c.w.id(map[string]string{"message": "msg", "part": "prt"}[table]), "-", "_")
	if table == "message" {
		message = id
	}
	c.rows = append(c.rows, openCodeRow{table: table, id: id, message: message, data: data})
	return &c.rows[len(c.rows)-1]
}

func (c *openCode) visit() *visitAccount { return c.visits[wholeSession] }

// milliseconds notes a time and returns it as OpenCode writes it.
func (c *openCode) milliseconds() int64 {
	c.visit().saw(c.w.now)
	return c.w.now.UnixMilli()
}

func (w *archive) newOpenCode(parent string) *openCode {
	c := &openCode{w: w, id: strings.ReplaceAll(w.id("ses"), "-", "_"), parent: parent}
	c.account = w.newAccount(c.id)
	c.visits[wholeSession] = newVisitAccount()
	for range rapid.IntRange(1, 4).Draw(w.t, "turns") {
		w.pass()
		if w.chance("prompt", 2) {
			m := c.add("message", "", map[string]any{"role": "user", "time": map[string]any{"created": c.milliseconds()}})
			c.add("part", m.id, map[string]any{"type": "text", "text": "go on", "synthetic": w.chance("synthetic", 4)})
		}
		c.answer()
	}
	return c
}

// answer adds an answer of the model: its tokens, as they are recorded, and its calls.
func (c *openCode) answer() {
	w := c.w
	outcomes := []string{"whole", "whole", "whole", "repeated", "steps", "refused"}
	if !w.harmless {
		outcomes = append(outcomes, "aborted", "open", "wrong")
	}
	outcome := rapid.SampledFrom(outcomes).Draw(w.t, "answer")
	tokens := w.tokens()
	began := c.milliseconds()
	zero := openCodeTokens([4]int64{}, 0)
	data := map[string]any{"role": "assistant", "path": map[string]any{"cwd": "/repo"}, "time": map[string]any{"created": began}}
	m := c.add("message", "", data)
	id := m.id
	w.pass()
	if outcome != "open" {
		data["time"] = map[string]any{"created": began, "completed": c.milliseconds()}
	}
	reasoning := int64(rapid.IntRange(0, 1).Draw(w.t, "reasoning")) * tokens[1] / 2
	used := openCodeTokens(tokens, reasoning)
	switch outcome {
	case "whole":
		c.count(tokens)
	case "repeated": // by the part that ends the call of the model
		c.count(tokens)
		c.add("part", id, map[string]any{"type": "step-finish", "tokens": used}).counted = true
	case "steps": // the message has the tokens of the last
		for i := range 2 {
			if i > 0 {
				tokens = w.tokens()
				used = openCodeTokens(tokens, 0)
			}
			c.count(tokens)
			c.add("part", id, map[string]any{"type": "step-finish", "tokens": used}).counted = true
		}
	case "refused":
		used = zero
		data["error"] = map[string]any{"name": "APIError", "data": map[string]any{"message": "429"}}
	case "aborted":
		used = zero
		data["error"] = map[string]any{"name": "MessageAbortedError"}
		c.lose(tokenParts...)
	case "open":
		used = zero
		c.lose(tokenParts...)
	case "wrong":
		used["input"] = "many"
		c.lose(tokenParts...)
	}
	data["tokens"] = used
	if outcome == "refused" {
		return
	}
	if !w.harmless && w.chance("no parts", 12) && outcome != "open" && outcome != "aborted" {
		if !slices.ContainsFunc(c.rows, func(r openCodeRow) bool { return r.table == "part" && r.message == id }) {
			c.loseAll() // the store of parts is not there
		}
		return
	}
	c.add("part", id, map[string]any{"type": "step-start"})
	for range rapid.IntRange(0, 3).Draw(w.t, "calls") {
		w.pass()
		c.call(id)
	}
	if w.chance("reasoning part", 3) {
		c.add("part", id, map[string]any{"type": "reasoning", "text": strings.Repeat("hm ", rapid.IntRange(0, 3000).Draw(w.t, "length"))})
	}
	if !w.harmless && w.chance("part of a future type", 20) {
		c.add("part", id, map[string]any{"type": "tool_v2", "state": map[string]any{"time": map[string]any{"start": c.milliseconds()}}})
		lost := c.unknown["seconds"]
		c.loseAll()
		c.unknown["seconds"] = lost // its time is known
	}
}

func openCodeTokens(t [4]int64, reasoning int64) map[string]any {
	return map[string]any{
		"input": t[0], "output": t[1] - reasoning, "reasoning": reasoning, "cache": map[string]any{"read": t[2], "write": t[3]}, "total": t[0] + t[1] + t[2] + t[3],
	}
}

func (c *openCode) count(tokens [4]int64) {
	for i, part := range tokenParts {
		c.visit().counts[part] += tokens[i]
	}
}

// call adds a call of a tool.
func (c *openCode) call(message string) {
	w := c.w
	tools := []string{"bash", "bash", "edit", "write", "read", "glob", "task", "probe_echo", "apply_patch", "background_process", "background_process list"}
	if !w.harmless {
		tools = append(tools, "frobnicate")
	}
	tool := rapid.SampledFrom(tools).Draw(w.t, "tool")
	statuses := []string{"ok", "ok", "failed", "refused"}
	if !w.harmless {
		statuses = append(statuses, "running", "pending", "aborted")
	}
	status := rapid.SampledFrom(statuses).Draw(w.t, "status")
	quantity, input := "", map[string]any{"filePath": "a.go"}
	switch tool {
	case "bash":
		quantity, input = "commands", map[string]any{"command": rapid.SampledFrom([]string{"make", "go test ./...", "echo 'ü\"\n'"}).Draw(w.t, "command")}
	case "edit", "write":
		quantity = "edits"
	case "apply_patch":
		quantity, input = "edits", map[string]any{"patchText": "*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** End Patch"}
	case "background_process": // of Kilo
		quantity, input = "commands", map[string]any{"action": "start", "command": "make"}
	case "background_process list":
		tool, input = "background_process", map[string]any{"action": "list"}
	case "frobnicate":
		c.lose("commands", "edits")
		c.mentions = append(c.mentions, tool)
	}
	state := map[string]any{"input": input}
	if status != "pending" {
		began := c.milliseconds()
		state["time"] = map[string]any{"start": began}
		if status != "running" {
			w.pass()
			state["time"] = map[string]any{"start": began, "end": c.milliseconds()}
		}
	}
	done := false
	switch status {
	case "ok":
		done = true
		state["status"], state["output"], state["metadata"] = "completed", strings.Repeat("é", rapid.IntRange(0, 5000).Draw(w.t, "output")), map[string]any{"exit": 0}
	case "failed":
		if done = quantity == "commands" && tool != "background_process"; done {
			state["status"], state["metadata"] = "completed", map[string]any{"exit": 2}
		} else {
			state["status"], state["error"] = "error", "File not found"
		}
	case "refused":
		state["status"], state["error"] = "error", rapid.SampledFrom([]string{
			"The user rejected permission to use this specific tool call.", "The user has specified a rule which prevents you from using this specific tool call.",
		}).Draw(w.t, "refusal")
	case "running", "pending":
		state["status"] = status
		if quantity != "" {
			c.visit().unknown[quantity] = true
		}
	case "aborted":
		state["status"], state["error"] = "error", "Tool execution aborted"
		if done = quantity == "commands"; !done && quantity != "" {
			c.visit().unknown[quantity] = true
		}
	}
	if done && quantity != "" {
		c.visit().counts[quantity]++
	}
	c.add("part", message, map[string]any{"type": "tool", "tool": tool, "callID": w.id("call"), "state": state}).counted = true
}

// harm damages what the session holds.
func (c *openCode) harm() {
	switch i := rapid.IntRange(0, len(c.rows)-1).Draw(c.w.t, "harmed row"); {
	case c.w.chance("torn", 2):
		c.rows[i].torn = true
	case c.rows[i].table == "message" && slices.ContainsFunc(c.rows, func(r openCodeRow) bool { return r.message == c.rows[i].id && r.counted }):
		c.rows = slices.Delete(c.rows, i, i+1)
	default:
		return
	}
	c.loseAll()
	c.mentions = nil
}

// openCode adds a database of sessions, some of them of subagents.
func (w *archive) openCode(dir string) (damaged bool) {
	var sessions []*openCode
	for range rapid.IntRange(1, 4).Draw(w.t, "sessions") {
		w.now = w.now.Add(time.Hour)
		parent := ""
		if len(sessions) > 0 && w.chance("subagent", 3) {
			parent = sessions[len(sessions)-1].id
		}
		c := w.newOpenCode(parent)
		if !w.harmless && w.chance("harmed", 4) {
			c.harm()
		}
		sessions = append(sessions, c)
	}
	db, wal := w.writeOpenCode(filepath.Join(dir, "opencode.db"), sessions)
	return w.shipDatabase("share/opencode/opencode.db", db, wal)
}

// shipDatabase adds a database, perhaps damaged, compressed or with a copy.
func (w *archive) shipDatabase(name string, db, wal []byte) (damaged bool) {
	if damaged = !w.harmless && w.chance("damaged pages", 4); damaged {
		db = slices.Clone(db)
		if w.chance("cut", 2) {
			db = db[:rapid.IntRange(1, len(db)-1).Draw(w.t, "to")]
		} else {
			page := rapid.IntRange(0, len(db)/4096-1).Draw(w.t, "page") * 4096
			clear(db[page : page+4096])
		}
	}
	switch {
	case wal != nil:
		w.files[name], w.files[name+"-wal"] = db, wal
	case w.chance("compressed", 3):
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(db)
		z.Close()
		w.files[name+".gz"] = b.Bytes()
	default:
		w.files[name] = db
		if w.chance("a copy", 4) {
			w.files["share/copy.db"] = db
		}
	}
	return damaged
}

func (w *archive) writeOpenCode(file string, sessions []*openCode) (db, wal []byte) {
	return w.writeDatabase(file, func(exec func(statement string, args ...any)) { w.fillOpenCode(exec, sessions) })
}

// writeDatabase writes a database; wal is nil if it has no write-ahead log.
func (w *archive) writeDatabase(file string, fill func(exec func(statement string, args ...any))) (db, wal []byte) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(file + suffix)
	}
	conn, err := sql.Open("sqlite", file)
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetMaxOpenConns(1)
	exec := func(statement string, args ...any) {
		if _, err := conn.Exec(statement, args...); err != nil {
			w.t.Fatalf("%s: %v", statement, err)
		}
	}
	exec("PRAGMA synchronous = OFF")
	mode := rapid.SampledFrom([]string{"WAL", "DELETE"}).Draw(w.t, "journal")
	exec("PRAGMA journal_mode = " + mode)
	exec("PRAGMA wal_autocheckpoint = " + rapid.SampledFrom([]string{"2", "1000"}).Draw(w.t, "checkpoint"))
	fill(exec)
	db, err = os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if mode == "WAL" {
		if wal, err = os.ReadFile(file + "-wal"); err != nil {
			w.t.Fatal(err)
		}
	}
	return db, wal
}

func (w *archive) fillOpenCode(exec func(statement string, args ...any), sessions []*openCode) {
	exec("CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text, `directory` text NOT NULL, `time_created` integer NOT NULL, CONSTRAINT `fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`))")
	exec("CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL, `data` text NOT NULL)")
	exec("CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL, `time_created` integer NOT NULL, `data` text NOT NULL)")
	exec("CREATE INDEX `part_session_idx` ON `part` (`session_id`)")
	if rapid.Bool().Draw(w.t, "of Kilo") {
		exec("CREATE TABLE `kilo_board` (`root_session_id` text PRIMARY KEY)")
	}
	for _, c := range sessions {
		exec("BEGIN")
		var parent any
		if c.parent != "" {
			parent = c.parent
		}
		exec("INSERT INTO session VALUES (?, 'p', ?, '/repo', ?)", c.id, parent, c.w.now.UnixMilli())
		for _, r := range c.rows {
			data, err := json.Marshal(r.data)
			if err != nil {
				w.t.Fatal(err)
			}
			if r.torn {
				data = data[:rapid.IntRange(0, len(data)-1).Draw(w.t, "torn at")]
			}
			if r.table == "message" {
				exec("INSERT INTO message VALUES (?, ?, 0, '{}')", r.id, c.id)
			} else {
				exec("INSERT INTO part VALUES (?, ?, ?, 0, '{}')", r.id, r.message, c.id)
			}
			exec(fmt.Sprintf("UPDATE %s SET data = ? WHERE id = ?", r.table), string(data), r.id)
		}
		exec("COMMIT")
	}
}
