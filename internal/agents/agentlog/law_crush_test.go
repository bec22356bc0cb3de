package agentlog_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestCrushLaw compares the counts of sessions with a model that writes random databases of Crush, with
// SQLite itself, and knows what happened.
func TestCrushLaw(t *testing.T) {
	dir := t.TempDir()
	checkArchives(t, func(w *archive) bool {
		db, wal := w.writeCrush(filepath.Join(dir, "crush.db"), w.crush())
		return w.shipDatabase("shop/.crush/crush.db", db, wal)
	})
}

// TestMistypedCrushLaw gives a random value of a message another type. No command is invented, and none succeeds
// or fails that did not, unless something is reported.
func TestMistypedCrushLaw(t *testing.T) {
	dir := t.TempDir()
	lawtest.Check(t, func(t *rapid.T) {
		w := newArchive(t)
		w.harmless = true
		sessions := w.crush()
		load := func() (outcomes []string, lost bool) {
			db, wal := w.writeCrush(filepath.Join(dir, "crush.db"), sessions)
			w.files = map[string][]byte{"crush.db": db}
			if wal != nil {
				w.files["crush.db-wal"] = wal
			}
			all, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: w.system(), Path: "."}}, agentlog.Options{})
			if err != nil {
				t.Fatal(err)
			}
			isLoss := func(d fact.Diagnostic) bool { return d.Loss }
			lost = slices.ContainsFunc(summary.Diagnostics, isLoss)
			for i := range all {
				lost = lost || slices.ContainsFunc(all[i].Diagnostics, isLoss)
				for _, c := range all[i].Calls {
					outcomes = append(outcomes, fmt.Sprint(c.Kind, " ", c.Command, c.Paths, " ", c.Status))
				}
			}
			return outcomes, lost
		}
		before, lost := load()
		if lost {
			t.Fatal("a loss in a database without damage")
		}
		c := rapid.SampledFrom(sessions).Draw(t, "session")
		at := rapid.IntRange(0, len(c.rows)-1).Draw(t, "row")
		c.rows[at].parts = string(mistype(t, []byte(c.rows[at].parts)))
		after, lost := load()
		if !lost && !slices.Equal(before, after) {
			t.Fatalf("nothing is said of the loss by:\n%s\nbefore: %q\nafter: %q", c.rows[at].parts, before, after)
		}
	})
}

// crushSession is a session of Crush in the making.
type crushSession struct {
	*account

	w          *archive
	id, parent string
	rows       []crushRow
	fewer      bool // a row is missing, which the count of messages has
}

type crushRow struct {
	id, role, parts string
	at              time.Time
	holds           bool // something that is counted
}

