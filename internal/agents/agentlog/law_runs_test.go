package agentlog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// runFiles are the formats with the files of one run: each writes them below a directory, and knows what happened.
var runFiles = map[string]func(w *streams, dir string, r *run) fstest.MapFS{
	"mini-swe-agent": (*streams).miniTrajectory, "swe-agent": (*streams).sweTrajectory,
	"qwen": (*streams).qwenChat, "openhands": (*streams).openHandsEvents, "openhands-files": (*streams).openHandsFiles,
	"cline": (*streams).clineSession, "cline-tasks": (*streams).clineTask, "droid": (*streams).droidSession,
	"kiro": (*streams).kiroConversation,
}

func newStreams(t *rapid.T) *streams {
	return &streams{t: t, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
}

// TestRunsLaw compares the sessions in random archives of runs with what their generator wrote. Runs of one
// task are different sessions, and a copied file counts once.
func TestRunsLaw(t *testing.T) {
	for name, write := range runFiles {
		t.Run(name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				w, fsys := newStreams(t), fstest.MapFS{}
				var want []*run
				for i := range rapid.IntRange(1, 3).Draw(t, "runs") {
					r := &run{Counted: true}
					files := write(w, fmt.Sprint("run-", i, "/"), r)
					r.sort()
					want = append(want, r)
					maps.Copy(fsys, files)
					if name != "openhands-files" && w.chance("copied", 4) {
						for file, text := range files {
							fsys["copy/"+file] = text
						}
					}
				}
				got := loadRuns(t, fsys)
				byText := func(a, b *run) int { return strings.Compare(fmt.Sprintf("%+v", *a), fmt.Sprintf("%+v", *b)) }
				slices.SortFunc(want, byText)
				slices.SortFunc(got, byText)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("(-want +got)\n%s\n%s", d, texts(fsys))
				}
			})
		})
	}
}

// loadRuns returns what was read of the sessions, without those that only repeat others.
func loadRuns(t *rapid.T, fsys fstest.MapFS) (runs []*run) {
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sessions {
		if s := &sessions[i]; len(s.Calls)+len(s.Prompts)+len(s.Tokens) > 0 { // a run has a prompt
			runs = append(runs, seen(s))
		}
	}
	return runs
}

// forEachRun calls check with the files of random runs of each format, and the name of one of them.
func forEachRun(t *testing.T, check func(t *rapid.T, fsys fstest.MapFS, file string, all *run)) {
	t.Helper()
	for name, write := range runFiles {
		t.Run(name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				all := &run{Counted: true}
				fsys := write(newStreams(t), "run/", all)
				check(t, fsys, rapid.SampledFrom(slices.Sorted(maps.Keys(fsys))).Draw(t, "file"), all)
			})
		})
	}
}

// TestMutatedRunsLaw cuts random files of runs. Nothing is invented, and what is lost is reported.
func TestMutatedRunsLaw(t *testing.T) {
	forEachRun(t, func(t *rapid.T, fsys fstest.MapFS, file string, all *run) {
		text := fsys[file].Data
		cut := rapid.IntRange(1, len(text)-2).Draw(t, "cut")
		fsys[file].Data = append(slices.Clone(text[:cut]), rapid.SampledFrom([]string{"", "\n", "}", "\x00"}).Draw(t, "end")...)
		if bytes.Equal(bytes.TrimSpace(fsys[file].Data), bytes.TrimSpace(text)) || json.Valid(fsys[file].Data) || areRows(fsys[file].Data) {
			return
		}
		if !checkMutated(t, fsys, all, false) {
			t.Fatalf("nothing is said of the loss, of:\n%s", texts(fsys))
		}
	})
}

// TestMistypedRunsLaw gives a random value of a run another type. No call is invented, and none succeeds or fails
// that did not, unless something is reported.
func TestMistypedRunsLaw(t *testing.T) {
	forEachRun(t, func(t *rapid.T, fsys fstest.MapFS, file string, all *run) {
		fsys[file].Data = mistype(t, fsys[file].Data)
		checkMutated(t, fsys, all, true)
	})
}

// value matches a value in JSON, but null, that contains no other, behind its name or in a list.
var value = regexp.MustCompile(`([:\[,]\s*)("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false)(\s*[,\]}])`)

