package agentlog_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// run models a session whose output is in one or several files.
type run struct {
	Commands, Edits, Others []string // each with its outcome
	Prompts                 int
	Tokens                  [4]int64 // input, output, cache read, cache write
	Counted                 bool     // the tokens are known
	Lost                    bool     // something is missing
}

// streams writes the outputs of agents, and knows what happened.
type streams struct {
	t     *rapid.T
	files map[string][]logRow
	torn  map[string]bool
	want  map[string]*run
	now   time.Time
	ids   int
}

func (w *streams) pick(what string, of ...string) string {
	return rapid.SampledFrom(of).Draw(w.t, what)
}

func (w *streams) chance(what string, n int) bool {
	return rapid.IntRange(0, n-1).Draw(w.t, what) == n-1
}

func (w *streams) id(kind string) string { w.ids++; return kind + "-" + strconv.Itoa(w.ids) }

// TestStreamsLaw compares the sessions in random outputs of agents with what their generator
// wrote. One file may have several runs, of one session or of several.
func TestStreamsLaw(t *testing.T) {
	for name, write := range map[string]func(*streams, string, *run) []logRow{
		"codex": (*streams).codexExec, "gemini": (*streams).geminiStream, "cursor": (*streams).cursorStream,
	} {
		t.Run(name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				w := &streams{t: t, files: map[string][]logRow{}, torn: map[string]bool{}, want: map[string]*run{}, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
				for range rapid.IntRange(1, 4).Draw(t, "runs") {
					id := w.pick("session", "s1", "s2", "s3")
					file := w.pick("file", "a.jsonl", "ci/b.jsonl")
					if w.want[id] == nil {
						w.want[id] = &run{Counted: true}
					}
					w.files[file] = append(w.files[file], write(w, id, w.want[id])...)
				}
				fsys := fstest.MapFS{}
				for name, rows := range w.files {
					fsys[name] = &fstest.MapFile{Data: jsonLines(rows)}
					if w.chance("copied", 4) {
						fsys["copy/"+strings.ReplaceAll(name, "/", "-")] = fsys[name]
					}
				}
				sessions, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{})
				if err != nil || len(summary.Diagnostics) > 0 {
					t.Fatal(summary.Diagnostics, err)
				}
				got := map[string]*run{}
				for i := range sessions {
					got[sessions[i].ID] = seen(&sessions[i])
				}
				for _, r := range w.want {
					slices.Sort(r.Commands)
					slices.Sort(r.Edits)
					slices.Sort(r.Others)
				}
				if d := cmp.Diff(w.want, got); d != "" {
					t.Fatalf("(-want +got)\n%s\n%s", d, text(w.files))
				}
			})
		})
	}
}

// TestCutStreamsLaw cuts random outputs of agents anywhere: nothing is invented, and what is lost is said.
func TestCutStreamsLaw(t *testing.T) {
	for name, write := range map[string]func(*streams, string, *run) []logRow{
		"codex": (*streams).codexExec, "gemini": (*streams).geminiStream, "cursor": (*streams).cursorStream,
	} {
		t.Run(name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				w := &streams{t: t, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
				all := &run{Counted: true}
				text := jsonLines(write(w, "s1", all))
				cut := rapid.IntRange(1, len(text)-1).Draw(t, "cut")
				damaged := append(slices.Clone(text[:cut]), rapid.SampledFrom([]string{"", "\n", "\n{\"type\":5}\n", "\n[]\n", "\x00\x00"}).Draw(t, "end")...)
				sessions, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fstest.MapFS{"a.jsonl": {Data: damaged}}, Path: "."}}, agentlog.Options{})
				if err != nil {
					t.Fatal(err)
				}
				lost := slices.ContainsFunc(summary.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
				for i := range sessions {
					got := seen(&sessions[i])
					lost = lost || got.Lost || !got.Counted
					for j, list := range [][]string{got.Commands, got.Edits, got.Others} {
						for _, c := range list {
							what, _, _ := strings.Cut(c, ": ")
							if !slices.ContainsFunc([][]string{all.Commands, all.Edits, all.Others}[j], func(o string) bool { return strings.HasPrefix(o, what+": ") }) {
								t.Fatalf("%s was not made", c)
							}
						}
					}
				}
				lines := strings.Split(strings.TrimSpace(string(text[:cut])), "\n")
				if last := lines[len(lines)-1]; strings.Contains(last, `"turn.completed"`) && strings.HasSuffix(last, "}}") {
					return // a turn ended here
				}
				whole := len(strings.TrimRight(string(text), "\n")) <= cut
				if complete := !all.Lost && all.Counted; !lost && (!whole || !complete) && strings.Count(string(text[:cut]), "\n") < strings.Count(string(text), "\n")-1 {
					t.Fatalf("nothing is said of the loss, of:\n%s", damaged)
				}
			})
		})
	}
}

