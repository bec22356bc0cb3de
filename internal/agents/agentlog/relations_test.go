package agentlog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// claudeTurn returns the rows of an API call that runs a command, and of its result.
func claudeTurn(of, n string, second int, more string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%[2]s","sessionId":%[1]q,"timestamp":"2026-01-01T00:00:%02[3]dZ","message":{"content":"p"}%[4]s}
{"type":"assistant","sessionId":%[1]q,"timestamp":"2026-01-01T00:00:%02[3]dZ","message":{"id":"m%[2]s","content":[{"type":"tool_use","id":"t%[2]s","name":"Bash","input":{"command":"make"}}],"usage":{"input_tokens":1,"output_tokens":5}}%[4]s}
{"type":"user","sessionId":%[1]q,"timestamp":"2026-01-01T00:00:%02[3]dZ","message":{"content":[{"type":"tool_result","tool_use_id":"t%[2]s","content":"ok"}]}%[4]s}
`, of, n, second, more)
}

// tally holds the counts of a session.
type tally struct {
	ID, Parent             string
	Prompts, Calls, Output int
}

func tallies(t *testing.T, sessions []session.Session) []tally {
	t.Helper()
	var all []tally
	for _, s := range sessions {
		all = append(all, tally{s.ID, s.Parent, len(s.Prompts), len(s.Calls), int(sum(t, s.Tokens).Output)})
	}
	return all
}

func TestClaudeRelations(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  []tally
	}{
		"a resumed session repeats its past under its own id": {
			map[string]string{
				"b.jsonl": claudeTurn("b", "1", 1, "") + claudeTurn("b", "2", 2, "") + claudeTurn("b", "3", 3, ""),
				"a.jsonl": claudeTurn("a", "1", 1, "") + claudeTurn("a", "2", 2, ""),
			},
			[]tally{{"a", "", 2, 2, 10}, {"b", "", 1, 1, 5}},
		},
		"a fork says whose rows it copies, and may end first": {
			map[string]string{
				"a.jsonl": claudeTurn("a", "1", 1, "") + claudeTurn("a", "2", 9, ""),
				"b.jsonl": claudeTurn("b", "1", 1, `,"forkedFrom":{"sessionId":"a","messageUuid":"u1"}`) + claudeTurn("b", "3", 3, ""),
			},
			[]tally{{"a", "", 2, 2, 10}, {"b", "a", 1, 1, 5}},
		},
		"a copy that begins later is known by its ids alone": {
			map[string]string{
				"a.jsonl": claudeTurn("a", "1", 1, "") + claudeTurn("a", "2", 2, ""),
				"b.jsonl": claudeTurn("b", "2", 2, "") + claudeTurn("b", "3", 3, ""),
			},
			[]tally{{"a", "", 2, 2, 10}, {"b", "", 1, 1, 5}},
		},
		"subagents are part of their session, in both layouts": {
			map[string]string{
				"a.jsonl":                    claudeTurn("a", "1", 1, ""),
				"a/subagents/agent-x1.jsonl": claudeTurn("a", "2", 2, `,"isSidechain":true`),
				"agent-x2.jsonl":             claudeTurn("a", "3", 3, `,"isSidechain":true`),
			},
			[]tally{{"a", "", 1, 3, 15}},
		},
		"a side question repeats the call it was asked in": {
			map[string]string{
				"a.jsonl": strings.ReplaceAll(claudeTurn("a", "1", 2, `,"isSidechain":true`), `"output_tokens":5`, `"output_tokens":900`) + claudeTurn("a", "1", 1, ""),
			},
			[]tally{{"a", "", 1, 1, 5}},
		},
		"an answered call is answered in every copy": {
			map[string]string{
				"a.jsonl": strings.Join(strings.SplitAfter(claudeTurn("a", "1", 1, ""), "\n")[:2], ""),
				"b.jsonl": claudeTurn("b", "1", 1, "") + claudeTurn("b", "2", 2, ""),
			},
			[]tally{{"a", "", 1, 1, 5}, {"b", "", 1, 1, 5}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sessions := loadFiles(t, test.files)
			if diff := cmp.Diff(test.want, tallies(t, sessions)); diff != "" {
				t.Error(diff)
			}
			for _, s := range sessions {
				for _, c := range s.Calls {
					if c.Status != fact.OK {
						t.Errorf("%s ended %s", c.ID, c.Status)
					}
				}
			}
		})
	}
}

func TestClaudeRows(t *testing.T) {
	rows := []string{
		`{"type":"assistant","requestId":"r1","timestamp":"2026-01-01T00:00:01Z","message":{"usage":{"input_tokens":1,"output_tokens":1}}}`,
		`{"type":"assistant","requestId":"r1","timestamp":"2026-01-01T00:00:02Z","message":{"usage":{"input_tokens":1,"output_tokens":7}}}`,
		`{"type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":2,"iterations":[7,{"type":"message","input_tokens":1,"output_tokens":2},` +
			`{"type":"advisor_message","input_tokens":100,"output_tokens":30}]}}}`,
		`{"type":"assistant","timestamp":"2026-01-01T00:00:03Z","isApiErrorMessage":true,"message":{"id":"e","usage":{"input_tokens":0,"output_tokens":0}}}`,
		`{"type":"user","timestamp":"2026-01-01T00:00:04Z","message":{"content":"<command-name>/clear</command-name>"}}`,
		`{"type":"user","timestamp":"2026-01-01T00:00:04Z","message":{"content":[{"type":"image","source":{}},{"type":"text","text":"look"}]}}`,
		`{"type":"assistant","timestamp":"2026-01-01T00:00:05Z","cwd":"/repo","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"NotebookEdit","input":{"notebook_path":"n.ipynb"}},` +
			`{"type":"tool_use","id":"t2","name":"mcp__flow__next","input":{"to":"plan"}},{"type":"tool_use","id":"t3","name":"mcp__flow__next","input":{"to":"code"}},` +
			`{"type":"tool_use","id":"t4","name":"mcp__flow__next","input":null},{"type":"tool_use","id":"t5","name":"Read","input":{"file_path":"C:\\a.go"}},` +
			`{"type":"tool_use","id":"t6","name":"Bash","input":{"command":"sleep 9"}}]}}`,
		`{"type":"user","timestamp":"2026-01-01T00:00:06Z","message":{"content":[{"type":"tool_result","tool_use_id":"t3","is_error":true,"content":[{"type":"text","text":"not now"}]}]},"toolUseResult":"Error: not now"}`,
		`{"type":"user","timestamp":"2026-01-01T00:00:07Z","message":{"content":[{"type":"tool_result","tool_use_id":"t6","content":""}]},"toolUseResult":{"interrupted":true}}`,
	}
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{Path: "x.jsonl", Reader: strings.NewReader(strings.Join(rows, "\n"))}},
		agentlog.Options{PhaseSignals: []agentlog.PhaseSignal{{Tool: "mcp__flow__next", Field: "to"}}})
	if err != nil {
		t.Fatal(err)
	}
	s := sessions[0]
	if got := tallies(t, sessions); got[0] != (tally{"x", "", 1, 6, 7 + 2 + 30}) || len(s.Tokens) != 3 {
		t.Errorf("got %+v", got)
	}
	type brief struct {
		Kind   fact.Kind
		Status fact.Status
		Paths  string
	}
	var got []brief
	for _, c := range s.Calls {
		got = append(got, brief{c.Kind, c.Status, strings.Join(c.Paths, " ")})
	}
	want := []brief{
		{fact.FileEdit, fact.Running, "/repo/n.ipynb"},
		{fact.MCP, fact.Running, ""},
		{fact.MCP, fact.Error, ""},
		{fact.MCP, fact.Running, ""},
		{fact.Read, fact.Running, `C:\a.go`},
		{fact.Command, fact.Error, ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v := s.Visits(); len(v) != 1 || v[0].Phase.Name != "plan" || v[0].Phase.Source != "mcp__flow__next" || !v[0].Open || len(v[0].Calls) != 6 {
		t.Errorf("got visits %+v", v)
	}
}

const codexHead = `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":%q,"cwd":"/repo"%s}}` + "\n"

func codexTokens(at string, input, cached, output int) string {
	return fmt.Sprintf(`{"timestamp":%q,"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d}}}}`+"\n", at, input, cached, output)
}

func codexCall(at, id, payload string) string {
	return fmt.Sprintf(`{"timestamp":%q,"type":"response_item","payload":{"call_id":%q,%s}}`+"\n", at, id, payload)
}

func TestCodexRelations(t *testing.T) {
	const t0, t5 = "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:05Z"
	shell := `"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}"`
	parent := fmt.Sprintf(codexHead, "p", "") + `{"timestamp":"` + t5 + `","type":"event_msg","payload":{"type":"user_message"}}` + "\n" +
		codexCall(t5, "c1", shell) + codexTokens(t5, 100, 60, 10)
	fork := fmt.Sprintf(codexHead, "f", `,"forked_from_id":"p"`) + fmt.Sprintf(codexHead, "p", "") +
		codexCall(t0, "c1", shell) + `{"timestamp":"` + t0 + `","type":"event_msg","payload":{"type":"user_message"}}` + "\n" + codexTokens(t0, 100, 60, 10) +
		codexCall(t5, "c2", shell) + codexTokens(t5, 150, 80, 12)
	sessions := loadFiles(t, map[string]string{"sessions/p.jsonl": parent, "archived_sessions/p.jsonl": parent, "sessions/f.jsonl": fork})
	if diff := cmp.Diff([]tally{{"f", "p", 0, 1, 2}, {"p", "", 1, 1, 10}}, tallies(t, sessions)); diff != "" {
		t.Error(diff)
	}
	if got := sum(t, sessions[0].Tokens); got.Input != 30 || got.CacheRead != 20 {
		t.Errorf("got %+v", got)
	}
}

func TestCodexRows(t *testing.T) {
	const at = "2026-01-01T00:00:05Z"
	output := func(id, kind, output string) string {
		return codexCall(at, id, `"type":"`+kind+`","output":`+output)
	}
	rows := fmt.Sprintf(codexHead, "x", `,"git":{"branch":"main"}`) +
		codexCall(at, "1", `"type":"function_call","name":"shell","arguments":"{\"command\":[\"git\",\"commit\",\"-m\",\"it's\"],\"workdir\":\"sub\"}"`) +
		output("1", "function_call_output", `"{\"output\":\"exec command rejected by user\"}"`) +
		codexCall(at, "2", `"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"apply_patch <<'EOF'\\n*** Begin Patch\\n*** Add File: a.go\\n+x\\n*** End Patch\\nEOF\"],\"workdir\":\"sub\"}"`) +
		output("2", "function_call_output", `[{"type":"input_text","text":"Exit code: 0\nSuccess"}]`) +
		codexCall(at, "3", `"type":"local_shell_call","action":{"type":"exec","command":["ls",""],"working_directory":"/tmp"}`) +
		codexCall(at, "4", `"type":"custom_tool_call","name":"exec","input":"await tools.run('x')"`) +
		codexCall(at, "5", `"type":"function_call","name":"apply_patch","arguments":"{\"input\":\"*** Begin Patch\\n*** Delete File: /b.go\\n*** End Patch\"}"`) +
		output("5", "custom_tool_call_output", `{"content":"gone","success":false}`) +
		codexCall(at, "6", `"type":"custom_tool_call","name":"apply_patch","input":"nothing"`) +
		codexCall(at, "7", `"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"sleep 99\"}"`) +
		output("7", "function_call_output", `"Process running with session ID 7"`) +
		codexCall(at, "7", `"type":"exec_command_end","x":0`) +
		codexCall(at, "8", `"type":"function_call","name":"mcp__s__t","arguments":"{}"`) +
		output("8", "function_call_output", `{"content":"fine","success":true}`) +
		codexCall(at, "9", `"type":"function_call","name":"shell","arguments":"oops"`) +
		`{"timestamp":"` + at + `","type":"event_msg","payload":{"type":"exec_command_end","call_id":"9","exit_code":-1}}` + "\n" +
		codexCall(at, "10", `"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make\"}"`) +
		output("10", "function_call_output", `"who knows"`) +
		codexCall(at, "11", `"type":"custom_tool_call","name":"apply_patch","input":"*** Update File: c.go\n"`) +
		`{"timestamp":"` + at + `","type":"event_msg","payload":{"type":"patch_apply_end","call_id":"11","success":true}}` + "\n" +
		`{"timestamp":"` + at + `","type":"novel","payload":{}}` + "\n" +
		`{"timestamp":"` + at + `","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":-1}}}}` + "\n" +
		`{"timestamp":"` + at + `","type":"event_msg","payload":{"type":"user_message"}}` + "\n"
	s := loadFiles(t, map[string]string{"x.jsonl": rows})[0]
	type brief struct {
		Kind    fact.Kind
		Status  fact.Status
		Command string
		Paths   string
	}
	var got []brief
	for _, c := range s.Calls {
		got = append(got, brief{c.Kind, c.Status, strings.SplitN(c.Command, "\n", 2)[0], strings.Join(c.Paths, " ")})
	}
	want := []brief{
		{fact.Command, fact.Rejected, `git commit -m 'it'"'"'s'`, ""},
		{fact.FileEdit, fact.OK, "apply_patch <<'EOF'", "/repo/sub/a.go"},
		{fact.Command, fact.Running, "ls ''", ""},
		{fact.Other, fact.Running, "", ""},
		{fact.FileEdit, fact.Error, "", "/b.go"},
		{fact.FileEdit, fact.Running, "", ""},
		{fact.Command, fact.Running, "sleep 99", ""},
		{fact.MCP, fact.OK, "", ""},
		{fact.Command, fact.Error, "", ""},
		{fact.Command, fact.Unknown, "make", ""},
		{fact.FileEdit, fact.OK, "", "/repo/c.go"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(s.Prompts) != 1 || s.GitBranch != "main" {
		t.Errorf("got %+v", s)
	}
	for code, n := range map[fact.Code]int{fact.Opaque: 2, fact.WrongType: 1, fact.WrongTokens: 1, fact.UnknownType: 2} {
		if count(s, code) != n {
			t.Errorf("got %d of %s: %+v", count(s, code), code, s.Diagnostics)
		}
	}
}

// TestBareCodex reads a rollout of mid-2025 without times and tokens. Its tokens are
// unknown, not zero.
func TestBareCodex(t *testing.T) {
	rows := `{"id":"old","timestamp":"2025-06-01T00:00:00Z","instructions":"be good","git":{"branch":"main"}}
{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}
{"type":"function_call","id":"x","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":0}}"}
`
	s := loadFiles(t, map[string]string{"rollout.jsonl": rows})[0]
	if s.ID != "old" || s.Agent != "codex" || len(s.Prompts) != 1 || len(s.Tokens) != 0 || s.TokensKnown || len(s.Calls) != 1 || !s.Calls[0].At.IsZero() || *s.Calls[0].ExitCode != 0 {
		t.Errorf("got %+v", s)
	}
	if count(s, fact.NoTime) != 1 {
		t.Errorf("got %+v", s.Diagnostics)
	}
}

// TestCutHeads expects a transcript without its first rows to be reported, unless another file of the
// session has them.
func TestCutHeads(t *testing.T) {
	chained := func(n int, before string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"u%[1]d","parentUuid":%[2]s,"sessionId":"a","timestamp":"2026-01-01T00:00:%02[1]dZ",`+
			`"message":{"id":"m%[1]d","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1,"output_tokens":5}}}`+"\n", n, before)
	}
	whole := []string{chained(1, "null"), chained(2, `"u1"`), chained(3, `"u2"`), chained(4, `"u3"`)}
	for name, c := range map[string]struct {
		files map[string]string
		cut   bool
	}{
		"whole":                        {map[string]string{"a.jsonl": strings.Join(whole, "")}, false},
		"cut":                          {map[string]string{"a.jsonl": strings.Join(whole[1:], "")}, true},
		"in two files":                 {map[string]string{"a.jsonl": strings.Join(whole[:2], ""), "b.jsonl": strings.Join(whole[2:], "")}, false},
		"with a beginning that is cut": {map[string]string{"a.jsonl": whole[1], "b.jsonl": strings.Join(whole[2:], "")}, true},
		"in another order":             {map[string]string{"a.jsonl": whole[1] + whole[0]}, false},
		"after a compaction":           {map[string]string{"a.jsonl": strings.Replace(whole[2], `"parentUuid"`, `"parentUuid":null,"logicalParentUuid"`, 1)}, true},
	} {
		sessions, _ := loadAll(t, c.files)
		if len(sessions) != 1 {
			t.Fatalf("%s: %d sessions; want one", name, len(sessions))
		}
		headless := slices.ContainsFunc(sessions[0].Diagnostics, func(d fact.Diagnostic) bool { return d.Code == fact.Headless && d.Loss })
		if headless != c.cut {
			t.Errorf("%s: %v; want it reported: %t", name, sessions[0].Diagnostics, c.cut)
		}
	}
}