// mistype replaces a value by one of another type.
func mistype(t *rapid.T, text []byte) []byte {
	found := value.FindAllSubmatchIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	at := rapid.SampledFrom(found).Draw(t, "value")
	other := rapid.SampledFrom([]string{"7", `{"a": 7}`}).Draw(t, "other")
	if '0' <= text[at[4]] && text[at[4]] <= '9' || text[at[4]] == '-' {
		other = `"x"`
	}
	return slices.Concat(text[:at[4]], []byte(other), text[at[5]:])
}

// checkMutated fails if a call was not made, but for one that differs where a loss is said, and reports whether something is said of a loss. Without that,
// the outcomes are those of the calls, or unknown.
func checkMutated(t *rapid.T, fsys fstest.MapFS, all *run, mayDiffer bool) (lost bool) {
	sessions, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lost = slices.ContainsFunc(summary.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
	var runs []*run
	for i := range sessions {
		got := seen(&sessions[i])
		runs = append(runs, got)
		lost = lost || got.Lost || !got.Counted
	}
	if mayDiffer && !lost {
		var sum run
		for _, got := range runs {
			sum.Commands, sum.Edits = append(sum.Commands, got.Commands...), append(sum.Edits, got.Edits...)
		}
		if len(sum.Commands) != len(all.Commands) || len(sum.Edits) != len(all.Edits) {
			t.Fatalf("got %d commands and %d edits, want %d and %d, of:\n%s", len(sum.Commands), len(sum.Edits), len(all.Commands), len(all.Edits), texts(fsys))
		}
	}
	for _, got := range runs {
		for j, list := range [][]string{got.Commands, got.Edits, got.Others} {
			made := [][]string{all.Commands, all.Edits, all.Others}[j]
			for _, c := range list {
				what, outcome, _ := strings.Cut(c, ": ")
				known := slices.ContainsFunc(made, func(o string) bool { return strings.HasPrefix(o, what+": ") })
				if !known && (!mayDiffer || !lost) {
					t.Fatalf("%s was not made, of:\n%s", c, texts(fsys))
				}
				if !lost && outcome != "unknown" && outcome != "running" && !slices.Contains(made, c) {
					t.Fatalf("the outcome of %s is wrong, of:\n%s", c, texts(fsys))
				}
			}
		}
	}
	return lost
}

// areRows reports whether a text has whole rows only: that others are missing behind them, nothing shows.
func areRows(text []byte) bool {
	for row := range bytes.Lines(bytes.Trim(text, "\x00\n")) {
		if !json.Valid(row) {
			return false
		}
	}
	return true
}

func (r *run) sort() {
	slices.Sort(r.Commands)
	slices.Sort(r.Edits)
	slices.Sort(r.Others)
}

func texts(fsys fstest.MapFS) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fsys)) {
		fmt.Fprintf(&b, "-- %s --\n%s\n", name, fsys[name].Data)
	}
	return b.String()
}

// document returns a value as one JSON text, on one line or several.
func (w *streams) document(value any) *fstest.MapFile {
	marshal := json.Marshal
	if w.chance("indented", 2) {
		marshal = func(value any) ([]byte, error) { return json.MarshalIndent(value, "", "  ") }
	}
	text, err := marshal(value)
	if err != nil {
		panic(err)
	}
	return &fstest.MapFile{Data: text}
}

func (w *streams) seconds() float64 {
	w.now = w.now.Add(1500 * time.Millisecond)
	return float64(w.now.UnixMilli()) / 1000
}