func text(files map[string][]logRow) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, jsonLines(files[name]))
	}
	return b.String()
}

// seen returns what was read of a session.
func seen(s *session.Session) *run {
	r := &run{Prompts: len(s.Prompts), Counted: s.TokensKnown}
	for i := range s.Calls {
		c := &s.Calls[i]
		switch end := ": " + string(c.Status); c.Kind {
		case fact.Command:
			r.Commands = append(r.Commands, c.Command+end)
		case fact.FileEdit:
			r.Edits = append(r.Edits, strings.Join(c.Paths, ",")+end)
		default:
			r.Others = append(r.Others, c.Name+end)
		}
	}
	slices.Sort(r.Commands)
	slices.Sort(r.Edits)
	slices.Sort(r.Others)
	sum := session.Sum(s.Tokens)
	for i, n := range []*int64{sum.Input, sum.Output, sum.CacheRead, sum.CacheWrite} {
		if n != nil {
			r.Tokens[i] = *n
		}
	}
	for _, d := range s.Diagnostics {
		switch {
		case d.Code == fact.WrongTokens:
			r.Counted = false
		case d.Loss && d.Code != fact.NoTime:
			r.Lost = true
		}
	}
	return r
}

var scripts = []string{"make", "go test ./...", `echo "it's" $X`, "rm -r 'build dir'"}

func (w *streams) counts() (n [4]int64) {
	for i := range n {
		n[i] = int64(rapid.IntRange(1, 9999).Draw(w.t, "tokens"))
	}
	return n
}

func (w *streams) codexExec(id string, r *run) []logRow {
	rows := []logRow{{"type": "thread.started", "thread_id": id}}
	n := 0
	for range rapid.IntRange(1, 2).Draw(w.t, "turns") {
		r.Prompts++
		rows = append(rows, logRow{"type": "turn.started"})
		item := func(kind, of string, more logRow) {
			more["id"], more["type"] = fmt.Sprint("item_", n), of
			rows = append(rows, logRow{"type": "item." + kind, "item": more})
		}
		item("completed", "reasoning", logRow{"text": w.id("thought")})
		n++
		for range rapid.IntRange(0, 4).Draw(w.t, "items") {
			switch w.pick("item", "command", "command", "edit", "mcp", "text", "other") {
			case "command":
				script := w.pick("script", scripts...)
				line := script
				if w.chance("shell", 2) {
					line = "/bin/bash -lc " + w.pick("quotes", "'"+strings.ReplaceAll(script, "'", `'"'"'`)+"'", `"`+strings.NewReplacer(`"`, `\"`, "$", `\$`).Replace(script)+`"`)
				}
				status, exit := w.pick("status", "completed", "failed", "declined", "in_progress"), any(nil)
				outcome := map[string]string{"completed": "ok", "failed": "error", "declined": "rejected", "in_progress": "running"}[status]
				switch {
				case status == "failed":
					exit = 2
				case status == "completed" && w.chance("in the background", 4):
					outcome = "running"
				case status == "completed":
					exit = 0
				}
				item("started", "command_execution", logRow{"command": line, "status": "in_progress", "exit_code": nil})
				if status != "in_progress" {
					item("completed", "command_execution", logRow{"command": line, "status": status, "exit_code": exit})
				}
				r.Commands = append(r.Commands, script+": "+outcome)
			case "edit":
				status := w.pick("status", "completed", "failed")
				item("completed", "file_change", logRow{"changes": []any{logRow{"path": "/r/a.go", "kind": "add"}, logRow{"path": "/r/ü b.go", "kind": "update"}}, "status": status})
				r.Edits = append(r.Edits, "/r/a.go,/r/ü b.go: "+map[string]string{"completed": "ok", "failed": "error"}[status])
			case "mcp":
				item("started", "mcp_tool_call", logRow{"server": "jira", "tool": "search", "status": "in_progress"})
				item("completed", "mcp_tool_call", logRow{"server": "jira", "tool": "search", "status": "completed"})
				r.Others = append(r.Others, "mcp__jira__search: ok")
			case "text":
				item("completed", w.pick("kind", "agent_message", "todo_list", "web_search", "error"), logRow{"text": "…"})
			case "other":
				if w.chance("future", 4) {
					item("completed", "teleport", logRow{})
					r.Lost = true
				}
			}
			n++
		}
		switch {
		case w.chance("failed turn", 8):
			rows = append(rows, logRow{"type": "error", "message": w.id("no")}, logRow{"type": "turn.failed", "error": logRow{"message": w.id("no")}})
			r.Counted = false
		case w.chance("turn without a count", 8):
			rows = append(rows, logRow{"type": "turn.completed", "usage": logRow{"input_tokens": 0, "cached_input_tokens": 0, "output_tokens": 0}})
			r.Counted = false
		default: // the counter only grows
			used := w.counts()
			for i, k := range []int{0, 1, 2} {
				r.Tokens[k] += used[i]
			}
			rows = append(rows, logRow{"type": "turn.completed", "usage": logRow{
				"input_tokens": r.Tokens[0] + r.Tokens[2], "cached_input_tokens": r.Tokens[2], "output_tokens": r.Tokens[1],
			}})
		}
	}
	return rows
}

