package receipt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/receipt"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/coverage"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// played is a session that was played: its log, its journal, and what the hooks did about
// each call, in the order of the log.
type played struct {
	t       *rapid.T
	agent   string
	at      time.Time
	log     []string
	journal []string
	calls   []session.ToolCall // of an agent whose logs have no reader
	truth   []truth
	silent  bool // no hook ran
}

type truth struct {
	tool, does string
	verdict    coverage.Verdict
	reason     coverage.Reason
	observed   bool
}

func (p *played) pass() time.Time {
	p.at = p.at.Add(time.Duration(rapid.IntRange(1, 4000).Draw(p.t, "ms")) * time.Millisecond)
	return p.at
}

func (p *played) chance(n int, of string) bool { return rapid.IntRange(1, n).Draw(p.t, of) == 1 }

func (p *played) write(row any) {
	text, err := json.Marshal(row)
	if err != nil {
		p.t.Fatal(err)
	}
	p.log = append(p.log, string(text))
}

// event plays an event of a hook: its row in the journal.
func (p *played) event(payload map[string]any, change func(*hook.Row)) {
	text, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	parsed := dialect.Parse(text)
	d := dialect.Of(parsed, p.agent)
	e := d.Event(parsed, "")
	row := e.Row(p.at)
	row.Verdict = hook.Allow
	if row.Input != nil {
		in := row.Input.Bounded()
		row.Input = &in
	}
	change(&row)
	line, err := json.Marshal(row)
	if err != nil {
		p.t.Fatal(err)
	}
	p.journal = append(p.journal, string(line))
}

// hook plays the hook before a call, and returns what it did.
func (p *played) hook(before, after map[string]any) truth {
	if p.silent {
		return truth{verdict: coverage.NotChecked, reason: coverage.Absent}
	}
	switch rapid.SampledFrom([]string{"checked", "checked", "denied", "observed", "late", "fault", "none", "killed", "twice"}).Draw(p.t, "hook") {
	case "denied":
		p.event(before, func(r *hook.Row) { r.Verdict = hook.Deny })
	case "observed":
		p.event(before, func(r *hook.Row) { r.Observed = true })
		return truth{verdict: coverage.Checked, observed: true}
	case "late":
		p.event(before, func(r *hook.Row) { r.Fault = hook.FaultLate })
		return truth{verdict: coverage.NotChecked, reason: coverage.TimedOut}
	case "fault":
		p.event(before, func(r *hook.Row) { r.Fault = errors.New("disk on fire").Error() })
		return truth{verdict: coverage.NotChecked, reason: coverage.Fault}
	case "none":
		return truth{verdict: coverage.NotChecked, reason: coverage.Missing}
	case "killed":
		p.event(after, func(*hook.Row) {})
		if before["tool_use_id"] == nil {
			return truth{verdict: coverage.NotChecked, reason: coverage.Missing}
		}
		return truth{verdict: coverage.NotChecked, reason: coverage.TimedOut}
	case "twice":
		if before["tool_use_id"] == nil {
			p.event(before, func(*hook.Row) {})
			break
		}
		p.event(before, func(r *hook.Row) { r.Fault = hook.FaultLate })
		p.event(before, func(*hook.Row) {})
	default:
		p.event(before, func(*hook.Row) {})
	}
	return truth{verdict: coverage.Checked}
}

// Few commands and files, so that calls are often equal.
func (p *played) command() string {
	return rapid.SampledFrom([]string{"make", "make test", "deploy --password hunter2hunter2", strings.Repeat("x", 2050) + "1", strings.Repeat("x", 2050) + "2"}).Draw(p.t, "command")
}

func (p *played) file() string {
	return "/repo/" + rapid.SampledFrom([]string{"a.go", "b.go", "c d.go"}).Draw(p.t, "file")
}

const cwd = "/repo"

func (p *played) stamp(at time.Time) string { return at.Format(time.RFC3339Nano) }