// miniTrajectory writes a trajectory of mini-SWE-agent in the form of version 1 or 2.
func (w *streams) miniTrajectory(dir string, r *run) fstest.MapFS {
	const task = "a__b-1"
	old := w.chance("version 1", 3)
	messages := []logRow{{"role": "system", "content": "You help."}, {"role": "user", "content": "Fix it. ```bash\nan example\n```"}}
	r.Prompts++
	calls := 0
	answer := func(commands ...string) logRow {
		calls++
		n := w.counts()
		usage := logRow{"prompt_tokens": n[0] + n[2] + n[3], "completion_tokens": n[1], "prompt_tokens_details": logRow{"cached_tokens": n[2]}, "cache_creation_input_tokens": n[3]}
		if w.chance("no count of the cache", 8) {
			usage["prompt_tokens_details"] = nil
			r.Tokens[1] += n[1] // the others are unknown
		} else {
			for i := range n {
				r.Tokens[i] += n[i]
			}
		}
		extra := logRow{"response": logRow{"id": w.id("response"), "created": int64(w.seconds()), "model": "m", "usage": usage}}
		m := logRow{"role": "assistant", "content": "THOUGHT: so", "extra": extra}
		if old {
			m["content"] = "THOUGHT: so\n\n```bash\n" + strings.Join(commands, "\n```\n```bash\n") + "\n```"
			return m
		}
		var actions []any
		for _, c := range commands {
			actions = append(actions, logRow{"command": c, "tool_call_id": w.id("call")})
		}
		extra["actions"], extra["timestamp"], extra["cost"] = actions, w.seconds(), 0.01
		return m
	}
	result := func(call any, code int, exception string) logRow {
		content := fmt.Sprintf("<returncode>%d</returncode>\n<output>\n…</output>", code)
		if old {
			return logRow{"role": "user", "content": content}
		}
		return logRow{"role": "tool", "tool_call_id": call, "content": content, "extra": logRow{
			"raw_output": "…", "returncode": code, "timestamp": w.seconds(), "exception_info": exception,
		}}
	}
	idOf := func(m logRow, i int) any {
		if old {
			return nil
		}
		return m["extra"].(logRow)["actions"].([]any)[i].(logRow)["tool_call_id"]
	}
	for range rapid.IntRange(0, 5).Draw(w.t, "steps") {
		script := w.pick("script", scripts...)
		switch w.pick("step", "ok", "ok", "failed", "two", "form", "timed out", "rejected") {
		case "ok":
			m := answer(script)
			messages = append(messages, m, result(idOf(m, 0), 0, ""))
			r.Commands = append(r.Commands, script+": ok")
		case "failed":
			m := answer(script)
			messages = append(messages, m, result(idOf(m, 0), rapid.IntRange(1, 255).Draw(w.t, "code"), ""))
			r.Commands = append(r.Commands, script+": error")
		case "two": // version 1 takes this for an error of the form
			m := answer(script, "ls")
			if old {
				messages = append(messages, m, logRow{"role": "user", "content": "Please always provide EXACTLY ONE action."})
				continue
			}
			messages = append(messages, m, result(idOf(m, 0), 0, ""), result(idOf(m, 1), -1, "action was not executed"))
			r.Commands = append(r.Commands, script+": ok", "ls: rejected")
		case "form":
			m := answer("a", "b")
			if old {
				messages = append(messages, m, logRow{"role": "user", "content": "Please always provide EXACTLY ONE action."})
				continue
			}
			extra := m["extra"].(logRow)
			delete(extra, "actions")
			extra["interrupt_type"] = "FormatError"
			messages = append(messages, logRow{"role": "user", "content": "Tool call error", "extra": extra})
		case "timed out":
			m := answer(script)
			messages = append(messages, m)
			if old {
				messages = append(messages, logRow{"role": "user", "content": "The last command <command>x</command> timed out and has been killed."})
			} else {
				messages = append(messages, result(idOf(m, 0), -1, "An error occurred while executing the command: timed out"))
			}
			r.Commands = append(r.Commands, script+": error")
		case "rejected":
			if old {
				continue
			}
			messages = append(messages, answer(script), logRow{"role": "user", "content": "no", "extra": logRow{"interrupt_type": "UserRejection"}})
			r.Commands = append(r.Commands, script+": rejected")
			r.Prompts++
		}
	}
	if w.chance("a call that failed", 8) {
		calls++
		r.Counted = false
	}
	status := "LimitsExceeded"
	if w.chance("submitted", 2) {
		status = "Submitted"
		messages = append(messages, answer("echo COMPLETE"))
		r.Commands = append(r.Commands, "echo COMPLETE: ok")
	}
	diff := w.id("diff") // a run with the same text would be a copy
	end := logRow{"role": "exit", "content": diff, "extra": logRow{"exit_status": status, "submission": diff}}
	if old {
		end = logRow{"role": "user", "content": diff}
		if status != "Submitted" {
			end["content"] = "LimitsExceeded"
		}
	}
	messages = append(messages, end)
	if !old && w.chance("a future message", 10) {
		messages = append(messages, logRow{"role": "teleport"})
		r.Lost = true
	}
	doc := logRow{"info": logRow{"exit_status": status, "submission": diff, "model_stats": logRow{"api_calls": calls}, "mini_version": "2", "config": logRow{"environment": logRow{"cwd": "/r"}}}, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
	if w.chance("instance", 2) {
		doc["instance_id"] = task
	}
	return fstest.MapFS{dir + task + ".traj.json": w.document(doc)}
}

// sweTrajectory writes a trajectory of SWE-agent.
func (w *streams) sweTrajectory(dir string, r *run) fstest.MapFS {
	var steps []logRow
	r.Prompts++
	open, before, old := "n/a", "n/a", w.chance("before version 1", 3)
	add := func(action string) {
		state := any(logRow{"working_dir": "/r", "open_file": open})
		if old { // a text, about what was before the action
			state = fmt.Sprintf(`{"open_file": %q, "working_dir": "/r"}`+"\n", before)
		}
		before = open
		steps = append(steps, logRow{"action": action, "observation": w.id("seen"), "state": state})
	}
	for range rapid.IntRange(1, 6).Draw(w.t, "steps") {
		switch w.pick("step", "command", "command", "open", "edit", "create", "editor", "view", "search", "none") {
		case "command":
			script := w.pick("script", scripts...)
			add(script + "\n")
			r.Commands = append(r.Commands, script+": unknown")
		case "open":
			open = "/r/ü.go"
			add("open ü.go 12")
			r.Others = append(r.Others, "open: unknown")
		case "edit":
			if open == "n/a" {
				r.Lost = true // which file is not known
				r.Edits = append(r.Edits, ": unknown")
			} else {
				r.Edits = append(r.Edits, open+": unknown")
			}
			add("edit 4:4\nfunc main() {}\nend_of_edit")
		case "create":
			open = "/r/new.go"
			add("create new.go")
			r.Edits = append(r.Edits, "/r/new.go: unknown")
		case "editor":
			add("str_replace_editor str_replace /r/x.go --old_str 'a\nb' --new_str c")
			r.Edits = append(r.Edits, "/r/x.go: unknown")
		case "view":
			add("str_replace_editor view /r/x.go --view_range 1 9")
			r.Others = append(r.Others, "str_replace_editor: unknown")
		case "search":
			add("find_file x.go")
			r.Others = append(r.Others, "find_file: unknown")
		case "none":
			add("")
		}
	}
	n := w.counts()
	r.Tokens[1] = n[1] // what was read from the cache is not known, and so the input
	doc := logRow{
		"environment": "main", "trajectory": steps,
		"history": []logRow{{"role": "system", "content": "x"}, {"role": "user", "is_demo": true, "content": "x"}, {"role": "user", "content": "Fix it."}},
		"info":    logRow{"exit_status": "submitted", "model_stats": logRow{"tokens_sent": n[0], "tokens_received": n[1], "api_calls": 1, "instance_cost": 0.1}},
	}
	return fstest.MapFS{dir + "a__b-1.traj": w.document(doc)}
}

// openHandsEvents writes events as lines, or as a list.
func (w *streams) openHandsEvents(dir string, r *run) fstest.MapFS {
	events := w.openHands(r)
	name := dir + w.id("conversation") + ".jsonl"
	if w.chance("a list", 3) {
		return fstest.MapFS{strings.TrimSuffix(name, "l"): w.document(events)}
	}
	return fstest.MapFS{name: {Data: jsonLines(events)}}
}

// openHandsFiles writes events as OpenHands keeps them.
func (w *streams) openHandsFiles(dir string, r *run) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i, e := range w.openHands(r) {
		fsys[fmt.Sprintf("%sevents/event-%05d-%08x.json", dir, i, i)] = w.document(e)
	}
	fsys[dir+"base_state.json"] = w.document(logRow{"id": "x", "workspace": logRow{"working_dir": "/r"}, "stats": logRow{"usage_to_metrics": logRow{}}})
	return fsys
}