// add adds a message with parts, each a type and what it holds.
func (c *crushSession) add(role string, parts ...any) *crushRow {
	c.visits[wholeSession].saw(c.w.now.Truncate(time.Second))
	list := []any{}
	for i := 0; i < len(parts); i += 2 {
		list = append(list, map[string]any{"type": parts[i], "data": parts[i+1]})
	}
	if role != "assistant" {
		list = append(list, map[string]any{"type": "finish", "data": map[string]any{"reason": "stop", "time": 0}})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	c.rows = append(c.rows, crushRow{id: c.w.id("msg"), role: role, parts: string(text), at: c.w.now})
	return &c.rows[len(c.rows)-1]
}

func finish(reason string) map[string]any { return map[string]any{"reason": reason, "time": 1} }

func (w *archive) newCrush(parent string) *crushSession {
	c := &crushSession{w: w, id: w.id("ses"), parent: parent}
	if parent != "" {
		c.id = w.id("msg") + "$$" + c.id
	}
	c.account = w.newAccount(c.id)
	c.visits[wholeSession] = newVisitAccount()
	c.lose(tokenParts...)
	for range rapid.IntRange(1, 4).Draw(w.t, "turns") {
		w.pass()
		c.add("user", "text", map[string]any{"text": rapid.SampledFrom([]string{"go on", "The previous session was interrupted because it got too long, …"}).Draw(w.t, "prompt")})
		for range rapid.IntRange(0, 4).Draw(w.t, "calls") {
			w.pass()
			c.call()
		}
		if !w.harmless && w.chance("part of a future type", 20) {
			c.add("assistant", "tool_v2", map[string]any{"id": "x"})
			lost := c.unknown["seconds"]
			c.loseAll()
			c.unknown["seconds"] = lost // its time is known
		}
		c.add("assistant", "reasoning", map[string]any{"thinking": "hm"}, "text", map[string]any{"text": strings.Repeat("é", rapid.IntRange(0, 3000).Draw(w.t, "length"))}, "finish", finish("end_turn"))
	}
	return c
}

// call adds a call of a tool and its result.
func (c *crushSession) call() {
	w := c.w
	tools := []string{"bash", "bash", "bash", "edit", "multiedit", "write", "view", "glob", "agent", "mcp_probe_echo", "no such tool"}
	if !w.harmless {
		tools = append(tools, "frobnicate", "lsp_rename")
	}
	tool := rapid.SampledFrom(tools).Draw(w.t, "tool")
	quantity, input, done := "", map[string]any{"file_path": "/repo/a.go"}, false
	switch tool {
	case "bash":
		quantity, input = "commands", map[string]any{"command": rapid.SampledFrom([]string{"make", "go test ./...", "echo 'ü\"\n'", "cd x && <make>"}).Draw(w.t, "command"), "description": "x"}
	case "edit", "multiedit", "write":
		quantity = "edits"
	}
	id := rapid.SampledFrom([]string{w.id("call"), "tool_0"}).Draw(w.t, "id") // some models use ids again
	text, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	c.add("assistant", "tool_call", map[string]any{"id": id, "name": strings.ReplaceAll(tool, " ", "_"), "input": string(text), "provider_executed": false, "finished": true}, "finish", finish("tool_use")).holds = true
	w.pass()
	outcomes := []string{"ok", "ok", "failed", "refused"}
	if !w.harmless {
		outcomes = append(outcomes, "open", "stopped", "background")
	}
	outcome := rapid.SampledFrom(outcomes).Draw(w.t, "outcome")
	result := map[string]any{"tool_call_id": id, "name": tool, "content": "done", "data": "", "mime_type": "", "metadata": "", "is_error": false}
	began := w.now
	about := map[string]any{}
	printed := rapid.SampledFrom([]string{"", "hello\n", "Exit code 3\n", "é\n\n<cwd>/tmp</cwd>\n"}).Draw(w.t, "printed")
	switch outcome {
	case "ok":
		done = true
	case "failed":
		done = quantity == "commands"
		printed += rapid.SampledFrom([]string{"\nno such file\nExit code 2", "\nCommand was aborted before completion"}).Draw(w.t, "failure")
		if !done {
			result["content"], result["is_error"] = "old_string not found in file", true
		}
	case "refused":
		result["content"], result["is_error"] = rapid.SampledFrom([]string{"User denied permission", "user denied permission", "Permission denied", "Tool call blocked by hook. Reason: no"}).Draw(w.t, "refusal"), true
	case "stopped":
		result["content"], result["is_error"] = rapid.SampledFrom([]string{"Tool execution canceled by user", "Error: user cancelled assistant tool calling", "There was an error while executing the tool"}).Draw(w.t, "stop"), true
		if done = quantity == "commands"; !done && quantity != "" {
			c.visits[wholeSession].unknown[quantity] = true
		}
	case "background":
		done, about["shell_id"], about["background"] = true, "004", true
	case "open":
		if quantity != "" {
			c.visits[wholeSession].unknown[quantity] = true
		}
	}
	switch {
	case tool == "no such tool":
		result["content"], result["is_error"] = rapid.SampledFrom([]string{"Tool not found: ", "tool not found: "}).Draw(w.t, "missing")+tool, true
		if outcome == "open" {
			outcome = "ok"
		}
	case tool == "frobnicate", tool == "lsp_rename" && result["is_error"] == false:
		c.lose("commands", "edits")
		c.mentions = append(c.mentions, map[string]string{"frobnicate": "frobnicate", "lsp_rename": "a rename"}[tool])
	case tool == "bash" && result["is_error"] == false && outcome != "open":
		c.visits[wholeSession].saw(began)
		w.pass()
		c.visits[wholeSession].saw(w.now)
		about["start_time"], about["end_time"], about["output"], about["working_directory"] = began.UnixMilli(), w.now.UnixMilli(), printed, "/repo"
		result["content"] = printed + "\n\n<cwd>/repo</cwd>"
		if w.chance("without the output", 3) { // as in old versions
			delete(about, "output")
		}
		text, err := json.Marshal(about)
		if err != nil {
			panic(err)
		}
		result["metadata"] = string(text)
	}
	if done && quantity != "" {
		c.visits[wholeSession].counts[quantity]++
	}
	if outcome == "open" {
		return
	}
	c.add("tool", "tool_result", result).holds = true
}

// harm damages what the session holds.
func (c *crushSession) harm() {
	i := rapid.IntRange(0, len(c.rows)-1).Draw(c.w.t, "harmed row")
	if c.w.chance("torn", 2) {
		text := c.rows[i].parts
		c.rows[i].parts = text[:rapid.IntRange(0, len(text)-1).Draw(c.w.t, "torn at")]
	} else {
		c.rows, c.fewer = slices.Delete(c.rows, i, i+1), true
	}
	c.loseAll()
	c.mentions = nil
}

// crush returns sessions of a database, some of them of subagents.
func (w *archive) crush() (sessions []*crushSession) {
	for range rapid.IntRange(1, 4).Draw(w.t, "sessions") {
		w.now = w.now.Add(time.Hour)
		parent := ""
		if len(sessions) > 0 && w.chance("subagent", 3) {
			parent = sessions[len(sessions)-1].id
		}
		c := w.newCrush(parent)
		if !w.harmless && w.chance("harmed", 4) {
			c.harm()
		}
		sessions = append(sessions, c)
	}
	return sessions
}

func (w *archive) writeCrush(file string, sessions []*crushSession) (db, wal []byte) {
	return w.writeDatabase(file, func(exec func(statement string, args ...any)) {
		exec("CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0), cost REAL NOT NULL DEFAULT 0.0 CHECK (cost >= 0.0), updated_at INTEGER NOT NULL,  -- Unix timestamp in milliseconds\n created_at INTEGER NOT NULL, summary_message_id TEXT)")
		exec("CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE)")
		if w.n%2 == 0 { // of versions since 2026
			exec("CREATE TABLE read_files (session_id TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (path, session_id))")
		}
		for _, c := range sessions {
			exec("BEGIN")
			var parent any
			if c.parent != "" {
				parent = c.parent
			}
			count := len(c.rows)
			if c.fewer {
				count++
			}
			exec("INSERT INTO sessions VALUES (?, ?, 't', ?, 0.5, 0, ?, NULL)", c.id, parent, count, c.rows[0].at.Unix())
			for _, r := range c.rows {
				exec("INSERT INTO messages VALUES (?, ?, ?, '[]', 'm', ?)", r.id, c.id, r.role, r.at.Unix())
				exec("UPDATE messages SET parts = ? WHERE id = ?", r.parts, r.id)
			}
			exec("COMMIT")
		}
	})
}
