package agentlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestAntigravityLaw compares the counts of sessions with a model that writes random transcripts
// of Antigravity, in one or both of their forms, and knows what happened.
func TestAntigravityLaw(t *testing.T) {
	checkSessions(t, (*archive).antigravity)
}

// antigravity is a conversation of Antigravity in the making.
type antigravity struct {
	*account

	w    *archive
	rows []logRow
	step int
}

func (a *antigravity) add(source, kind, status string, more logRow) {
	row := logRow{"step_index": a.step, "source": source, "type": kind, "status": status, "created_at": a.w.now.Format(time.RFC3339)}
	a.visits[wholeSession].saw(a.w.now.Truncate(time.Second))
	maps.Copy(row, more)
	a.rows = append(a.rows, row)
	a.step++
}

// antigravity adds a conversation: prompts, and responses with the steps of their calls.
func (w *archive) antigravity() {
	a := &antigravity{w: w, account: w.newAccount(w.id("conversation"))}
	a.visits[wholeSession] = newVisitAccount()
	a.lose(tokenParts...)
	a.add("USER_EXPLICIT", "USER_INPUT", "DONE", logRow{"content": "<USER_REQUEST>go</USER_REQUEST>"})
	for range rapid.IntRange(1, 5).Draw(w.t, "turns") {
		w.pass()
		switch rapid.IntRange(0, 9).Draw(w.t, "step") {
		case 0:
			a.add("USER_EXPLICIT", "USER_INPUT", "DONE", logRow{"content": "go on"})
		case 1:
			a.add("SYSTEM", "CHECKPOINT", "DONE", nil)
		case 2: // a step that was not permitted is absent
			a.step++
		}
		a.turn()
	}
	if !w.harmless && w.chance("step of a future type", 10) {
		a.add("MODEL", "PLANNER_RESPONSE_V2", "DONE", nil)
		a.loseAll()
		a.unknown["seconds"] = false // its time is known
	}
	rows := a.rows
	if !w.harmless && w.chance("order of rows", 3) && len(rows) > 2 { // after the first, some two rows change places
		at := rapid.IntRange(1, len(rows)-2).Draw(w.t, "row")
		rows[at], rows[at+1] = rows[at+1], rows[at]
	}
	text := map[string][]byte{"transcript_full.jsonl": jsonLines(rows), "transcript.jsonl": jsonLines(written(rows))}
	if !w.harmless && w.chance("torn", 5) {
		text["transcript_full.jsonl"] = w.tear(rows)
		delete(text, "transcript.jsonl")
		a.loseAll()
		a.mentions = nil
	}
	dir := "brain/" + a.ids[0] + "/.system_generated/logs/"
	for _, name := range rapid.SampledFrom([][]string{{"transcript.jsonl"}, {"transcript_full.jsonl"}, {"transcript.jsonl", "transcript_full.jsonl"}}).Draw(w.t, "files") {
		if text[name] == nil {
			name = "transcript_full.jsonl"
		}
		w.write(dir+name, text[name])
	}
}

// written returns rows with the arguments of tools as JSON texts.
func written(rows []logRow) []logRow {
	rows = slices.Clone(rows)
	for i, row := range rows {
		calls, ok := row["tool_calls"].([]any)
		if !ok {
			continue
		}
		var texts []any
		for _, call := range calls {
			call := call.(map[string]any)
			arguments := map[string]any{}
			for key, value := range call["args"].(map[string]any) {
				text, err := json.Marshal(value)
				if err != nil {
					panic(err)
				}
				arguments[key] = string(text)
			}
			texts = append(texts, map[string]any{"name": call["name"], "args": arguments})
		}
		rows[i] = maps.Clone(row)
		rows[i]["tool_calls"] = texts
	}
	return rows
}

// planned is a call that a response asks for.
type planned struct{ tool, quantity, outcome string }

func (a *antigravity) turn() {
	w := a.w
	tools := []string{"run_command", "run_command", "write_to_file", "replace_file_content", "view_file", "list_dir", "mcp_jira_search"}
	outcomes := []string{"ok", "ok", "failed"}
	if !w.harmless {
		tools, outcomes = append(tools, "frobnicate"), append(outcomes, "unstated", "absent")
	}
	var calls []planned
	var asked []any
	of := map[string][]planned{}
	for range rapid.IntRange(0, 3).Draw(w.t, "calls") {
		c := planned{tool: rapid.SampledFrom(tools).Draw(w.t, "tool"), outcome: rapid.SampledFrom(outcomes).Draw(w.t, "outcome")}
		arguments := map[string]any{"toolSummary": `"quoted"`, "WaitMsBeforeAsync": 500}
		switch c.tool {
		case "run_command":
			c.quantity = "commands"
			arguments["CommandLine"] = rapid.SampledFrom([]string{"make", `echo "ä"`, `"my tool" x`}).Draw(w.t, "command")
		case "write_to_file", "replace_file_content":
			c.quantity = "edits"
			arguments["TargetFile"] = "/repo/a b.go"
		case "view_file":
			arguments["AbsolutePath"] = "/repo/a.go"
		case "frobnicate":
			a.lose("commands", "edits")
			a.mentions = append(a.mentions, c.tool)
		}
		if earlier := of[c.quantity]; w.harmless && c.quantity == "edits" && len(earlier) > 0 {
			c.outcome = earlier[0].outcome // those of two edits that differ cannot be distinguished
		}
		of[c.quantity] = append(of[c.quantity], c)
		calls, asked = append(calls, c), append(asked, map[string]any{"name": c.tool, "args": arguments})
	}
	more := logRow{"content": "Next."}
	if asked != nil {
		more["tool_calls"] = asked
	}
	a.add("MODEL", "PLANNER_RESPONSE", "DONE", more)
	generic := len(calls) == 1 && w.chance("generic", 2)
	for _, c := range calls {
		w.pass()
		a.result(c, generic)
	}
	a.count("commands", of["commands"])
	a.count("edits", of["edits"])
}

// count counts the calls of a response that are commands, or edits. Nothing states which of them a
// step is of.
func (a *antigravity) count(quantity string, calls []planned) {
	v := a.visits[wholeSession]
	applied := 0
	for _, c := range calls {
		if c.outcome == "absent" {
			v.unknown[quantity] = true
			return
		}
		if c.outcome != "failed" {
			applied++
		}
	}
	switch {
	case quantity == "commands":
		v.counts[quantity] += int64(len(calls))
	case applied == len(calls):
		v.counts[quantity] += int64(applied)
	case applied > 0:
		v.unknown[quantity] = true
	}
}

func (a *antigravity) result(c planned, generic bool) {
	if c.outcome == "absent" {
		a.step++
		return
	}
	kind := map[string]string{"commands": "RUN_COMMAND", "edits": "CODE_ACTION", "": "VIEW_FILE"}[c.quantity]
	if generic {
		kind = "GENERIC"
	}
	status, text := "DONE", "fine"
	switch {
	case c.quantity == "commands" && c.outcome != "unstated":
		codes := map[string]int{"ok": 0, "failed": 2}
		text = fmt.Sprintf("The command exited with code %d.\nOutput:\nThe command exited with code 7.", codes[c.outcome])
		if c.outcome == "ok" && a.w.chance("in words", 2) {
			text = "The command completed successfully.\nOutput:\n…"
		}
	case c.outcome == "failed":
		status = "ERROR"
	}
	a.add("MODEL", kind, status, logRow{"content": "Created At: x\nCompleted At: y\n\n\t\t\t\t" + text})
}