// claude plays a call of Claude Code.
func (p *played) claude(n int) {
	name, input := "Bash", map[string]any{"command": p.command()}
	switch rapid.IntRange(0, 3).Draw(p.t, "tool") {
	case 1:
		name, input = "Write", map[string]any{"file_path": p.file(), "content": "x"}
	case 2:
		name, input = "mcp__db__query", map[string]any{"sql": "select 1"}
	case 3:
		name, input = "Read", map[string]any{"file_path": p.file()}
	}
	id := "toolu_" + strconv.Itoa(n)
	asked := p.pass()
	p.write(map[string]any{
		"type": "assistant", "uuid": "u" + id, "timestamp": p.stamp(asked), "sessionId": "s-1", "cwd": cwd, "version": "2.1.0",
		"message": map[string]any{
			"id": "m" + id, "role": "assistant", "usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
			"content": []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}},
		},
	})
	p.pass()
	payload := func(event string) map[string]any {
		return map[string]any{"session_id": "s-1", "prompt_id": "p", "cwd": cwd, "hook_event_name": event, "tool_name": name, "tool_input": input, "tool_use_id": id}
	}
	p.truth = append(p.truth, p.hook(payload("PreToolUse"), payload("PostToolUse")))
	p.write(map[string]any{
		"type": "user", "uuid": "r" + id, "timestamp": p.stamp(p.pass()), "sessionId": "s-1", "cwd": cwd,
		"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": "ok"}}},
	})
}

func (p *played) item(kind string, payload map[string]any) {
	payload["type"] = kind
	p.write(map[string]any{"timestamp": p.stamp(p.at), "type": map[bool]string{true: "event_msg", false: "response_item"}[kind == "item_completed"], "payload": payload})
}

// codex plays a call of Codex: direct, in a program, in a patch, or to a running command.
func (p *played) codex(n int) {
	id := "call_" + strconv.Itoa(n)
	payload := func(name string, input map[string]any, id string) func(string) map[string]any {
		return func(event string) map[string]any {
			return map[string]any{"session_id": "s-1", "turn_id": "t", "cwd": cwd, "hook_event_name": event, "tool_name": name, "tool_input": input, "tool_use_id": id}
		}
	}
	opaque := truth{verdict: coverage.NotChecked, reason: coverage.Opaque}
	p.pass()
	switch rapid.SampledFrom([]string{"command", "command", "patch", "heredoc", "stdin", "poll", "program"}).Draw(p.t, "tool") {
	case "command":
		command := p.command()
		p.item("function_call", map[string]any{"name": "exec_command", "arguments": fmt.Sprintf(`{"cmd":%q}`, command), "call_id": id})
		of := payload("Bash", map[string]any{"command": command}, id)
		p.truth = append(p.truth, p.hook(of("PreToolUse"), of("PostToolUse")))
		if p.chance(2, "itemized") {
			p.item("item_completed", map[string]any{"item": map[string]any{"type": "CommandExecution", "id": id, "command": []string{"/bin/bash", "-lc", command}, "status": "completed", "exit_code": 0}})
		}
		p.item("function_call_output", map[string]any{"call_id": id, "output": "ok"})
	case "patch":
		patch := "*** Begin Patch\n*** Update File: " + p.file() + "\n+x\n*** End Patch\n"
		p.item("custom_tool_call", map[string]any{"name": "apply_patch", "input": patch, "call_id": id, "status": "completed"})
		of := payload("apply_patch", map[string]any{"command": patch}, id)
		p.truth = append(p.truth, p.hook(of("PreToolUse"), of("PostToolUse")))
	case "heredoc":
		command := "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\nEOF"
		p.item("function_call", map[string]any{"name": "exec_command", "arguments": fmt.Sprintf(`{"cmd":%q}`, command), "call_id": id})
		of := payload("Bash", map[string]any{"command": command}, id)
		p.truth = append(p.truth, p.hook(of("PreToolUse"), of("PostToolUse")))
	case "stdin":
		p.item("function_call", map[string]any{"name": "write_stdin", "arguments": `{"session_id":1,"chars":"rm x\n"}`, "call_id": id})
		p.truth = append(p.truth, opaque)
	case "poll":
		p.item("function_call", map[string]any{"name": "write_stdin", "arguments": `{"session_id":1,"chars":""}`, "call_id": id})
	case "program":
		p.item("custom_tool_call", map[string]any{"name": "exec", "input": "await tools.exec_command({cmd: \"make\"})", "call_id": id, "status": "completed"})
		for k := range rapid.IntRange(0, 3).Draw(p.t, "nested") {
			p.pass()
			nested, command := fmt.Sprintf("exec-%d-%d", n, k), p.command()
			of := payload("Bash", map[string]any{"command": command}, nested)
			did := p.hook(of("PreToolUse"), of("PostToolUse"))
			p.pass()
			if did.verdict == coverage.Checked && p.chance(4, "refused") { // it is not in the log
				continue
			}
			p.truth = append(p.truth, did)
			p.item("item_completed", map[string]any{"item": map[string]any{"type": "CommandExecution", "id": nested, "command": []string{"/bin/bash", "-lc", command}, "status": "completed", "exit_code": 0}})
		}
		p.item("custom_tool_call_output", map[string]any{"call_id": id, "output": "Script completed"})
	}
}

