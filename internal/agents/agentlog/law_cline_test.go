package agentlog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"
)

// clineSession writes the files of a session of Cline, or of an agent that one started.
func (w *streams) clineSession(dir string, r *run) fstest.MapFS {
	base := fmt.Sprintf("17959150631%02d_%05d", w.ids%100, w.ids)
	w.ids++
	child := w.chance("of an agent that it started", 4)
	var messages []logRow
	add := func(role string, more logRow, content ...any) {
		w.now = w.now.Add(1234 * time.Millisecond)
		more["id"], more["role"], more["content"], more["ts"] = w.id("msg"), role, content, w.now.UnixMilli()
		messages = append(messages, more)
	}
	answer := func(content ...any) {
		n := w.counts()
		more := logRow{"modelInfo": logRow{"id": "m", "provider": "p"}}
		switch w.pick("usage", "whole", "whole", "whole", "with a cost", "none", "zeros") {
		case "none": // they are unknown
		case "zeros": // of a provider that states none
			more["metrics"] = logRow{"inputTokens": 0, "outputTokens": 0, "cacheReadTokens": 0, "cacheWriteTokens": 0}
		case "with a cost":
			more["metrics"] = logRow{"cost": 0.25}
			fallthrough
		default:
			metrics, _ := more["metrics"].(logRow)
			if metrics == nil {
				metrics = logRow{}
			}
			metrics["inputTokens"], metrics["outputTokens"], metrics["cacheReadTokens"], metrics["cacheWriteTokens"] = n[0]+n[2]+n[3], n[1], n[2], n[3]
			more["metrics"] = metrics
			for i := range n {
				r.Tokens[i] += n[i]
			}
		}
		add("assistant", more, content...)
	}
	prompt := func(text string) {
		add("user", logRow{}, logRow{"type": "text", "text": `<user_input mode="act">` + text + `</user_input>`})
		if !child {
			r.Prompts++
		}
	}
	use := func(name string, input any) (id string) {
		id = w.id("call")
		answer(logRow{"type": "thinking", "thinking": "so"}, logRow{"type": "tool_use", "id": id, "name": name, "input": input})
		return id
	}
	result := func(id string, content any, failed bool) {
		of := logRow{"type": "tool_result", "tool_use_id": id, "content": content}
		if failed {
			of["is_error"] = true
		}
		add("user", logRow{}, of)
	}
	end := func(query, outcome string) logRow {
		switch outcome {
		case "error":
			return logRow{"query": query, "result": "", "error": "Command exited with code 3", "success": false}
		case "timed out":
			return logRow{"query": query, "result": "", "error": "Command failed: Command timed out after 30000ms", "success": false}
		}
		return logRow{"query": query, "result": "é\"x", "success": true}
	}
	text := func(value any) string {
		b, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	status := map[string]string{"ok": "ok", "error": "error", "timed out": "error"}
	prompt("go")
	answer(logRow{"type": "text", "text": "I go."})
	for range rapid.IntRange(0, 6).Draw(w.t, "steps") {
		switch w.pick("step", "command", "commands", "form", "denied", "open", "edit", "patch", "read", "mcp", "other", "prompt", "context", "future") {
		case "command":
			script, outcome := w.pick("script", scripts...), w.pick("outcome", "ok", "error", "timed out")
			result(use("run_commands", logRow{"commands": []any{script}}), []any{end(script, outcome)}, false)
			r.Commands = append(r.Commands, script+": "+status[outcome])
		case "commands": // in one call
			one, two, outcome := w.pick("script", scripts...), w.pick("script", scripts...), w.pick("outcome", "ok", "error")
			result(use("run_commands", logRow{"commands": []any{one, two}}), []any{end(one, outcome), end(two, "ok")}, false)
			quote := func(line string) string { return "'" + strings.ReplaceAll(line, "'", `'"'"'`) + "'" }
			line := "bash -c " + quote(one) + "; bash -c " + quote(two)
			r.Commands = append(r.Commands, strings.ReplaceAll(line, "'make'", "make")+": "+outcome)
		case "form":
			input := map[string]any{
				"text": "make", "list": []any{"make"}, "one": logRow{"commands": "make"}, "command": logRow{"command": "make"},
				"words": logRow{"commands": []any{logRow{"command": "make", "args": []any{"a b"}}}},
			}
			form := w.pick("form", "text", "list", "one", "command", "words")
			line := "make"
			if form == "words" {
				line = "make 'a b'"
			}
			result(use("run_commands", input[form]), []any{end(line, "ok")}, false)
			r.Commands = append(r.Commands, line+": ok")
		case "denied":
			result(use("run_commands", logRow{"commands": []any{"make"}}), `{"error":"Tool \"run_commands\" was not approved"}`, true)
			r.Commands = append(r.Commands, "make: rejected")
		case "open":
			use("run_commands", logRow{"commands": []any{"make"}})
			r.Commands = append(r.Commands, "make: running")
		case "edit":
			outcome := w.pick("outcome", "ok", "error")
			result(use("editor", logRow{"path": "/r/ä.go", "new_text": "x"}), text(logRow{"query": "edit", "result": "", "success": outcome == "ok"}), false)
			r.Edits = append(r.Edits, "/r/ä.go: "+outcome)
		case "patch":
			const patch = "*** Begin Patch\n*** Update File: /r/a.go\n@@\n-a\n+b\n*** Add File: /b.go\n+x\n*** End Patch"
			result(use("apply_patch", logRow{"input": patch}), text(logRow{"query": "patch", "result": "", "success": true}), false)
			r.Edits = append(r.Edits, "/r/a.go,/b.go: ok")
		case "read":
			result(use("read_files", logRow{"files": []any{logRow{"path": "/r/x"}, logRow{"path": "/r/y"}}}), []any{end("/r/x", "ok"), end("/r/y", "error")}, false)
			r.Others = append(r.Others, "read_files: error")
		case "mcp":
			result(use("tracker__close", logRow{"command": "rm"}), "done", false)
			r.Others = append(r.Others, "tracker__close: ok")
		case "other":
			result(use("spawn_agent", logRow{"task": "list"}), `{"text":"end"}`, false)
			r.Others = append(r.Others, "spawn_agent: ok")
		case "prompt":
			prompt("go on")
		case "context": // of a hook
			add("user", logRow{"metadata": logRow{"displayRole": "system"}}, logRow{"type": "text", "text": "<hook_context>"})
		case "future":
			if w.chance("future", 4) {
				add("assistant", logRow{"metrics": logRow{"inputTokens": 1, "outputTokens": 0, "cacheReadTokens": 0, "cacheWriteTokens": 0}}, logRow{"type": "teleport"})
				r.Tokens[0]++
				r.Lost = true
			}
		}
	}
	about := logRow{"version": 1, "session_id": base, "started_at": "2026-03-01T08:00:00.000Z", "cwd": "/r", "metadata": logRow{"git": logRow{"branch": "main"}}}
	doc := logRow{"version": 1, "agent": "lead", "sessionId": base, "messages": messages, "system_prompt": "You are Cline"}
	fsys := fstest.MapFS{dir + base + "/" + base + ".json": w.document(about)}
	name := base
	if child {
		name = "agent_1_" + w.id("x")
		doc["agent"], doc["sessionId"] = "subagent", base+"__"+name
	}
	fsys[dir+base+"/"+name+".messages.json"] = w.document(doc)
	return fsys
}
