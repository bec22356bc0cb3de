package dialect_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

const (
	noHalt = "no decision ends an agent's run: rules refuse calls and stops"
	after  = "after a tool the agent gets a context; a refusal would replace the tool's output"
)

// differences lists the answers that differ from the acceptance cases on purpose.
var differences = map[string]string{
	"claude/pre_bash/halt":             noHalt,
	"claude/stop_first/halt":           noHalt,
	"claude/stop_first/context":        "a context would keep the agent working, so the user gets it",
	"claude/stop_background_work/deny": "the stop gate allows the stop, so that no refusal gets here",
	"codex/post_bash/deny":             after,
	"codex/post_bash/halt":             noHalt,
	"codex/stop/halt":                  noHalt,
	"gemini/before_tool_shell/halt":    noHalt,
	"gemini/after_agent/halt":          noHalt,
}

type hookCase struct {
	Name      string          `json:"name"`
	Stdin     json.RawMessage `json:"stdin"`
	ArgvEvent string          `json:"argv_event"`
	Neutral   map[string]any  `json:"neutral"`
	Outputs   map[string]struct {
		Exit   int    `json:"exit"`
		Stdout any    `json:"stdout"`
		Stderr string `json:"stderr_contains"`
	} `json:"outputs"`
}

func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if name == "hooks" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Cases []hookCase `json:"cases"`
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		for _, c := range all.Cases {
			t.Run(name+"/"+c.Name, func(t *testing.T) { checkCase(t, name, c) })
		}
	}
}

func checkCase(t *testing.T, name string, c hookCase) {
	t.Helper()
	p := hook.ParsePayload(c.Stdin)
	d := dialect.Of(p, name)
	e := d.Event(p, c.ArgvEvent)
	if d.Name != name {
		t.Fatalf("taken for %s", d.Name)
	}
	facts := map[string]any{
		"event": strings.NewReplacer("_use", "", "user_prompt_submit", "prompt").Replace(string(e.Kind)), "kind": string(e.Call.Kind), "command": e.Call.Command,
		"session": e.Session, "call_id": e.Call.ID, "cwd": e.Cwd, "mcp_server": e.Server, "mcp_tool": e.Tool, "agent_id": e.Subagent,
		"status": string(e.Call.Status), "continuation": e.Continued, "background": float64(e.Background), "text": e.Prompt,
	}
	paths := []any{}
	for _, path := range e.Call.Paths {
		paths = append(paths, path)
	}
	facts["paths"] = paths
	for key, want := range c.Neutral {
		if diff := cmp.Diff(want, facts[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	for of, want := range c.Outputs {
		var a hook.Answer
		switch of {
		case "internal_error_fail_closed", "internal_error_fail_open":
			a = d.Fault(e, "F", of == "internal_error_fail_closed")
		case "halt":
			a = d.Answer(e, decisionOf(hook.Deny))
		default:
			a = d.Answer(e, decisionOf(hook.Verdict(of)))
		}
		same := a.Status == want.Exit && strings.Contains(a.Stderr, want.Stderr)
		if text, ok := want.Stdout.(string); ok {
			same = same && a.Stdout == text
		} else {
			var got any
			same = same && json.Unmarshal([]byte(a.Stdout), &got) == nil && cmp.Equal(got, want.Stdout)
		}
		switch _, listed := differences[name+"/"+c.Name+"/"+of]; {
		case !same && !listed:
			t.Errorf("%s: got %+v; want %+v", of, a, want)
		case same && listed:
			t.Errorf("%s is as expected; want it out of the table of differences", of)
		}
	}
}

// TestEvents reads the inputs of another wrapper of hooks.
func TestEvents(t *testing.T) {
	text, err := os.ReadFile("testdata/conformance/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Inputs []struct {
			ID, Platform, Event, Tool string
			Input                     json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]hook.Kind{
		"before_prompt": hook.Prompt, "before_tool": hook.BeforeTool, "after_tool": hook.AfterTool, "after_agent": hook.Stop, "session_start": hook.SessionStart,
		"session_end": hook.Other, "ignored": hook.Other,
	}
	different := map[string]string{
		"hookin-027": "an event that has no name is journalled and not taken for a stop, which could be refused for ever",
		"hookin-030": "a payload that is not JSON is a fault",
	}
	for _, c := range all.Inputs {
		payload := []byte(c.Input)
		var quoted string
		if json.Unmarshal(c.Input, &quoted) == nil {
			payload = []byte(quoted)
		}
		p := hook.ParsePayload(payload)
		d := dialect.Of(p, c.Platform)
		want, ok := kinds[c.Event]
		if !ok {
			t.Fatalf("%s: event %q is not known", c.ID, c.Event)
		}
		got := d.Event(p, "")
		if same := d.Name == c.Platform && got.Kind == want; same == (different[c.ID] != "") {
			t.Errorf("%s: %s %q; want %s %q", c.ID, d.Name, got.Kind, c.Platform, want)
		}
	}
}

// TestRealPayloads reads what agents wrote, whatever agent the command line names.
func TestRealPayloads(t *testing.T) {
	files, err := filepath.Glob("testdata/real/*/*.json")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v; want at least 30", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := filepath.Base(filepath.Dir(file))
		p := hook.ParsePayload(text)
		if !p.Whole {
			t.Errorf("%s: not read to its end", file)
		}
		for _, argv := range []string{want, "claude", "unknown"} {
			d := dialect.Of(p, argv)
			recorded := strings.Contains(file, "opencode") && !p.Has("session_id") // in the form of the recorder, not of the plugin
			if d.Name != want && !recorded {
				t.Errorf("%s is taken for %s with %s on the command line", file, d.Name, argv)
			}
			e := d.Event(p, "")
			known := strings.Contains(file, "ToolUse") || strings.Contains(file, "BeforeTool.") || strings.Contains(file, "tool.execute")
			if known && e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool || e.Session == "" && !recorded {
				t.Errorf("%s: read as %q in session %q", file, e.Kind, e.Session)
			}
		}
	}
}
