package antigravity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/antigravity"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func read(t *testing.T, rows ...string) *record.Log {
	t.Helper()
	if !antigravity.Reader.Claims(record.ReadFirst([]byte(rows[0]))) {
		t.Error("a transcript is not claimed")
	}
	l := record.New("brain/c1/.system_generated/logs/transcript_full.jsonl", nil)
	read := antigravity.Reader.Open(l)
	for i, row := range rows {
		l.Row = []byte(row)
		if !read(l.Row, i+1) || read([]byte(row[:len(row)-1]), i+1) {
			t.Errorf("row %d: a whole row is not read, or a torn one is", i+1)
		}
	}
	l.Finish()
	return l
}

const (
	two = `{"step_index":1,"type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-01-01T00:00:01Z","tool_calls":[` +
		`{"name":"run_command","args":{"CommandLine":"make"}},{"name":"write_to_file","args":{"TargetFile":"/w/a.go"}}]}`
	ran = `,"type":"RUN_COMMAND","status":"DONE","created_at":"2026-01-01T00:00:03Z","content":"Created At: x\n\nThe command exited with code 2.\nOutput:\nThe command completed successfully."}`
)

// TestResults pairs results with calls: by their kind, whichever row is first; not with a
// response whose steps end before, and with several calls of a kind if all have one.
func TestResults(t *testing.T) {
	same := strings.Replace(two, `write_to_file","args":{"TargetFile"`, `run_command","args":{"CommandLine"`, 1)
	for _, test := range []struct {
		name string
		rows []string
		want []fact.Status
	}{
		{"in order", []string{two, `{"step_index":2` + ran}, []fact.Status{fact.Error, fact.Running}},
		{"before its call", []string{`{"step_index":3` + ran, two}, []fact.Status{fact.Error, fact.Running}},
		{"too late", []string{two, `{"step_index":4` + ran}, []fact.Status{fact.Running, fact.Running}},
		{"of one of two", []string{same, `{"step_index":2` + ran}, []fact.Status{fact.Running, fact.Running}},
		{"of two", []string{same, `{"step_index":2` + ran, `{"step_index":3` + ran}, []fact.Status{fact.Error, fact.Error}},
		{"of two that differ", []string{same, `{"step_index":2` + ran, `{"step_index":3,"type":"RUN_COMMAND","status":"RUNNING"}`}, []fact.Status{fact.Unknown, fact.Unknown}},
		{"not permitted yet", []string{two, `{"step_index":2,"type":"RUN_COMMAND","status":"WAITING"}`}, []fact.Status{fact.Running, fact.Running}},
		{"without an exit status", []string{two, `{"step_index":2,"type":"RUN_COMMAND","status":"DONE","content":"ok"}`}, []fact.Status{fact.Unknown, fact.Running}},
		{"with a member", []string{two, `{"step_index":2,"type":"RUN_COMMAND","status":"DONE","exit_code":0}`}, []fact.Status{fact.OK, fact.Running}},
		{"failed edit", []string{two, `{"step_index":3,"type":"CODE_ACTION","status":"ERROR"}`}, []fact.Status{fact.Running, fact.Error}},
	} {
		l := read(t, test.rows...)
		var got []fact.Status
		for i := range l.Calls {
			got = append(got, l.Calls[i].Status)
		}
		if l.ID != "c1" || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %s of %q, want %s", test.name, got, l.ID, test.want)
		}
	}
}

// TestLoss holds that rows which may hide calls are reported.
func TestLoss(t *testing.T) {
	for _, row := range []string{
		`{"step_index":1,"type":"PLANNER_RESPONSE_V2","created_at":"2026-01-01T00:00:01Z"}`,
		`{"step_index":1,"type":"VIEW_FILE","created_at":"2026-01-01T00:00:01Z","tool_calls":[{"name":"run_command"}]}`,
		strings.Replace(two, "CommandLine", "Line", 1),
		strings.Replace(two, "run_command", "frobnicate", 1),
		strings.Replace(two, "created_at", "at", 1),
		strings.Replace(two, `run_command","args":{"CommandLine"`, `send_command_input","args":{"Input"`, 1),
	} {
		if l := read(t, row); !l.HasLoss() {
			t.Errorf("%s: want a loss", row)
		}
	}
}
