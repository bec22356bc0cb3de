package phase_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMCPFacts checks which facts about MCP tools come from a log, and which must be
// given in --facts.
func TestMCPFacts(t *testing.T) {
	const called, failed, null, has = `lib.mcp_called("s", "t")`, `lib.mcp_failed("s", "t")`, `lib.mcp_result_is_null("s", "t")`, `lib.mcp_result_has("s", "t", "n", 1)`
	const unknown = "unknown"
	tests := []struct {
		when, log string
		facts     string
		want      string
	}{
		{when: called, want: unknown},
		{when: "not " + called, want: unknown},
		{when: called, log: "t", want: "true"},
		{when: called, log: "u", want: "false"},
		{when: "not " + called, log: "u", want: "true"},
		{when: failed, log: "t", want: "false"},
		{when: null, log: "t", want: unknown},
		{when: has, log: "t", want: unknown},
		{when: "not vars.mcp_results.s.t == 1", log: "t", want: unknown},
		{when: null, log: "t", facts: `{"mcp_results":{"s":{"t":null}}}`, want: "true"},
		{when: has, facts: `{"mcp_results":{"s":{"t":{"n":1}}}}`, want: "true"},
		{when: "data.rulecheck." + has, facts: `{"mcp_results":{"s":{"t":{"n":2}}}}`, want: "false"},
		{when: called, facts: `{"mcp_calls":{"s":["t"]}}`, want: "true"},
		{when: "lib.has_stop_signal", want: unknown},
		{when: "lib.has_stop_signal", facts: `{"stop_signal":true}`, want: "true"},
		{when: `lib.task_tree_complete("7")`, facts: `{"task_trees":{"7":true}}`, want: "true"},
		{when: `lib.task_tree_complete("7")`, facts: `{"task_trees":{}}`, want: "false"},
		{when: `lib.task_needs_user_review("7")`, facts: `{"task_reviews":{"7":true}}`, want: "true"},
		{when: "vars.n > 1", want: "true"},
		{when: "vars.n > 1", facts: `{"n":1}`, want: "false"},
		{when: `phase.name == "a" and phase.seconds < 60 and now > phase.start`, want: "true"},
	}
	for _, c := range tests {
		t.Run(c.when+" "+c.log+c.facts, func(t *testing.T) {
			w := newWorld(t)
			w.workflow("w", jsonText(t, map[string]any{"vars": map[string]any{"n": 2}, "nodes": map[string]any{
				"a": map[string]any{"prompt": "x", "transitions": []any{map[string]any{"when": c.when, "to": "done"}}},
			}}))
			w.start("w")
			if c.log != "" {
				w.log("mcp__s__"+c.log, `{}`, 1)
			}
			w.facts = object(t, c.facts)
			r := w.next(`{}`)
			got := strconv.FormatBool(r.WorkflowComplete)
			if len(r.Notices) > 0 {
				got = unknown
				if !strings.Contains(r.Notices[0], "cannot be evaluated: no value for ") {
					t.Errorf("%q; want why", r.Notices)
				}
			}
			if got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
		})
	}
}

// TestLogSinceTheVisit checks that only events of the visit are read, however much
// was written before, and whichever agent keeps them.
func TestLogSinceTheVisit(t *testing.T) {
	w := newWorld(t)
	w.workflow("looping", looping)
	w.now = w.now.Add(-time.Hour)
	filler := fmt.Sprintf(`{"command":"true","description":%q}`, strings.Repeat("x", 200))
	longer := fmt.Sprintf(`{"command":"true","description":%q}`, strings.Repeat("y", 30_000))
	for range 50 {
		w.log("Bash", filler, 60)
		w.log("Bash", longer, 2)
		w.now = w.now.Add(-62 * time.Second)
	}
	w.now = w.now.Add(time.Hour)
	w.start("looping")
	w.next(`{"planned":true}`)
	w.log("Bash", `{"command":"make"}`, 2)
	w.log("Bash", longer, 40)
	if r := w.next(`{}`); r.Interrupt != nil || len(r.Notices) != 1 {
		t.Errorf("%+v, %q; want that only tokens are not known", r.Interrupt, r.Notices)
	}
	w.log("Bash", `{"command":"make"}`, 1)
	r := w.next(`{}`)
	if r.Interrupt == nil || r.Interrupt.Count != 3 {
		t.Errorf("%+v; want 3 of them", r)
	}
	w.next(`{"replan":true}`)
	state := w.status().State
	if diff := cmp.Diff([]string{"make", "true"}, state.Artifacts["code"].Commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	info, err := os.Stat(filepath.Join(w.Dir, ".rulecheck", "sessions", "hooks.jsonl"))
	if err != nil || info.Size() < 4<<20 {
		t.Fatalf("%v, %v; want a log that is worth it", info, err)
	}

	// a file that was not written since is not opened
	w.next(`{"planned":true}`)
	w.Write(".rulecheck/sessions/unreadable.jsonl", "{}")
	unreadable := filepath.Join(w.Dir, ".rulecheck", "sessions", "unreadable.jsonl")
	if err := os.Chtimes(unreadable, w.now.Add(-time.Hour), w.now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(w.Dir, ".rulecheck", "sessions", "hooks.jsonl")); err != nil {
		t.Fatal(err)
	}
	if r := w.next(`{}`); len(r.Notices) != 1 || r.Notices[0] != "no agent log covers this phase; only time-based rules were evaluated" {
		t.Errorf("%q; want that there is no log", r.Notices)
	}
}

// TestLogOutOfOrder checks that rows of the visit count wherever they are in a large log.
func TestLogOutOfOrder(t *testing.T) {
	w := newWorld(t)
	w.workflow("looping", looping)
	w.start("looping")
	w.next(`{"planned":true}`)
	visit := w.now
	older := func() {
		w.now = visit.Add(-time.Hour)
		for range 100 {
			w.log("Bash", fmt.Sprintf(`{"command":"true","description":%q}`, strings.Repeat("y", 30_000)), 1)
		}
	}
	older()
	w.now = visit
	w.log("Bash", `{"command":"make"}`, 1)
	w.log("Bash", `{"command":"make"}`, 1)
	now := w.now
	older()
	w.now = now
	w.log("Bash", `{"command":"make"}`, 1)
	if r := w.next(`{}`); r.Interrupt == nil || r.Interrupt.Count != 3 {
		t.Errorf("%+v; want 3 of them", r)
	}
}