func (w *streams) geminiStream(id string, r *run) []logRow {
	var rows []logRow
	add := func(kind string, more logRow) {
		w.now = w.now.Add(time.Second)
		more["type"], more["timestamp"] = kind, stamp(w.now)
		rows = append(rows, more)
	}
	add("init", logRow{"session_id": id, "model": "gemini-3-pro"})
	add("message", logRow{"role": "user", "content": "go"})
	r.Prompts++
	for range rapid.IntRange(0, 5).Draw(w.t, "steps") {
		call := w.id("call")
		use := func(tool string, parameters logRow) {
			add("tool_use", logRow{"tool_name": tool, "tool_id": call, "parameters": parameters})
		}
		switch w.pick("step", "text", "command", "command", "edit", "mcp", "error", "future") {
		case "text":
			add("message", logRow{"role": "assistant", "content": "…", "delta": true})
		case "command":
			script := w.pick("script", scripts...)
			use("run_shell_command", logRow{"command": script})
			outputs := map[string]string{ // to the outcome
				"": "ok", "Command exited with code: 3": "error", "two\nlines": "unknown", "Command terminated by signal: 9": "error", "(none)": "unknown",
				"Command moved to background (PID: 4). Output hidden. Press Ctrl+B to view.": "running", "(refused)": "rejected", "(failed)": "error",
			}
			output := w.pick("output", slices.Sorted(maps.Keys(outputs))...)
			result := logRow{"tool_id": call, "status": "success", "output": output}
			switch output {
			case "(none)":
				delete(result, "output")
			case "(refused)", "(failed)":
				message := map[string]string{"(refused)": "Tool execution denied by policy.", "(failed)": "spawn ENOENT"}[output]
				result["status"], result["output"], result["error"] = "error", message, logRow{"type": "x", "message": message}
			}
			add("tool_result", result)
			r.Commands = append(r.Commands, script+": "+outputs[output])
		case "edit":
			use("replace", logRow{"file_path": "/r/ä.go"})
			status := w.pick("status", "success", "error")
			add("tool_result", logRow{"tool_id": call, "status": status})
			r.Edits = append(r.Edits, "/r/ä.go: "+map[string]string{"success": "ok", "error": "error"}[status])
		case "mcp":
			use("mcp_jira_search", logRow{})
			r.Others = append(r.Others, "mcp_jira_search: running")
		case "error":
			add("error", logRow{"severity": "warning", "message": "…"})
		case "future":
			if w.chance("future", 4) {
				add("teleport", logRow{})
				r.Lost = true
			}
		}
	}
	add("message", logRow{"role": "assistant", "content": "…"})
	if w.chance("killed", 8) {
		r.Counted = false
		return rows
	}
	models, total := logRow{}, [4]int64{}
	for _, model := range []string{"gemini-3-pro", "gemini-3-flash"}[:rapid.IntRange(1, 2).Draw(w.t, "models")] {
		n := w.counts() // the last are thoughts
		models[model] = geminiUse(n)
		for i := range n {
			total[i] += n[i]
		}
	}
	r.Tokens[0] += total[0]
	r.Tokens[1] += total[1] + total[3]
	r.Tokens[2] += total[2]
	stats := geminiUse(total)
	stats["duration_ms"], stats["tool_calls"] = 5, 1
	if !w.chance("old version", 3) {
		stats["models"] = models
	}
	add("result", logRow{"status": "success", "stats": stats})
	return rows
}

