package mcp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const gated = `phases:
  - name: analysis
    prompt: Count the functions.
    gate:
      strict: true
      evidence:
        n: {type: integer, required: true, check: positive}
  - name: generation
    prompt: Write the tests.
    transitions:
      - {when: written, to: done}
`

// TestWorkflow runs a workflow from start to end.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", gated)
	begun := r.workflow("start", map[string]any{"workflow": "w", "target": "src/a.py"})
	id, _ := begun.data["session_id"].(string)
	if begun.refused || id == "" || begun.data["current_phase"] != "analysis" || begun.data["prompt"] != "Count the functions." {
		t.Fatalf("start: %v", begun)
	}
	again := r.workflow("start", map[string]any{"workflow": "w", "target": "src/a.py"})
	if again.data["session_id"] != id || again.data["resumed"] != true {
		t.Errorf("start again: %v", again)
	}

	content := map[string]any{
		"phase": "analysis", "phase_number": 1.0, "phase_content": "Count the functions.", "sources": []any{".rulecheck/workflows/w.yaml"}, "total_tokens": 5.0,
		"checkpoint_criteria": map[string]any{"strict": true, "required_evidence": map[string]any{
			"n": map[string]any{"type": "integer", "validator": "positive", "required": true, "description": ""},
		}},
	}
	future := r.workflow("get_phase", map[string]any{"session_id": id, "phase": "generation"})
	want := map[string]any{
		"session_id": id, "workflow": "w", "target": "src/a.py", "status": "open", "current_phase": "analysis",
		"refused": true, "error": "phase_sequence_violation", "violation_type": "attempted_skip", "requested_phase": "generation",
		"message": "Cannot access Phase generation", "reason": "Currently on Phase analysis",
		"required_action":       "Complete Phase analysis checkpoint first",
		"current_phase_content": content, "artifacts_available": map[string]any{},
		"progress": map[string]any{"completed": []any{}, "current": "analysis", "total": 2.0},
	}
	if !future.refused || !cmp.Equal(want, future.data) {
		t.Errorf("a future phase (-want +got):\n%s", cmp.Diff(want, future.data))
	}

	shown := r.workflow("get_phase", nil)
	if shown.refused || shown.data["phase_content"] != "Count the functions." || shown.data["checkpoint_criteria"] == nil {
		t.Errorf("the current phase: %v", shown)
	}
	lacking := r.workflow("complete_phase", map[string]any{"session_id": id, "phase": "analysis", "evidence": map[string]any{}})
	missing, _ := lacking.data["missing_evidence"].([]any)
	if !lacking.refused || lacking.data["error"] != "incomplete_checkpoint" || len(missing) != 1 || lacking.data["examples"] == nil || lacking.data["required_format"] == nil {
		t.Errorf("without evidence: %v", lacking)
	}
	complete := map[string]any{"session_id": id, "phase": 1.0, "evidence": map[string]any{"n": 3.0}}
	passed := r.workflow("complete_phase", complete)
	artifacts := map[string]any{"analysis": map[string]any{"n": 3.0}}
	if passed.refused || passed.data["checkpoint_passed"] != true || passed.data["next_phase"] != "generation" || !cmp.Equal(artifacts, passed.data["artifacts_available"]) {
		t.Errorf("with evidence: %v", passed)
	}
	repeated := r.workflow("complete_phase", complete)
	if repeated.refused || repeated.data["repeated"] != true || repeated.data["next_phase"] != "generation" || !strings.Contains(repeated.text, "was already completed") {
		t.Errorf("the same again: %v", repeated)
	}
	second := r.workflow("get_phase", map[string]any{"phase": 2})
	if !cmp.Equal(artifacts, second.data["artifacts_from_previous"]) {
		t.Errorf("the second phase: %v", second)
	}
	if stay := r.workflow("next", map[string]any{"claims": map[string]any{"written": false}}); stay.refused || stay.data["prompt"] != "Write the tests." {
		t.Errorf("next without the claim: %v", stay)
	}
	if prompt := r.workflow("continue", nil); prompt.refused || prompt.data["prompt"] != "Write the tests." {
		t.Errorf("continue: %v", prompt)
	}
	if done := r.workflow("next", map[string]any{"claims": map[string]any{"written": true}}); done.refused || done.data["workflow_complete"] != true {
		t.Errorf("next with the claim: %v", done)
	}
	if closed := r.workflow("next", map[string]any{"session_id": id}); !closed.refused || closed.data["error"] != "session_closed" {
		t.Errorf("next in the end: %v", closed)
	}

	state := r.workflow("get_state", map[string]any{"session_id": id})
	if state.refused || state.data["status"] != "done" || state.data["state"] != nil {
		t.Errorf("get_state: %v", state)
	}
	kept, _ := r.workflow("get_session", map[string]any{"session_id": id}).data["state"].(map[string]any)
	if completed := []any{"analysis", "generation"}; !cmp.Equal(completed, kept["completed"]) {
		t.Errorf("get_session: state %v, want two completed phases", kept)
	}
	if listed, _ := r.workflow("list_sessions", nil).data["sessions"].([]any); len(listed) != 1 {
		t.Errorf("list_sessions: %v", listed)
	}
	if gone := r.workflow("delete_session", map[string]any{"session_id": id}); gone.refused || gone.data["deleted"] != id {
		t.Errorf("delete_session: %v", gone)
	}
	if gone := r.workflow("get_state", map[string]any{"session_id": id}); !gone.refused || gone.data["error"] != "session_not_found" {
		t.Errorf("get_state of what is deleted: %v", gone)
	}
	if none, _ := r.workflow("list_sessions", nil).data["sessions"].([]any); none == nil || len(none) != 0 {
		t.Errorf("list_sessions: %v, want an empty list", none)
	}
}

// TestEditedWorkflow checks that each call reads the current files.
func TestEditedWorkflow(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", gated)
	r.workflow("start", map[string]any{"workflow": "w"})
	r.Write(".rulecheck/workflows/w.yaml", strings.ReplaceAll(gated, "Count", "Name"))
	if got := r.workflow("get_phase", nil).data["phase_content"]; got != "Name the functions." {
		t.Errorf("after the edit the content is %q", got)
	}
	r.Write(".rulecheck/workflows/w.yaml", "phases: []\ncolour: red\n")
	broken := r.workflow("get_phase", nil)
	problems, _ := broken.data["problems"].([]any)
	if !broken.refused || broken.data["error"] != "malformed_workflow" || len(problems) == 0 {
		t.Errorf("after a bad edit: %v", broken)
	}
}

// TestPhaseNumbers checks that phases with numbers as names keep them.
func TestPhaseNumbers(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.Write(".rulecheck/workflows/w.yaml", "phases:\n  - {name: \"2\", prompt: First.}\n  - {name: b, prompt: Second.}\n")
	r.workflow("start", map[string]any{"workflow": "w"})
	for phase, want := range map[any]string{2: "First.", 1.0: "First.", "2": "First."} {
		if got := r.workflow("get_phase", map[string]any{"phase": phase}); got.data["phase_content"] != want {
			t.Errorf("phase %v: %v, want %q", phase, got, want)
		}
	}
	if got := r.workflow("get_phase", map[string]any{"phase": 3}); !got.refused || got.data["message"] != `phase: unknown phase 3; want one of "2", "b"` {
		t.Errorf("phase 3: %v", got)
	}
}
