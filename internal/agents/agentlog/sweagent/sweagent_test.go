package sweagent_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/sweagent"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func read(t *testing.T, of record.Document, name, text string) *record.Log {
	t.Helper()
	first := record.ReadFirst([]byte(text))
	first.Document = true
	if !of.Claims(first) {
		t.Fatalf("%s is not claimed", name)
	}
	l := record.New(name, nil)
	l.Row = []byte(text)
	if !of.Open(l)(l.Row, 1) || of.Open(record.New(name, nil))(l.Row[:len(text)-1], 1) {
		t.Fatalf("%s: a whole document is not read, or a torn one is", name)
	}
	l.Finish()
	return l
}

// TestResponses reads a trajectory with the API of responses, in which the user ran a command, too.
func TestResponses(t *testing.T) {
	l := read(t, sweagent.Mini, "a__b-1.traj.json", `{"info":{"model_stats":{"api_calls":1},"config":{"model":{"model_name":"m"}}},"messages":[
		{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]},
		{"object":"response","id":"r1","usage":{"input_tokens":100,"output_tokens":7,"input_tokens_details":{"cached_tokens":60}},"extra":{"timestamp":1780680349.5,"cost":0.25,"actions":[{"command":"git commit -m x","tool_call_id":"c1"}]}},
		{"type":"function_call_output","call_id":"c1","output":"x","extra":{"returncode":0,"raw_output":"[main 1a2b3c4] x\n","timestamp":1780680350.5}},
		{"role":"user","content":"ls","extra":{"actions":[{"command":"ls"}]}},
		{"role":"user","content":"x","extra":{"returncode":1,"timestamp":1780680351.5}}],"trajectory_format":"mini-swe-agent-1.1"}`)
	if l.ID != "a__b-1" || len(l.Prompts) != 1 || len(l.Calls) != 2 || len(l.Tokens) != 1 {
		t.Fatalf("got %+v", l.Session)
	}
	if c := l.Calls[0]; c.Status != fact.OK || len(c.Made) != 1 || c.Made[0].Commit != "1a2b3c4" || c.End.Sub(c.At).Seconds() != 1 {
		t.Errorf("got %+v", c)
	}
	if c := l.Calls[1]; c.Command != "ls" || c.Status != fact.Error || *c.ExitCode != 1 {
		t.Errorf("got %+v", c)
	}
	if u := l.Tokens[0]; *u.Input != 40 || *u.CacheRead != 60 || *u.Output != 7 || u.Cost == nil || u.Model != "m" {
		t.Errorf("got %+v", u)
	}
}

// TestNotUnderstood wants a loss for each unknown part.
func TestNotUnderstood(t *testing.T) {
	for name, text := range map[string]string{
		"a.traj.json": `{"info":{"model_stats":{}},"trajectory_format":"x","messages":5}`,
		"b.traj.json": `{"info":{"model_stats":{"api_calls":2}},"messages":[{"role":"assistant","content":"no command"}]}`,
		"c.traj.json": `{"info":{"model_stats":{}},"messages":[{"role":"assistant","extra":{"actions":[{"cmd":"ls"}]}}]}`,
		"d.traj":      `{"trajectory":[{"observation":"x"}],"history":[],"info":{}}`,
		"e.traj":      `{"trajectory":5,"history":[],"info":{}}`,
		"f.traj":      `{"trajectory":[],"history":[],"info":{"model_stats":{"tokens_received":"many","api_calls":1}}}`,
	} {
		of := sweagent.Mini
		if strings.HasSuffix(name, ".traj") {
			of = sweagent.Trajectory
		}
		if l := read(t, of, name, text); !l.HasLoss() {
			t.Errorf("%s: want a loss, got %+v", name, l.Session)
		}
	}
}
