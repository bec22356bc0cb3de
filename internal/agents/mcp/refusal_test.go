package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestRefusals checks that every invalid call gets an answer with the valid
// alternatives, in data that a model sees.
func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", gated)
	id, _ := r.workflow("start", map[string]any{"workflow": "w"}).data["session_id"].(string)
	for _, c := range []struct {
		name, tool, arguments string
		code, message         string
	}{
		{"no object", "workflow", `[1]`, "invalid_argument", "arguments: [1]; want an object"},
		{"no action", "workflow", `{}`, "invalid_argument", "action is missing; want text: the action, one of:"},
		{"action is null", "workflow", `{"action":null}`, "invalid_argument", "action is missing"},
		{"action is a number", "workflow", `{"action":1}`, "invalid_argument", "action: 1; want text"},
		{"unknown action", "workflow", `{"action":"stat"}`, "invalid_argument", `unknown action "stat"; did you mean "start"? want one of "list_workflows", "start"`},
		{"unknown argument", "workflow", `{"action":"get_state","sesion_id":"x"}`, "invalid_argument", `unknown argument "sesion_id"; did you mean "session_id"?`},
		{"argument of another action", "workflow", `{"action":"start","workflow":"w","phase":"analysis"}`, "invalid_argument", `phase: the action "start" does not accept it; want one of "workflow", "target"`},
		{"argument of an action without any", "workflow", `{"action":"list_workflows","phase":1}`, "invalid_argument", `the action "list_workflows" does not accept it; there is none`},
		{"start what", "workflow", `{"action":"start","workflow":""}`, "invalid_argument", "workflow is missing; want a name, or a path"},
		{"unknown workflow", "workflow", `{"action":"start","workflow":"wx"}`, "invalid_argument", `unknown workflow "wx"`},
		{"workflow elsewhere", "workflow", `{"action":"start","workflow":"../w.yaml"}`, "invalid_argument", `workflow: "../w.yaml"; want a name, or a path from the repository's root`},
		{"absolute workflow", "workflow", `{"action":"start","workflow":"/etc/passwd"}`, "invalid_argument", `workflow: "/etc/passwd"; want`},
		{"target elsewhere", "workflow", `{"action":"start","workflow":"w","target":"src/../../x"}`, "invalid_argument", `target: "src/../../x"; want`},
		{"NUL in a target", "workflow", `{"action":"start","workflow":"w","target":"a\u0000b"}`, "invalid_argument", `target: "a\u0000b" is not text; want UTF-8 without NUL`},
		{"long target", "workflow", `{"action":"start","workflow":"w","target":"` + strings.Repeat("a", 5000) + `"}`, "invalid_argument", "target: 5002 bytes; want at most 4096"},
		{"no id", "workflow", `{"action":"get_state","session_id":"../../x"}`, "invalid_argument", `"../../x" is not a session id; want 16 hexadecimal digits`},
		{"id of nothing", "workflow", `{"action":"get_state","session_id":"0123456789abcdef"}`, "session_not_found", "0123456789abcdef"},
		{"delete what", "workflow", `{"action":"delete_session"}`, "invalid_argument", "session_id is missing; want text: the session, as returned by start"},
		{"complete what", "workflow", `{"action":"complete_phase","evidence":{}}`, "invalid_argument", "phase is missing; want a name or a whole number"},
		{"half a phase", "workflow", `{"action":"get_phase","phase":1.5}`, "invalid_argument", "phase: 1.5; want a name or a whole number"},
		{"no such phase", "workflow", `{"action":"get_phase","phase":-1}`, "invalid_argument", "unknown phase -1"},
		{"huge phase", "workflow", `{"action":"get_phase","phase":1e300}`, "invalid_argument", "unknown phase 1000"},
		{"number beyond numbers", "workflow", `{"action":"get_phase","phase":1e999}`, "invalid_argument", "phase: json: cannot unmarshal number 1e999"},
		{"evidence is a list", "workflow", `{"action":"complete_phase","phase":1,"evidence":[1]}`, "invalid_argument", "evidence: [1]; want an object"},
		{"evidence is a long text", "workflow", `{"action":"complete_phase","phase":1,"evidence":"` + strings.Repeat("é", 100) + `"}`, "invalid_argument", strings.Repeat("é", 39) + "…; want an object"},
		{"evidence is too much", "workflow", `{"action":"complete_phase","phase":1,"evidence":{"n":"` + strings.Repeat("x", 11<<20) + `"}}`, "invalid_argument", "evidence: 11534344 bytes; want at most 10485760"},
		{"NUL in evidence", "workflow", `{"action":"complete_phase","phase":1,"evidence":{"a":[{"b":"\u0000"}]}}`, "invalid_argument", "evidence: {"},
		{"NUL in a name", "workflow", `{"action":"next","claims":{"a\u0000":true}}`, "invalid_argument", "want UTF-8 without NUL"},
		{"two bases", "check", `{"since":"main","from":"main"}`, "invalid_argument", "since and from exclude each other"},
		{"two heads", "check", `{"staged":true,"to":"main"}`, "invalid_argument", "staged and to exclude each other"},
		{"staged is text", "check", `{"staged":"yes"}`, "invalid_argument", `staged: "yes"; want true or false`},
		{"only is text", "check", `{"only":"a"}`, "invalid_argument", `only: "a"; want a list of texts`},
		{"only is numbers", "check", `{"only":[1]}`, "invalid_argument", `only: [1]; want a list of texts`},
		{"unknown rule", "check", `{"only":["a"],"from":"main"}`, "invalid_argument", `unknown rule "a"`},
		{"unknown argument of check", "check", `{"fix":true}`, "invalid_argument", `unknown argument "fix"`},
	} {
		got := r.call(c.tool, json.RawMessage(c.arguments))
		message, _ := got.data["message"].(string)
		if !got.refused || got.data["error"] != c.code || !strings.Contains(message, c.message) {
			t.Errorf("%s: %.500v\nwant %s: %s", c.name, got, c.code, c.message)
		}
	}
	if state := r.workflow("get_state", map[string]any{"session_id": id}); state.data["current_phase"] != "analysis" {
		t.Errorf("after all that: %v", state)
	}
}

