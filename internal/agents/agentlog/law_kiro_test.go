package agentlog_test

import (
	"strconv"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"
)

// kiroConversation writes a conversation that a user of Kiro saved, in the form of Amazon Q Developer or with times.
func (w *streams) kiroConversation(dir string, r *run) fstest.MapFS {
	timed := w.chance("with times", 2)
	var turns []any
	said := logRow{"Prompt": logRow{"prompt": "go"}}
	r.Prompts++
	r.Counted = false // no tokens are stated
	turn := func(answer logRow) {
		w.now = w.now.Add(1234 * time.Millisecond)
		user := logRow{"additional_context": "", "env_context": logRow{"env_state": logRow{"operating_system": "linux", "current_working_directory": "/r"}}, "content": said, "images": nil}
		if !timed {
			turns = append(turns, []any{user, answer})
			return
		}
		user["timestamp"] = nil
		if said["Prompt"] != nil {
			user["timestamp"] = w.now.Format(time.RFC3339Nano)
		}
		meta := logRow{"request_start_timestamp_ms": w.now.UnixMilli(), "stream_end_timestamp_ms": w.now.Add(time.Second).UnixMilli(), "model_id": "m"}
		turns = append(turns, logRow{"user": user, "assistant": answer, "request_metadata": meta})
	}
	// use calls a tool, whose result begins the next turn.
	use := func(name string, arguments logRow, kind, status string, content ...any) {
		id := w.id("tooluse")
		turn(logRow{"ToolUse": logRow{"message_id": w.id("message"), "content": "so", "tool_uses": []any{logRow{"id": id, "name": name, "orig_name": name, "args": arguments, "orig_args": arguments}}}})
		said = logRow{kind: logRow{"tool_use_results": []any{logRow{"tool_use_id": id, "content": content, "status": status}}}}
	}
	text := logRow{"Text": "x"}
	for range rapid.IntRange(0, 6).Draw(w.t, "steps") {
		switch w.pick("step", "command", "cancelled", "edit", "read", "mcp", "other", "prompt", "future") {
		case "command":
			script, code := w.pick("script", scripts...), w.pick("exit status", "0", "3", "", "none")
			status := map[string]string{"0": "ok", "": "unknown", "none": "unknown"}[code]
			if status == "" {
				status = "error"
			}
			output := logRow{"exit_status": code, "stdout": "x", "stderr": ""}
			if code == "" {
				output["exit_status"] = nil
			}
			if n, err := strconv.Atoi(code); err == nil && w.chance("a number", 2) {
				output["exit_status"] = n
			}
			content := any(logRow{"Json": output})
			if code == "none" {
				content = text
			}
			use("execute_bash", logRow{"command": script, "summary": "s"}, "ToolUseResults", "Success", content)
			r.Commands = append(r.Commands, script+": "+status)
		case "cancelled":
			use("execute_bash", logRow{"command": "make"}, "CancelledToolUses", "Error", text)
			r.Commands = append(r.Commands, "make: rejected")
			switch w.pick("prompt", "none", "new", "again") {
			case "new":
				said["CancelledToolUses"].(logRow)["prompt"] = w.id("prompt")
				r.Prompts++
			case "none":
				said["CancelledToolUses"].(logRow)["prompt"] = nil
			}
		case "edit":
			outcome := w.pick("outcome", "ok", "error")
			use("fs_write", logRow{"command": "create", "path": "/r/ä.go", "file_text": "x"}, "ToolUseResults", map[string]string{"ok": "Success", "error": "Error"}[outcome], text)
			r.Edits = append(r.Edits, "/r/ä.go: "+outcome)
		case "read":
			arguments := logRow{"mode": "Line", "path": "x"}
			if w.chance("operations", 2) {
				arguments = logRow{"operations": []any{logRow{"mode": "Line", "path": "x"}, logRow{"mode": "Directory", "path": "y"}}}
			}
			use("fs_read", arguments, "ToolUseResults", "Success", text)
			r.Others = append(r.Others, "fs_read: ok")
		case "mcp":
			use("tracker___close", logRow{"command": "rm"}, "ToolUseResults", "Success", text)
			r.Others = append(r.Others, "tracker___close: ok")
		case "other":
			use("use_aws", logRow{"service_name": "s3"}, "ToolUseResults", "Error", text)
			r.Others = append(r.Others, "use_aws: error")
		case "prompt":
			turn(logRow{"Response": logRow{"message_id": w.id("message"), "content": "done"}})
			said = logRow{"Prompt": logRow{"prompt": w.id("prompt")}}
			r.Prompts++
		case "future":
			if w.chance("future", 4) {
				turn(logRow{"Teleport": logRow{"message_id": "m"}})
				said = logRow{"ToolUseResults": logRow{"tool_use_results": []any{}}}
				r.Lost = true
			}
		}
	}
	turn(logRow{"Response": logRow{"message_id": w.id("message"), "content": "end"}})
	doc := logRow{"conversation_id": w.id("conversation"), "next_message": nil, "history": turns, "transcript": []any{"> go"}, "latest_summary": nil, "model": "m"}
	switch w.pick("what is gone", "nothing", "nothing", "turns", "all before a summary") {
	case "turns":
		uses := []any{}
		for range len(turns) + 1 {
			uses = append(uses, "so\n[Tool uses: execute_bash]")
		}
		doc["transcript"], r.Lost = uses, true
	case "all before a summary":
		doc["latest_summary"], r.Lost = []any{"x"}, true
	}
	return fstest.MapFS{dir + "chat.json": w.document(doc)}
}