func (w *streams) openHands(r *run) (events []logRow) {
	sums := [4]int64{}
	add := func(kind, source string, more logRow) {
		w.now = w.now.Add(1234567 * time.Microsecond)
		more["id"], more["kind"], more["source"], more["timestamp"] = w.id("event"), kind, source, w.now.Format("2006-01-02T15:04:05.000000")
		events = append(events, more)
	}
	stats := func() {
		n := w.counts()
		for i := range n {
			sums[i] += n[i]
		}
		add("ConversationStateUpdateEvent", "environment", logRow{"key": "stats", "value": logRow{"usage_to_metrics": logRow{"default": logRow{
			"model_name": "m", "accumulated_cost": 0, "accumulated_token_usage": logRow{
				"prompt_tokens": sums[0] + sums[2] + sums[3], "completion_tokens": sums[1], "cache_read_tokens": sums[2], "cache_write_tokens": sums[3],
			},
		}}}})
	}
	add("MessageEvent", "user", logRow{"llm_message": logRow{"role": "user", "content": []any{}}})
	r.Prompts++
	for range rapid.IntRange(0, 5).Draw(w.t, "steps") {
		call := w.id("call")
		act := func(tool string, action logRow) {
			add("ActionEvent", "agent", logRow{"tool_name": tool, "tool_call_id": call, "action": action, "llm_response_id": w.id("response")})
		}
		observe := func(kind string, more logRow) {
			more["tool_call_id"] = call
			add(kind, "environment", more)
		}
		stats()
		switch w.pick("step", "command", "command", "edit", "view", "mcp", "input", "finish", "future", "message") {
		case "command":
			script := w.pick("script", scripts...)
			act("terminal", logRow{"command": script, "is_input": false, "kind": "TerminalAction"})
			outcome := w.pick("outcome", "ok", "error", "rejected", "running", "unknown", "refused")
			seen := logRow{"kind": "TerminalObservation", "is_error": false, "exit_code": 0, "metadata": logRow{"exit_code": 0}}
			switch outcome {
			case "error":
				seen["exit_code"] = 2
			case "running":
				seen["exit_code"] = -1
			case "unknown":
				seen["exit_code"], seen["metadata"] = nil, nil
			case "refused":
				seen["exit_code"], seen["is_error"], outcome = nil, true, "error"
			}
			if outcome == "rejected" {
				observe("UserRejectObservation", logRow{"rejection_reason": "no"})
			} else {
				observe("ObservationEvent", logRow{"observation": seen})
			}
			r.Commands = append(r.Commands, script+": "+outcome)
		case "edit":
			act("file_editor", logRow{"command": "str_replace", "path": "/r/ä.go", "kind": "FileEditorAction"})
			outcome := w.pick("outcome", "ok", "error")
			observe("ObservationEvent", logRow{"observation": logRow{"kind": "FileEditorObservation", "is_error": outcome == "error"}})
			r.Edits = append(r.Edits, "/r/ä.go: "+outcome)
		case "view":
			act("file_editor", logRow{"command": "view", "path": "/r/ä.go", "kind": "FileEditorAction"})
			observe("ObservationEvent", logRow{"observation": logRow{"kind": "FileEditorObservation"}})
			r.Others = append(r.Others, "file_editor: ok")
		case "mcp":
			act("jira_search", logRow{"data": logRow{}, "kind": "MCPToolAction"})
			observe("ObservationEvent", logRow{"observation": logRow{"kind": "MCPToolObservation", "is_error": false}})
			r.Others = append(r.Others, "jira_search: ok")
		case "input":
			act("terminal", logRow{"command": "C-c", "is_input": true, "kind": "TerminalAction"})
			r.Others = append(r.Others, "terminal: running")
		case "finish":
			act("finish", logRow{"message": "done", "kind": "FinishAction"})
			observe("AgentErrorEvent", logRow{"error": "no"})
			r.Others = append(r.Others, "finish: error")
		case "future":
			if w.chance("future", 4) {
				add("TeleportEvent", "agent", logRow{})
				r.Lost = true
			}
		case "message":
			add("MessageEvent", "agent", logRow{"llm_message": logRow{"role": "assistant"}})
		}
	}
	stats()
	r.Tokens = sums
	return events
}