// TestUnknownActionListsAll checks that the data has the known actions.
func TestUnknownActionListsAll(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	listed, _ := r.workflow("begin", nil).data["actions"].([]any)
	for _, name := range listed {
		got := r.workflow(name.(string), nil)
		if message, _ := got.data["message"].(string); strings.Contains(message, "unknown action") {
			t.Errorf("%s: %v", name, got)
		}
	}
	if len(listed) != 10 {
		t.Errorf("%d actions, want 10: %v", len(listed), listed)
	}
}

// TestProtocolErrors checks the protocol errors for messages that are not tool calls.
func TestProtocolErrors(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	if _, err := r.client.CallTool(t.Context(), &sdk.CallToolParams{Name: "workflows"}); err == nil || !strings.Contains(err.Error(), `unknown tool "workflows"`) {
		t.Errorf("unknown tool: %v", err)
	}
	if got := r.workflow("list_workflows", nil); got.refused {
		t.Errorf("after an error of the protocol: %v", got)
	}
}

// TestAmbiguousSession checks that a call without a session is refused if there are
// two.
func TestAmbiguousSession(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", gated)
	if got := r.workflow("get_phase", nil); got.data["error"] != "NoWorkflowLoaded" || got.data["required_action"] != "call the action start with a workflow" {
		t.Errorf("without a session: %v", got)
	}
	for _, target := range []string{"a", "b"} {
		r.workflow("start", map[string]any{"workflow": "w", "target": target})
	}
	if got := r.workflow("next", nil); !got.refused || got.data["error"] != "session_ambiguous" {
		t.Errorf("with two sessions: %v", got)
	}
}
