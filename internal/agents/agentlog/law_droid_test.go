package agentlog_test

import (
	"strings"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"
)

// droidSession writes a session of Droid.
func (w *streams) droidSession(dir string, r *run) fstest.MapFS {
	id, before := w.id("session"), any(nil)
	rows := []logRow{{"type": "session_start", "id": id, "title": "t", "owner": "unknown", "version": 2, "cwd": "/r"}}
	message := func(role string, more logRow, content ...any) {
		w.now = w.now.Add(1234 * time.Millisecond)
		row := logRow{"type": "message", "id": w.id("msg"), "timestamp": stamp(w.now)}
		if before != nil {
			row["parentId"] = before
		}
		before = row["id"]
		more["role"] = role
		if content != nil {
			more["content"] = content
		}
		row["message"] = more
		rows = append(rows, row)
	}
	use := func(name string, input any) (id string) {
		id = w.id("call")
		message("assistant", logRow{"modelId": "m"}, logRow{"type": "thinking", "thinking": "so"}, logRow{"type": "tool_use", "id": id, "name": name, "input": input})
		return id
	}
	result := func(id, text string, isError bool) {
		message("user", logRow{}, logRow{"type": "tool_result", "tool_use_id": id, "is_error": isError, "content": text})
	}
	prompt := func() {
		reminder := logRow{"type": "text", "text": "<system-reminder>\nx</system-reminder>"}
		if w.chance("of an old version", 3) {
			message("user", logRow{}, reminder, logRow{"type": "text", "text": "go"})
		} else {
			message("user", logRow{"visibility": "llm_only"}, reminder)
			message("user", logRow{"interactionMode": "auto"}, logRow{"type": "text", "text": "go"})
		}
		r.Prompts++
	}
	prompt()
	message("assistant", logRow{"modelId": "m"}, logRow{"type": "text", "text": "I go."})
	for range rapid.IntRange(0, 6).Draw(w.t, "steps") {
		switch w.pick("step", "command", "command", "hook", "open", "edit", "read", "mcp", "text", "prompt", "state", "future") {
		case "command":
			script := w.pick("script", scripts...)
			call := use("Execute", logRow{"command": script, "summary": "x"})
			outcome := w.pick("outcome", "ok", "error", "timed out", "refused", "stopped", "background")
			end := map[string][2]string{
				"ok": {"é\n[Process exited with code 3]\n\n\n[Process exited with code 0]", "ok"}, "error": {"Error: Command failed (exit code: 3)\nbroken\n\n\n[Process exited with code 3]", "error"},
				"timed out": {"Command timed out after 1 seconds.", "error"}, "refused": {"Error: Exec ended early: insufficient permission to proceed.", "rejected"},
				"stopped": {"Error: Command cancelled by user.", "unknown"}, "background": {"Background process started (PID: 7)", "unknown"},
			}[outcome]
			result(call, end[0], strings.HasPrefix(end[0], "Error: "))
			r.Commands = append(r.Commands, script+": "+end[1])
		case "hook":
			call := use("Execute", logRow{"command": "make"})
			message("user", logRow{"visibility": "user_only", "hookEventName": "PreToolUse", "hookStatus": "error", "hookResults": []any{logRow{"exitCode": 2, "stdout": "", "stderr": "no"}}, "hookToolCallId": call})
			result(call, "Error: no", true)
			r.Commands = append(r.Commands, "make: rejected")
		case "open":
			use("Execute", logRow{"command": "make"})
			r.Commands = append(r.Commands, "make: running")
		case "edit":
			outcome := w.pick("outcome", "ok", "error")
			result(use(w.pick("tool", "Create", "Edit"), logRow{"file_path": "ä.go"}), `{"success":true}`, outcome == "error")
			r.Edits = append(r.Edits, "/r/ä.go: "+outcome)
		case "read":
			result(use("Read", logRow{"file_path": "/r/x"}), "x", false)
			r.Others = append(r.Others, "Read: ok")
		case "mcp":
			result(use("tracker___close", logRow{"command": "rm"}), "done", false)
			r.Others = append(r.Others, "tracker___close: ok")
		case "text": // of Droid itself
			message("assistant", logRow{}, logRow{"type": "text", "text": "Exec ended early."})
		case "prompt":
			prompt()
		case "state":
			rows = append(rows, logRow{"type": "todo_state", "id": w.id("todo"), "timestamp": stamp(w.now), "todos": []any{}})
		case "future":
			if w.chance("future", 4) {
				rows = append(rows, logRow{"type": "teleport", "id": w.id("x"), "timestamp": stamp(w.now)})
				r.Lost = true
			}
		}
	}
	return fstest.MapFS{dir + "sessions/-r/" + id + ".jsonl": {Data: jsonLines(rows)}}
}