// gemini plays a call of Gemini CLI, whose payloads have no ids.
func (p *played) gemini(n int) {
	c := session.ToolCall{ID: fmt.Sprintf("run__call_%d", n), Name: "run_shell_command", Kind: fact.Command, Command: p.command()}
	input := map[string]any{"command": c.Command}
	switch rapid.IntRange(0, 2).Draw(p.t, "tool") {
	case 1:
		c.Name, c.Kind, c.Command, c.Paths = "write_file", fact.FileEdit, "", []string{p.file()}
		input = map[string]any{"file_path": c.Paths[0], "content": "x"}
	case 2:
		c.Name, c.Kind, c.Command = "mcp_db_query", fact.MCP, ""
		input = map[string]any{"sql": strconv.Itoa(n)}
	}
	c.At = p.pass()
	p.pass()
	payload := func(event string) map[string]any {
		return map[string]any{
			"session_id": "s-1", "transcript_path": "/home/a/.gemini/tmp/x/chats/s.json", "cwd": cwd, "hook_event_name": event, "timestamp": p.stamp(p.at),
			"tool_name": c.Name, "tool_input": input,
		}
	}
	did := p.hook(payload("BeforeTool"), payload("AfterTool"))
	did.tool, did.does = c.Name, c.Command+strings.Join(c.Paths, " ")
	p.truth = append(p.truth, did)
	c.End, c.Status = p.pass(), fact.OK
	p.calls = append(p.calls, c)
}

// read returns the session as its log has it.
func (p *played) read() *session.Session {
	if p.agent == "gemini" {
		return &session.Session{ID: "s-1", Agent: "gemini", Cwd: cwd, Calls: p.calls}
	}
	text := strings.Join(p.log, "\n")
	if p.agent == "codex" {
		meta := map[string]any{"timestamp": p.stamp(start), "type": "session_meta", "payload": map[string]any{"id": "s-1", "cwd": cwd}}
		prompt := map[string]any{"timestamp": p.stamp(start), "type": "event_msg", "payload": map[string]any{"type": "item_completed", "item": map[string]any{"type": "UserMessage", "id": "x"}}}
		text = line(p.t, meta) + "\n" + line(p.t, prompt) + "\n" + text
	}
	sessions, _, err := agentlog.Load(p.t.Context(), []agentlog.Input{{Path: "s-1.jsonl", Reader: strings.NewReader(text)}}, agentlog.Options{Jobs: 1})
	if err != nil || len(sessions) != 1 {
		p.t.Fatalf("%d sessions, %v, of\n%s", len(sessions), err, text)
	}
	return &sessions[0]
}