func geminiUse(n [4]int64) logRow {
	return logRow{"input_tokens": n[0] + n[2], "input": n[0], "cached": n[2], "output_tokens": n[1], "total_tokens": n[0] + n[1] + n[2] + n[3]}
}

func (w *streams) cursorStream(id string, r *run) []logRow {
	timed := w.chance("a new version", 2)
	var rows []logRow
	add := func(kind string, more logRow) {
		w.now = w.now.Add(time.Second)
		more["type"], more["session_id"] = kind, id
		if timed && kind != "system" && kind != "user" && kind != "result" {
			more["timestamp_ms"] = w.now.UnixMilli()
		}
		rows = append(rows, more)
	}
	say := func(role string) {
		add(role, logRow{"message": logRow{"role": role, "content": []any{logRow{"type": "text", "text": w.id("text")}}}})
	}
	add("system", logRow{"subtype": "init", "apiKeySource": "env", "cwd": "/r", "model": "M", "permissionMode": "default"})
	say("user")
	r.Prompts++
	for range rapid.IntRange(0, 5).Draw(w.t, "steps") {
		call := w.id("call\n")
		use := func(tool string, args, result logRow) {
			add("tool_call", logRow{"subtype": "started", "call_id": call, "tool_call": logRow{tool: logRow{"args": args}}})
			if result != nil {
				add("tool_call", logRow{"subtype": "completed", "call_id": call, "tool_call": logRow{tool: logRow{"args": args, "result": result}}})
			}
		}
		switch w.pick("step", "text", "thought", "command", "command", "edit", "function", "mcp", "future") {
		case "text":
			say("assistant")
		case "thought":
			add("thinking", logRow{"subtype": "delta", "text": "…"})
		case "command":
			script := w.pick("script", scripts...)
			results := map[string]logRow{ // by the outcome
				"ok": {"success": logRow{"exitCode": 0}}, "error": {"success": logRow{"exitCode": 1, "stdout": "{}"}}, "rejected": {"rejected": logRow{"reason": ""}},
				"unknown": {"success": logRow{}}, "running": nil,
			}
			outcome := w.pick("outcome", slices.Sorted(maps.Keys(results))...)
			result := results[outcome]
			if outcome == "error" && w.chance("other form", 2) {
				result = logRow{"failure": logRow{"exitCode": 1}, "isBackground": false}
			}
			use("shellToolCall", logRow{"command": script, "simpleCommands": []string{"x"}}, result)
			r.Commands = append(r.Commands, script+": "+outcome)
		case "edit":
			outcome := w.pick("outcome", "ok", "error")
			use(w.pick("tool", "editToolCall", "writeToolCall", "deleteToolCall"), logRow{"path": "ü.go"}, logRow{map[string]string{"ok": "success", "error": "error"}[outcome]: logRow{}})
			r.Edits = append(r.Edits, "/r/ü.go: "+outcome)
		case "function":
			add("tool_call", logRow{"subtype": "completed", "call_id": call, "tool_call": logRow{"function": logRow{
				"name": "Write", "arguments": `{"path":"/r/f.go"}`, "result": logRow{"success": logRow{}},
			}}})
			r.Edits = append(r.Edits, "/r/f.go: ok")
		case "mcp":
			use("mcpToolCall", logRow{"serverIdentifier": "jira", "toolName": "search"}, logRow{"success": logRow{}})
			r.Others = append(r.Others, "mcp__jira__search: ok")
		case "future":
			if w.chance("future", 4) {
				use("teleportToolCall", logRow{}, logRow{"success": logRow{}})
				r.Others = append(r.Others, "Teleport: ok")
				r.Lost = true
			}
		}
	}
	say("assistant")
	if w.chance("killed", 8) {
		r.Counted = false
		return rows
	}
	result := logRow{"subtype": "success", "is_error": false, "result": "…", "request_id": w.id("request")}
	if w.chance("an old version", 6) {
		r.Counted = false
	} else {
		n := w.counts()
		for i := range n {
			r.Tokens[i] += n[i]
		}
		result["usage"] = logRow{"inputTokens": n[0], "outputTokens": n[1], "cacheReadTokens": n[2], "cacheWriteTokens": n[3]}
	}
	add("result", result)
	return rows
}