// qwenChat writes a chat of Qwen Code.
func (w *streams) qwenChat(dir string, r *run) fstest.MapFS {
	session, before := w.id("session"), any(nil)
	var rows []logRow
	add := func(kind, provenance string, more logRow) {
		w.now = w.now.Add(1234 * time.Millisecond)
		id := w.id("uuid")
		more["uuid"], more["parentUuid"], more["sessionId"], more["timestamp"], more["type"], more["cwd"] = id, before, session, stamp(w.now), kind, "/r"
		if w.chance("a version with provenance", 2) {
			more["provenance"] = provenance
		}
		before = id
		rows = append(rows, more)
	}
	message := func(role string, parts ...any) logRow { return logRow{"role": role, "parts": parts} }
	add("user", "real_user", logRow{"message": message("user", logRow{"text": "go"})})
	r.Prompts++
	for range rapid.IntRange(0, 5).Draw(w.t, "steps") {
		call, name, args := w.id("call"), "", logRow{}
		answer := func(parts ...any) {
			n := w.counts() // the last are thoughts
			usage := logRow{"promptTokenCount": n[0] + n[2], "cachedContentTokenCount": n[2], "candidatesTokenCount": n[1], "thoughtsTokenCount": n[3], "totalTokenCount": n[0] + n[1] + n[2] + n[3]}
			r.Tokens[0], r.Tokens[1], r.Tokens[2] = r.Tokens[0]+n[0], r.Tokens[1]+n[1]+n[3], r.Tokens[2]+n[2]
			add("assistant", "assistant_output", logRow{"model": "m", "message": message("model", parts...), "usageMetadata": usage})
		}
		result := func(of logRow, text string) {
			member := "output"
			if of["status"] == "error" {
				member = "error"
			}
			add("system", "system", logRow{"subtype": "ui_telemetry", "systemPayload": logRow{"uiEvent": logRow{"event.name": "qwen-code.tool_call", "function_name": name, "call_id": call}}})
			of["callId"] = call
			response := logRow{"id": call, "name": name, "response": logRow{member: text}}
			add("tool_result", "tool_result", logRow{"message": message("user", logRow{"functionResponse": response}), "toolCallResult": of})
		}
		use := func() {
			answer(logRow{"text": "so"}, logRow{"functionCall": logRow{"id": call, "name": name, "args": args}})
		}
		switch w.pick("step", "command", "command", "edit", "mcp", "text", "prompt", "system", "future") {
		case "command":
			script := w.pick("script", scripts...)
			name, args = "run_shell_command", logRow{"command": script}
			use()
			outcome := w.pick("outcome", "ok", "error", "old error", "rejected", "denied", "running", "unknown")
			switch outcome {
			case "ok":
				result(logRow{"status": "success", "resultDisplay": logRow{"type": "shell_result", "exitCode": 0}}, "x")
			case "error":
				result(logRow{"status": "error", "resultDisplay": logRow{"exitCode": 2}}, "Command: x\nExit Code: 2\nSignal: (none)")
			case "old error":
				result(logRow{"status": "success", "resultDisplay": "x"}, "Command: x\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 1")
				outcome = "error"
			case "rejected":
				result(logRow{"status": "cancelled"}, "[Operation Cancelled]")
			case "denied":
				result(logRow{"status": "error", "errorType": "execution_denied"}, "no")
				outcome = "rejected"
			case "unknown":
				result(logRow{"status": "success", "resultDisplay": "x"}, "Background command started.")
			}
			r.Commands = append(r.Commands, script+": "+outcome)
		case "edit":
			name, args = "write_file", logRow{"file_path": "ü.go", "content": "x"}
			use()
			outcome := w.pick("outcome", "ok", "error")
			result(logRow{"status": map[string]string{"ok": "success", "error": "error"}[outcome]}, "x")
			r.Edits = append(r.Edits, "/r/ü.go: "+outcome)
		case "mcp":
			name = "mcp__jira__search"
			use()
			result(logRow{"status": "success"}, "x")
			r.Others = append(r.Others, name+": ok")
		case "text":
			answer(logRow{"text": "so"})
		case "prompt":
			add("user", "real_user", logRow{"subtype": "mid_turn_user_message", "message": message("user", logRow{"text": "stop"})})
			r.Prompts++
		case "system":
			add("user", "system", logRow{"subtype": "notification", "message": message("user", logRow{"text": "done"})})
		case "future":
			if w.chance("future", 4) {
				add("system", "system", logRow{"subtype": "teleport", "systemPayload": logRow{}})
				r.Lost = true
			}
		}
	}
	return fstest.MapFS{dir + "chats/" + session + ".jsonl": {Data: jsonLines(rows)}}
}
