package agentlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"
)

// taskFiles writes the files of a task as Cline or Roo Code does, with calls that are parts of messages or elements in texts.
type taskFiles struct {
	*streams
	*run

	roo, elements, timed, child bool
	messages, shown             []logRow
	pending                     []any // results for the next message of the user
}

// clineTask writes the files of a task.
func (w *streams) clineTask(dir string, r *run) fstest.MapFS {
	f := &taskFiles{streams: w, run: r, messages: []logRow{}, roo: w.chance("of Roo Code", 2), elements: w.chance("elements", 2)}
	f.timed = f.roo || w.chance("messages with times", 2)
	f.child = f.roo && w.chance("of a task that another started", 4)
	f.prompt("go", "task", "text")
	for range rapid.IntRange(0, 6).Draw(w.t, "steps") {
		f.step()
	}
	if len(f.pending) > 0 {
		f.ask()
	}
	w.ids++
	dir = fmt.Sprintf("%stasks/17959327901%02d/", dir, w.ids%100) + fmt.Sprint(w.ids, "/")
	fsys := fstest.MapFS{
		dir + "api_conversation_history.json": w.document(f.messages), dir + "ui_messages.json": w.document(f.shown),
	}
	if f.roo {
		about := logRow{"id": fmt.Sprint("task-", w.ids), "number": 1, "ts": w.now.UnixMilli(), "workspace": "/r", "mode": "code"}
		if f.child {
			about["parentTaskId"] = "parent"
		}
		fsys[dir+"history_item.json"] = w.document(about)
	}
	return fsys
}

func (f *taskFiles) show(name, text string, more logRow) {
	f.now = f.now.Add(234 * time.Millisecond)
	row := logRow{"ts": f.now.UnixMilli(), "type": "say", "say": name, "text": text}
	if !f.roo {
		row["conversationHistoryIndex"], row["modelInfo"] = len(f.messages)-1, logRow{"modelId": "m", "providerId": "openai", "mode": "act"}
	}
	maps.Copy(row, more)
	f.shown = append(f.shown, row)
}

func (f *taskFiles) say(role string, content ...any) {
	f.now = f.now.Add(1234 * time.Millisecond)
	m := logRow{"role": role, "content": content}
	if f.timed {
		m["ts"] = f.now.UnixMilli()
	}
	f.messages = append(f.messages, m)
}

func part(text string) logRow { return logRow{"type": "text", "text": text} }

// ask sends what is pending to the model, which uses tokens.
func (f *taskFiles) ask() {
	n := f.counts()
	in, protocol := n[0]+n[2]+n[3], "anthropic"
	used := logRow{"tokensIn": in, "tokensOut": n[1], "cacheReads": n[2], "cacheWrites": n[3], "cost": 0.25}
	switch f.pick("usage", "whole", "whole", "apart", "free", "zeros", "none", "old") {
	case "apart": // the input cannot include more than it is
		n[0] = min(n[0], n[2]+n[3]-1)
		used["tokensIn"] = n[0]
	case "free":
		used["cost"] = 0
		protocol = "openai"
	case "zeros": // of a provider that states none
		used, n = logRow{"tokensIn": 0, "tokensOut": 0, "cacheReads": 0, "cacheWrites": 0, "cost": 0}, [4]int64{}
	case "none": // it failed
		used, n = logRow{"cancelReason": "streaming_failed"}, [4]int64{}
	case "old": // in another row
		f.show("api_req_started", `{"request":"x"}`, nil)
		f.finishAsk("api_req_finished", used, n)
		return
	}
	if f.roo {
		used["apiProtocol"] = protocol
	} else {
		used["request"] = "<task>"
	}
	f.finishAsk("api_req_started", used, n)
}

func (f *taskFiles) finishAsk(name string, used logRow, n [4]int64) {
	if f.roo {
		used["apiProtocol"] = "openai"
	}
	f.show(name, f.text(used), nil)
	for i := range n {
		f.Tokens[i] += n[i]
	}
	environment := "<environment_details>\n# Current Time\nnow\n\n# Current Working Directory (/r) Files\na.go\n</environment_details>"
	if f.roo {
		environment = "<environment_details>\n# Current Mode\n<slug>code</slug>\n<name>Code</name>\n<model>m</model>\n\n\n# Current Workspace Directory (/r) Files\na.go\n</environment_details>"
	}
	f.say("user", append(f.pending, part(environment))...)
	f.pending = nil
}

