package agentlog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/money"
)

// TestListedLaw compares the output of Claude Code, one message on each line, and the list of the same
// messages that claude-code-action writes, with what their generator wrote.
func TestListedLaw(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		rows := []string{`{"type":"system","subtype":"init","session_id":"s","tools":["Bash"],"cwd":"/w","model":"m"}`}
		var want []string // commands, each with its row
		for i := range rapid.IntRange(1, 8).Draw(t, "calls") {
			command := rapid.SampledFrom([]string{"make", "echo '[{\"a\": 1}]'", "ls, ls", "cat x\ny"}).Draw(t, "command")
			text, err := json.Marshal(command)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("%d %s", len(rows), command))
			rows = append(rows,
				fmt.Sprintf(`{"type":"assistant","session_id":"s","message":{"id":"m%d","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%s}}],"usage":{"input_tokens":3,"output_tokens":1}}}`, i, i, text),
				fmt.Sprintf(`{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}}`, i))
			if rapid.Bool().Draw(t, "repeated") {
				rows = append(rows, rows[len(rows)-1])
			}
		}
		cents := rapid.Int64Range(1, 999).Draw(t, "cents")
		rows = append(rows, fmt.Sprintf(`{"type":"result","subtype":"success","session_id":"s","total_cost_usd":%d.%02d}`, cents/100, cents%100))
		for name, text := range map[string]string{
			"out.jsonl":                    "\n" + strings.Join(rows, "\n") + "\n", // a line more, as a list has
			"claude-execution-output.json": "[\n" + strings.Join(rows, ",\n") + "\n]\n",
		} {
			sessions, summary, err := agentlog.Load(context.Background(), []agentlog.Input{{FS: fstest.MapFS{name: {Data: []byte(text)}}, Path: "."}}, agentlog.Options{})
			if err != nil || len(sessions) != 1 || len(summary.Diagnostics) > 0 {
				t.Fatalf("%s: %d sessions, %v, %v", name, len(sessions), summary.Diagnostics, err)
			}
			s := &sessions[0]
			var got []string
			for i := range s.Calls {
				got = append(got, fmt.Sprintf("%d %s", s.Calls[i].Line-2, s.Calls[i].Command))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: calls (-want +got):\n%s\nof:\n%s", name, d, text)
			}
			if cost := costs(s); cost != money.USD(cents)*money.Dollar/100 {
				t.Fatalf("%s: %v, want %d cents", name, cost, cents)
			}
		}
	})
}

func costs(s *session.Session) (sum money.USD) {
	for i := range s.Tokens {
		if c := s.Tokens[i].Cost; c != nil {
			sum += *c
		}
	}
	return sum
}
