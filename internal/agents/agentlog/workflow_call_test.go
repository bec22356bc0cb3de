package agentlog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// workflowLog writes a log whose agent leads workflows of rulecheck, and knows the phases.
type workflowLog struct {
	codex bool
	rows  []string
	at    time.Time
	want  []string // run, phase and second of each entry
	in    string   // run and phase
}

func (l *workflowLog) row(format string, values ...any) {
	l.rows = append(l.rows, fmt.Sprintf(format, values...))
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can always be encoded
	}
	return string(b)
}

// call writes a call of a tool and its answer, two seconds later.
func (l *workflowLog) call(mcp bool, command, answer string, failed bool) {
	id := fmt.Sprintf("t%d", len(l.rows))
	began, ended := l.at.Format(time.RFC3339), l.at.Add(2*time.Second).Format(time.RFC3339)
	l.at = l.at.Add(10 * time.Second)
	name, input := "Bash", `{"command":`+quoted(command)+`}`
	if mcp {
		name, input = "mcp__rulecheck__workflow", `{"action":"next"}`
	}
	if l.codex {
		if !mcp {
			name, input = "exec_command", `{"cmd":`+quoted(command)+`}`
			answer = fmt.Sprintf("Chunk ID: 1\nProcess exited with code %d\nOutput:\n%s", map[bool]int{true: 1}[failed], answer)
		}
		l.row(`{"timestamp":%q,"type":"response_item","payload":{"type":"function_call","name":%q,"arguments":%s,"call_id":%q}}`, began, name, quoted(input), id)
		l.row(`{"timestamp":%q,"type":"response_item","payload":{"type":"function_call_output","call_id":%q,"output":%s}}`, ended, id, quoted(answer))
		return
	}
	l.row(`{"type":"assistant","sessionId":"s","cwd":"/r","timestamp":%q,"message":{"id":"m%s","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}],"usage":{"input_tokens":1,"output_tokens":1}}}`, began, id, id, name, input)
	content := quoted(answer)
	if mcp {
		content = `[{"type":"text","text":` + content + `}]`
	}
	l.row(`{"type":"user","sessionId":"s","cwd":"/r","timestamp":%q,"message":{"content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":%s}]}}`, ended, id, failed, content)
}

// reply writes an answer of rulecheck.
func reply(run, phase, status string, moved bool) string {
	return fmt.Sprintf("notice: shown first\n{\n  \"session_id\": %q,\n  \"workflow\": \"w\",\n  \"status\": %q,\n  \"current_phase\": %q,\n"+
		"  \"progress\": {\"completed\": []},\n  \"moved\": %t,\n  \"prompt\": \"{ \\\"session_id\\\": 1\"\n}\n", run, status, phase, moved)
}

// step writes one random call.
func (l *workflowLog) step(t *rapid.T) {
	run, phase := rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "run"), rapid.SampledFrom([]string{"plan", "code", "done"}).Draw(t, "phase")
	mcp := rapid.Bool().Draw(t, "mcp")
	status := map[bool]string{true: "completed", false: "open"}[phase == "done"]
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0: // a refused step, whose answer names the phase that the session stays in
		if run, phase, ok := strings.Cut(l.in, " "); ok && phase != "done" {
			l.call(mcp, "rulecheck workflow next --format json", reply(run, phase, "open", false), true)
		}
	case 1: // some other command, whose output looks alike
		l.call(false, "cat state.json", reply(run, phase, "open", true), false)
	case 2: // a step into a phase, or into the same again
		l.enter(run, phase)
		l.call(mcp, "cd /r && rulecheck workflow next --format json", reply(run, phase, status, true), false)
	default: // a question, by which a session may be resumed
		if l.in != run+" "+phase {
			l.enter(run, phase)
		}
		l.call(mcp, "rulecheck workflow start w --format=json", reply(run, phase, status, false), false)
	}
}

func (l *workflowLog) enter(run, phase string) {
	l.in = run + " " + phase
	l.want = append(l.want, fmt.Sprint(l.in, " ", l.at.Add(2*time.Second).Unix()))
}

// TestWorkflowCalls compares the phases of random logs with those that their workflow calls
// entered. A copy of a part of the log, as a resumed session has it, changes nothing.
func TestWorkflowCalls(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(t *rapid.T) {
		l := &workflowLog{codex: rapid.Bool().Draw(t, "codex"), at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		if l.codex {
			l.row(`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/r"}}`)
		}
		l.call(false, "ls", "", false)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			l.step(t)
		}
		inputs := []agentlog.Input{{Path: "a.jsonl", Reader: strings.NewReader(strings.Join(l.rows, "\n"))}}
		if copied := rapid.IntRange(0, len(l.rows)).Draw(t, "copied"); copied > 0 {
			inputs = append(inputs, agentlog.Input{Path: "b.jsonl", Reader: strings.NewReader(strings.Join(l.rows[:copied], "\n"))})
		}
		sessions, _, err := agentlog.Load(t.Context(), inputs, agentlog.Options{})
		if err != nil || len(sessions) != 1 {
			t.Fatalf("%d sessions, %v", len(sessions), err)
		}
		var got []string
		for i, p := range sessions[0].Phases {
			got = append(got, fmt.Sprint(p.WorkflowID, " ", p.Name, " ", p.Start.Unix()))
			if p.Terminal != (p.Name == "done") || p.Workflow != "w" || p.Source != "workflow" {
				t.Errorf("phase %d is %+v", i, p)
			}
		}
		if !slices.Equal(got, l.want) {
			t.Errorf("phases\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(l.want, "\n"), strings.Join(l.rows, "\n"))
		}
	})
}

// TestUnnamedPhases expects no phases where one answer does not name its phase: what the
// agent did in it would count for another.
func TestUnnamedPhases(t *testing.T) {
	t.Parallel()
	l := &workflowLog{at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	l.call(false, "rulecheck workflow start w --format json", reply("r", "plan", "open", false), false)
	l.call(false, "rulecheck workflow next", "Write the code.\n", false)
	l.call(true, "", reply("r", "code", "open", false), false)
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: "a.jsonl", Reader: strings.NewReader(strings.Join(l.rows, "\n"))}}, agentlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	named := func(d fact.Diagnostic) bool {
		return d.Code == fact.UnknownPhases && d.Line == 3
	}
	if s := sessions[0]; len(s.Phases) > 0 || !slices.ContainsFunc(s.Diagnostics, named) {
		t.Errorf("phases %v, diagnostics %v", s.Phases, s.Diagnostics)
	}
}