func (f *taskFiles) text(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (f *taskFiles) prompt(text, first, firstOfRoo string) {
	name := first
	if f.roo {
		name = firstOfRoo
	}
	f.show(name, text, nil)
	f.pending = append(f.pending, part("<task>\n"+text+"\n</task>"))
	if name == "user_feedback" || !f.child {
		f.Prompts++
	}
}

// taskCall is a call in the next answer. The heading of its result repeats the subject.
type taskCall struct {
	name, subject string
	input         logRow
	result        string
}

// answer writes calls and the results that the next message has.
func (f *taskFiles) answer(calls ...taskCall) {
	f.ask()
	content := []any{logRow{"type": "thinking", "thinking": "so", "signature": "s"}, part("I do.")}
	for _, c := range calls {
		if f.elements {
			var b strings.Builder
			fmt.Fprintf(&b, "So:\n<%s>\n", c.name)
			for _, key := range slices.Sorted(maps.Keys(c.input)) {
				fmt.Fprintf(&b, "<%s>%v</%s>\n", key, c.input[key], key)
			}
			fmt.Fprintf(&b, "</%s>", c.name)
			content = append(content, part(b.String()))
		} else {
			content = append(content, logRow{"type": "tool_use", "id": f.id("call"), "name": c.name, "input": c.input})
		}
	}
	f.say("assistant", content...)
	for i, c := range calls {
		switch heading := "[" + c.name + " for '" + c.subject + "'] Result:"; {
		case c.result == "":
		case f.roo && !f.elements:
			use := content[2+i].(logRow)
			f.pending = append(f.pending, logRow{"type": "tool_result", "tool_use_id": use["id"], "content": c.result})
		case f.chance("two parts", 2):
			f.pending = append(f.pending, part(heading), part(c.result))
		default:
			f.pending = append(f.pending, part(heading+"\n"+c.result))
		}
	}
}

// ended returns the result of a command.
func (f *taskFiles) ended(status string) string {
	if f.roo {
		return map[string]string{
			"ok":      "Command executed in terminal within working directory '/r'. Exit code: 0\nOutput:\nexit code: 7",
			"error":   "Command executed in terminal within working directory '/r'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 3\nOutput:\n",
			"unknown": "Command executed in terminal within working directory '/r'. Exit code: <undefined, notify user>\nOutput:\n", "running": "Command is still running in terminal from '/r'.",
			"rejected": `{"status":"denied","message":"The user denied this operation."}`,
		}[status]
	}
	return map[string]string{
		"ok": "Command executed successfully (exit code 0).\nOutput:\nCommand failed with exit code 7.", "error": "Command failed with exit code 3.", "unknown": "Command executed.\nOutput:\nx",
		"running": "Command is still running in the user's terminal.", "rejected": "The user denied this operation.",
	}[status]
}

func (f *taskFiles) command(status string) taskCall {
	script := f.pick("script", scripts...)
	f.Commands = append(f.Commands, script+": "+status)
	return taskCall{"execute_command", script, logRow{"command": script}, f.ended(status)}
}

func (f *taskFiles) edit(status string) taskCall {
	f.Edits = append(f.Edits, "/r/ä.go: "+status)
	c := taskCall{"write_to_file", "ä.go", logRow{"path": "ä.go", "content": "<path>x</path>\n</div>"}, ""}
	of := map[string]string{"ok": "The content was successfully saved to ä.go.", "error": "The tool execution failed with the following error:\n<error>\nx\n</error>", "unknown": "Who knows", "rejected": "The user denied this operation."}
	if f.roo {
		of["ok"], of["error"] = `{"path":"ä.go","operation":"modified","notice":"x"}`+"\n<notice>x</notice>", "<error_details>\nx\n</error_details>"
		of["rejected"] = `{"status":"denied","feedback":"no"}`
	}
	c.result = of[status]
	return c
}

func (f *taskFiles) step() {
	switch f.pick("step", "command", "two", "open", "edit", "read", "files", "mcp", "other", "prompt", "text", "future", "summary", "approved", "skipped") {
	case "command":
		f.answer(f.command(f.pick("status", "ok", "error", "unknown", "running", "rejected")))
	case "two":
		f.answer(f.command("ok"), f.edit(f.pick("status", "ok", "error", "unknown", "rejected")))
	case "open":
		c := f.command("running")
		c.result = ""
		f.answer(c)
	case "edit":
		f.answer(f.edit(f.pick("status", "ok", "error", "unknown", "rejected")))
	case "read":
		f.Others = append(f.Others, "read_file: ok")
		f.answer(taskCall{"read_file", "x", logRow{"path": "x"}, "1 | text"})
	case "files":
		f.Others = append(f.Others, "read_file: ok")
		input := logRow{"files": []any{logRow{"path": "x"}, logRow{"path": "y"}}}
		if f.elements {
			input = logRow{"args": "<file><path>x</path></file><file><path>y</path></file>"}
		}
		f.answer(taskCall{"read_file", "x', 'y", input, "1 | text"})
	case "mcp":
		f.Others = append(f.Others, "use_mcp_tool: error")
		f.answer(taskCall{"use_mcp_tool", "tracker", logRow{"server_name": "tracker", "tool_name": "close", "arguments": "{}"}, "Error:\nno"})
	case "other":
		f.Others = append(f.Others, "search_files: ok")
		f.answer(taskCall{"search_files", "a", logRow{"path": ".", "regex": "a"}, "Found 0 results."})
	case "prompt":
		f.prompt("go on", "user_feedback", "user_feedback")
	case "text":
		f.answer()
	case "approved":
		c := f.command("ok")
		c.result = `{"status":"approved","feedback":"fine"}` + "\n\n" + c.result
		f.answer(c)
	case "skipped":
		if !f.elements && f.roo {
			return
		}
		c := f.command("rejected")
		c.result = ""
		f.answer(c)
		f.pending = append(f.pending, part("Tool [execute_command] was not executed because a tool has already been used in this message."))
	case "summary":
		if f.roo && f.chance("summary", 4) { // by a request whose tokens are not stated
			f.show("condense_context", "", logRow{"contextCondense": logRow{"cost": 0.5, "prevContextTokens": 9, "newContextTokens": 1, "summary": "x"}})
			f.say("user", part("## Conversation Summary"))
			m := f.messages[len(f.messages)-1]
			m["isSummary"] = true
			if f.chance("kept", 2) {
				m["condenseId"] = "c"
			} else {
				f.Lost = true
			}
		}
	case "future":
		if f.chance("future", 4) {
			f.ask()
			f.say("assistant", logRow{"type": "teleport"})
			f.Lost = true
		}
	}
}