var start = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// play plays a session of an agent.
func play(t *rapid.T, name string) *played {
	p := &played{t: t, agent: name, at: start}
	p.silent = p.chance(8, "silent")
	calls := map[string]func(int){"claude": p.claude, "codex": p.codex, "gemini": p.gemini}
	for n := range rapid.IntRange(1, 25).Draw(t, "calls") {
		calls[name](n)
	}
	return p
}

// TestCoverageLaw compares the verdicts with what the hooks of played sessions did. Long
// series set -rapid.checks.
func TestCoverageLaw(t *testing.T) {
	for _, name := range []string{"claude", "codex", "gemini"} {
		t.Run(name, func(t *testing.T) {
			sessions, calls, unknown := 0, 0, 0
			lawtest.Check(t, func(t *rapid.T) {
				n, open := check(t, play(t, name))
				sessions, calls, unknown = sessions+1, calls+n, unknown+open
			})
			t.Logf("%d sessions, %d calls, of %d it is not known", sessions, calls, unknown)
		})
	}
}

// check compares the verdicts on a played session with the truth.
func check(t *rapid.T, p *played) (calls, unknown int) {
	s := p.read()
	journals := receipt.NewJournals()
	damaged, here := p.chance(10, "damaged") && len(p.journal) > 0, p.chance(2, "here")
	lines := p.journal
	if damaged {
		lines = append([]string{lines[0], `{"event_type":"pre_tool`}, lines[1:]...)
	}
	if len(lines) > 0 {
		fsys := fstest.MapFS{"x/" + p.agent + "-s-1.ndjson": {Data: []byte(strings.Join(lines, "\n") + "\n")}}
		if err := journals.Add(t.Context(), fsys, "."); err != nil {
			t.Fatal(err)
		}
	}
	got := journals.Join(s, here)
	if len(got) != len(p.truth) {
		t.Fatalf("%d calls; want %d:\n%+v\n%s", len(got), len(p.truth), got, strings.Join(p.log, "\n"))
	}
	for i, c := range got {
		want := p.truth[i]
		switch {
		case want.reason == coverage.Opaque:
		case len(p.journal) == 0 && !here:
			want = truth{verdict: coverage.Unknown, reason: coverage.NoJournal}
		case len(p.journal) == 0:
			want.reason = map[bool]coverage.Reason{true: coverage.Untrusted, false: coverage.Absent}[p.agent == "codex"]
		case damaged && (want.reason == coverage.Missing || want.reason == coverage.TimedOut && c.Reason == coverage.Damaged):
			want = truth{verdict: coverage.Unknown, reason: coverage.Damaged}
		}
		if c.Reason == coverage.Ambiguous && p.ambiguous(i) {
			unknown++
			continue
		}
		if c.Verdict != want.verdict || c.Reason != want.reason || c.Observed != want.observed {
			t.Errorf("call %d, %s: %s %q, observed %t; want %s %q, observed %t\njournal:\n%s", i, c.Tool, c.Verdict, c.Reason, c.Observed,
				want.verdict, want.reason, want.observed, strings.ReplaceAll(strings.Join(p.journal, "\n"), strings.Repeat("x", 2000), "…"))
		}
	}
	return len(got), unknown
}

// ambiguous reports whether an equal call without an id had another fate.
func (p *played) ambiguous(i int) bool {
	for k := range p.truth {
		if p.truth[k].tool == p.truth[i].tool && p.truth[k].does == p.truth[i].does && p.truth[k] != p.truth[i] {
			return p.agent == "gemini"
		}
	}
	return false
}

// line returns a row of a log.
func line(t *rapid.T, row map[string]any) string {
	text, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
