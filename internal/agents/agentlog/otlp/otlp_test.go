package otlp_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/otlp"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// codex are events of Codex, which leaves the time to the collector.
var codex = []string{
	`{"timeUnixNano":"0","observedTimeUnixNano":"1777629702000000000","attributes":[{"key":"event.name","value":{"stringValue":"codex.user_prompt"}},{"key":"event.timestamp","value":{"stringValue":"2026-05-01T10:01:40.000Z"}},{"key":"conversation.id","value":{"stringValue":"0199"}}]}`,
	`{"timeUnixNano":"0","attributes":[{"key":"event.name","value":{"stringValue":"codex.sse_event"}},{"key":"event.kind","value":{"stringValue":"response.completed"}},{"key":"event.timestamp","value":{"stringValue":"2026-05-01T10:01:45.000Z"}},{"key":"conversation.id","value":{"stringValue":"0199"}},{"key":"input_token_count","value":{"stringValue":"900"}},{"key":"output_token_count","value":{"stringValue":"50"}},{"key":"cached_token_count","value":{"intValue":"600"}},{"key":"reasoning_token_count","value":{"intValue":"20"}}]}`,
	`{"timeUnixNano":"0","attributes":[{"key":"event.name","value":{"stringValue":"codex.tool_result"}},{"key":"event.timestamp","value":{"stringValue":"2026-05-01T10:01:50.000Z"}},{"key":"conversation.id","value":{"stringValue":"0199"}},{"key":"tool_name","value":{"stringValue":"shell"}},{"key":"call_id","value":{"stringValue":"call_1"}},{"key":"arguments","value":{"stringValue":"{\"command\":[\"bash\",\"-lc\",\"cargo test\"]}"}},{"key":"duration_ms","value":{"stringValue":"1000"}},{"key":"success","value":{"stringValue":"false"}},{"key":"output","value":{"stringValue":"Exit code: 101\nWall time: 1 seconds\nOutput:\n"}}]}`,
}

// read reads a batch of log records and returns its sessions by their names.
func read(t *testing.T, records ...string) map[string]*record.Log {
	t.Helper()
	row := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + strings.Join(records, ",") + `]}]}]}`
	if !otlp.Reader.Claims(record.ReadFirst([]byte(row))) {
		t.Fatal("a batch is not claimed")
	}
	f := &record.File{Log: record.New("a.jsonl", nil), Rows: func(yield func(int, []byte) bool) {
		_ = yield(1, []byte(row)) && yield(2, []byte(row[:len(row)-1]))
	}}
	sessions, err := otlp.Reader.Sessions(f)
	if d := f.Log.Diagnostics; err != nil || len(d) != 1 || d[0].Line != 2 || d[0].Code != fact.Damaged {
		t.Fatalf("%v: got %v; want a torn batch", err, d)
	}
	logs := map[string]*record.Log{}
	for _, s := range sessions {
		s.Log.Finish()
		logs[s.Log.Stem] = s.Log
	}
	return logs
}

// TestCodex reads events of Codex, whose input includes what was read from the cache, and
// which does not record what was written to it.
func TestCodex(t *testing.T) {
	l := read(t, codex...)["codex 0199"]
	if l == nil || len(l.Calls) != 1 || len(l.Tokens) != 1 || len(l.Prompts) != 1 || len(l.Diagnostics) != 0 {
		t.Fatalf("got %+v", l)
	}
	c, u := l.Calls[0], l.Tokens[0]
	if c.Command != "cargo test" || c.Status != fact.Error || *c.ExitCode != 101 || c.End.Sub(c.At).Seconds() != 1 {
		t.Errorf("got %+v", c)
	}
	if *u.Input != 300 || *u.Output != 50 || *u.CacheRead != 600 || u.CacheWrite != nil {
		t.Errorf("got %+v", u.TokenCount)
	}
}

// TestNotRecorded reads calls of tools without their input, and events that are not known.
func TestNotRecorded(t *testing.T) {
	for want, event := range map[string]string{
		"without their command": strings.Replace(codex[2], `"arguments"`, `"arguments_length"`, 1),
		`named "codex.tool_v2"`: strings.Replace(codex[2], "codex.tool_result", "codex.tool_v2", 1),
	} {
		l := read(t, event)["codex 0199"]
		if len(l.Diagnostics) != 1 || !l.Diagnostics[0].Loss || !strings.Contains(l.Diagnostics[0].Message, want) {
			t.Errorf("got %v; want a loss with %q", l.Diagnostics, want)
		}
	}
}

// TestFile reads what Copilot writes to a file: a span of a command has no failure, and old versions no exit status.
func TestFile(t *testing.T) {
	const head = `{"type":"span","traceId":"t","spanId":"s","startTime":[1795890497,976000000],"endTime":[1795890498,79000000],"resource":{"attributes":{"service.name":"github-copilot"}},`
	const tool = head + `"attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.conversation.id":"c","gen_ai.tool.name":"bash","gen_ai.tool.call.arguments":"{\"command\":\"make\"}"`
	for row, want := range map[string]fact.Status{
		tool + `,"process.exit.code":2}}`: fact.Error, tool + `,"process.exit.code":0}}`: fact.OK, tool + `}}`: fact.Unknown,
		tool + `,"gen_ai.tool.call.result":"x\n<shellId: 0 completed with exit code 2>"}}`: fact.Error,
		tool + `},"status":{"code":2}}`: fact.Error,
	} {
		l := readFile(t, row)["copilot c"]
		if l == nil || len(l.Calls) != 1 || l.Calls[0].Status != want || l.Calls[0].At.UnixMilli() != 1795890497976 || l.HasLoss() {
			t.Errorf("%s: got %+v; want %s", row, l, want)
		}
	}
	for _, row := range []string{
		`{"traceId":"t","spanId":"s","startTime":"now","attributes":{}}`, `{"type":"teleport","traceId":"t"}`,
		tool + `},"startTime":[-1,5],"endTime":[1,1e99]}`,
	} {
		if logs := readFile(t, `{"type":"metric","name":"x","dataPoints":[]}`, row); logs[""] == nil || !logs[""].HasLoss() {
			t.Errorf("%s: want a loss", row)
		}
	}
}

// readFile returns the sessions of a file by their names, and the file's own notes as "".
func readFile(t *testing.T, rows ...string) map[string]*record.Log {
	t.Helper()
	if !otlp.File.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Fatalf("%s is not claimed", rows[0])
	}
	f := &record.File{Log: record.New("a.jsonl", nil), Rows: func(yield func(int, []byte) bool) {
		for i, row := range rows {
			if !yield(i+1, []byte(row)) {
				return
			}
		}
	}}
	sessions, err := otlp.File.Sessions(f)
	if err != nil {
		t.Fatal(err)
	}
	logs := map[string]*record.Log{"": f.Log}
	for _, s := range sessions {
		s.Log.Finish()
		logs[s.Log.Stem] = s.Log
	}
	return logs
}
