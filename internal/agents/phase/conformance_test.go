package phase_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// otherFlows are the cases that do not hold here, each with the reason.
var otherFlows = map[string]string{
	"BG14":             "phases have no tasks",
	"AR04":             "an approval is given by its id; text in a prompt is no answer",
	"AR05":             "as AR04",
	"AR06":             "as AR04",
	"AR07":             "as AR04",
	"AR10":             "as AR04",
	"AR11":             "as AR04",
	"AR12":             "as AR04",
	"AF04":             "about an agent's stop, which is no step of a workflow",
	"AF05":             "as AF04",
	"AF06":             "as AF04",
	"AF07":             "as AF04",
	"AF13":             "next takes one transition: there are no chains",
	"rule-target-node": "the rules of the phase after the transition are evaluated",
	"force-all":        "there is no --force: continue gives the prompt",
	"force-one":        "as force-all",
	"force-unknown":    "as force-all",
}

// suite reads a suite, calls f for each case that holds here, and wants every
// case to be in one of the two.
func suite[C any](t *testing.T, file string, id func(C) string, f func(*world, C)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []C }
	if strings.HasSuffix(file, ".jsonl") {
		for line := range bytes.Lines(text) {
			var c C
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			suite.Cases = append(suite.Cases, c)
		}
	} else if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range suite.Cases {
		if otherFlows[id(c)] == "" {
			ran++
			t.Run(id(c), func(t *testing.T) { f(newWorld(t), c) })
		}
	}
	if ran == 0 {
		t.Error("no case was run")
	}
}

type gatingCase struct {
	ID    string
	Given struct {
		State struct {
			Completed []int  `json:"completed_phases"`
			Total     int    `json:"total_phases"`
			Lifecycle string `json:"lifecycle"`
		}
		Requested int `json:"requested_phase"`
	}
	Expect struct {
		Allowed   bool
		Error     phase.Refusal
		Violation store.ViolationType `json:"violation_type"`
		Delivers  int                 `json:"delivers_content_of"`
		Progress  *struct {
			Completed []int
			Current   int
			Total     int
		}
	}
}

func TestGatingConformance(t *testing.T) {
	suite(t, "b_gating.json", func(c gatingCase) string { return c.ID }, func(w *world, c gatingCase) {
		var phases []map[string]any
		for i := range c.Given.State.Total {
			phases = append(phases, map[string]any{"name": strconv.Itoa(i + 1), "prompt": fmt.Sprintf("content of %d", i+1)})
		}
		w.workflow("w", jsonText(w.T, map[string]any{"phases": phases}))
		id := w.start("w")
		for _, phase := range c.Given.State.Completed {
			w.complete(strconv.Itoa(phase), `{}`)
		}
		r, err := w.runner().Show(w.T.Context(), id, strconv.Itoa(c.Given.Requested))
		if err != nil || r.Refused == c.Expect.Allowed || r.Error != c.Expect.Error || r.ViolationType != c.Expect.Violation {
			w.T.Fatalf("%+v, %v; want %+v", r, err, c.Expect)
		}
		delivered := r.CurrentContent
		if r.Shown != nil {
			delivered = &r.Content
		}
		if delivered.Number != c.Expect.Delivers || delivered.Text != fmt.Sprintf("content of %d", c.Expect.Delivers) {
			w.T.Errorf("delivers %+v; want phase %d", delivered, c.Expect.Delivers)
		}
		if p := c.Expect.Progress; p != nil {
			want := &store.Progress{Completed: []string{}, Current: strconv.Itoa(p.Current), Total: p.Total}
			for _, phase := range p.Completed {
				want.Completed = append(want.Completed, strconv.Itoa(phase))
			}
			if diff := cmp.Diff(want, r.Progress); diff != "" {
				w.T.Errorf("progress (-want +got):\n%s", diff)
			}
		}
	})
}

type completeCase struct {
	ID    string
	Given struct {
		Total   int                       `json:"total_phases"`
		Gates   map[string]map[string]any `json:"gates"`
		Outputs map[string][]string       `json:"outputs"`
	}
	Steps []struct {
		Do struct {
			Call     string
			Phase    int
			Evidence map[string]any
			Workflow string
			Target   string
		}
		Expect struct {
			Passed    *bool                             `json:"checkpoint_passed"`
			Completed int                               `json:"phase_completed"`
			Next      int                               `json:"next_phase"`
			Artifacts map[string]map[string]json.Number `json:"artifacts_available"`
			Problems  []struct{ Field, Kind string }    `json:"problems"`
			Current   int                               `json:"current_phase"`
			Session   string                            `json:"session"`
			State     *struct {
				Current   int   `json:"current_phase"`
				Completed []int `json:"completed_phases"`
			}
		}
	}
}

func TestCompleteConformance(t *testing.T) {
	suite(t, "b_complete.json", func(c completeCase) string { return c.ID }, func(w *world, c completeCase) {
		w.Write("f.py", "")
		w.Write("g.py", "")
		var phases []map[string]any
		for i := range c.Given.Total {
			name := strconv.Itoa(i + 1)
			p := map[string]any{"name": name, "prompt": "x", "gate": map[string]any{"evidence": c.Given.Gates[name]}}
			if outputs := c.Given.Outputs[name]; outputs != nil {
				p["outputs"] = outputs
			}
			phases = append(phases, p)
		}
		w.workflow("w", jsonText(w.T, map[string]any{"phases": phases}))
		id, sessions := "", map[string]string{}
		for _, step := range c.Steps {
			want := step.Expect
			if step.Do.Call == "start" {
				r, err := w.runner().Start(w.T.Context(), step.Do.Workflow, step.Do.Target)
				if err != nil || r.Resumed || want.Current != 0 && r.Phase != strconv.Itoa(want.Current) {
					w.T.Fatalf("%+v, %v; want a new session", r, err)
				}
				for name, other := range sessions {
					if (name == want.Session) != (other == r.Session) {
						w.T.Errorf("%s is %s, and %s is %s", name, other, want.Session, r.Session)
					}
				}
				sessions[want.Session] = r.Session
				continue
			}
			if id == "" {
				id = w.start("w")
			}
			r := w.complete(strconv.Itoa(step.Do.Phase), jsonText(w.T, step.Do.Evidence))
			if want.Passed != nil && *r.CheckpointPassed != *want.Passed {
				w.T.Fatalf("%+v; want passed %t", r, *want.Passed)
			}
			if want.Completed != 0 && r.Completed != strconv.Itoa(want.Completed) || want.Next != 0 && r.NextPhase != strconv.Itoa(want.Next) ||
				want.Current != 0 && r.Phase != strconv.Itoa(want.Current) {
				w.T.Errorf("%+v; want %+v", r, want)
			}
			for i, p := range want.Problems {
				if !strings.HasPrefix(r.MissingEvidence[i], p.Field+" (required: ") || p.Kind != "missing" {
					w.T.Errorf("%q; want that %s is %s", r.MissingEvidence[i], p.Field, p.Kind)
				}
			}
			if want.Artifacts != nil && jsonText(w.T, r.Artifacts) != jsonText(w.T, want.Artifacts) {
				w.T.Errorf("artifacts %v; want %v", r.Artifacts, want.Artifacts)
			}
			if s := want.State; s != nil && (r.Phase != strconv.Itoa(s.Current) || len(r.Progress.Completed) != len(s.Completed)) {
				w.T.Errorf("%+v; want %+v", r.Progress, s)
			}
		}
	})
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type exitCase struct {
	ID    string
	Given struct {
		Conditions []json.RawMessage `json:"exit_conditions"`
		When       string            `json:"exit_when"`
		Vars       map[string]any
	}
	Expect struct {
		Met       bool
		LoadError string `json:"load_error"`
	}
}

// rewritten are the cases' conditions in the language of conditions.
var rewritten = strings.NewReplacer("variables.get('tests_written')", "vars.tests_written", "variables.get('n', 0)", "vars.n")

func TestExitConformance(t *testing.T) {
	suite(t, "a_exit.json", func(c exitCase) string { return c.ID }, func(w *world, c exitCase) {
		vars := map[string]any{"tests_written": false, "n": 0}
		in := phase.NextInput{Webhooks: map[string][]byte{}}
		for name, value := range c.Given.Vars {
			if id, ok := strings.CutPrefix(name, "_webhook_"); ok {
				in.Webhooks[strings.TrimSuffix(id, "_result")] = []byte(jsonText(w.T, value))
			} else {
				vars[name] = value
			}
		}
		w.facts = c.Given.Vars // the cases' variables were set while the workflow ran
		p := map[string]any{"name": "a", "prompt": "x"}
		if len(c.Given.Conditions) > 0 {
			p["exit_conditions"] = c.Given.Conditions
		}
		if c.Given.When != "" {
			p["exit_when"] = c.Given.When
		}
		w.workflow("w", rewritten.Replace(jsonText(w.T, map[string]any{"vars": vars, "phases": []any{p}})))
		if c.Expect.LoadError != "" {
			_, err := w.runner().Start(w.T.Context(), "w", "")
			if err == nil || !strings.Contains(err.Error(), c.Expect.LoadError) {
				w.T.Errorf("%v; want %s", err, c.Expect.LoadError)
			}
			return
		}
		w.start("w")
		if r := w.next(`{}`, in); r.Refused == c.Expect.Met {
			w.T.Errorf("%+v; want met %t", r, c.Expect.Met)
		}
	})
}

type flowCase struct{ ID string }

// TestSteps plays the cases in which a workflow goes from step to step; an
// event of an agent is a line of its log, and next.
func TestSteps(t *testing.T) {
	const mcp = `lib.mcp_called("s", "t")`
	plays := map[string]func(*world){
		"AF10": func(w *world) {
			w.workflow("w", `nodes: {a: {transitions: [{to: b, when: '`+mcp+`'}]}, b: {transitions: [{to: c, when: '`+mcp+`'}]}, c: {}}`)
			w.start("w")
			w.log("mcp__s__t", `{}`, 1)
			if r := w.next(`{}`); r.Phase != "b" {
				w.T.Errorf("%+v; want b", r)
			}
			if r := w.next(`{}`); r.Phase != "b" {
				w.T.Errorf("%+v; want b: the call was in the visit before", r)
			}
		},
		"AF11": func(w *world) {
			w.workflow("w", `nodes: {a: {transitions: [{to: b, when: '`+mcp+`'}]}, b: {}}`)
			w.start("w")
			if r := w.next(`{}`); len(r.Notices) != 1 || !strings.Contains(r.Notices[0], `the transition to "b" was not taken: cannot be evaluated: no value for lib.mcp_called`) {
				w.T.Errorf("%q; want that without a log nothing is known", r.Notices)
			}
			w.facts = map[string]any{"mcp_calls": map[string]any{}}
			if r := w.next(`{}`); r.Phase != "a" || len(r.Notices) != 0 {
				w.T.Errorf("%+v; want a", r)
			}
		},
		"AF12": func(w *world) {
			w.workflow("w", `nodes: {a: {transitions: [{to: b, when: 'to_number(evidence.n) + 1 > 0'}]}, b: {}}`)
			w.start("w")
			r := w.next(`{"n":"x"}`)
			if r.Phase != "a" || len(r.Notices) != 1 || !strings.Contains(r.Notices[0], `w.yaml:1: the transition to "b" was not taken`) {
				w.T.Errorf("%+v; want a, and why", r)
			}
		},
		"AF18": func(w *world) {
			w.workflow("w", `nodes: {a: {exit_conditions: [{approval: "Ship?", id: ship, timeout: 60}], transitions: [{when: true, to: done}]}}`)
			w.start("w")
			if r := w.next(`{}`); len(r.Unmet) != 1 || !strings.Contains(r.Unmet[0].Reason, "is not answered") {
				w.T.Errorf("%+v; want to be asked", r)
			}
			w.now = w.now.Add(60 * time.Second)
			if r := w.next(`{}`); len(r.Unmet) != 1 || !strings.Contains(r.Unmet[0].Reason, "counts as refused: no answer within 1m0s") {
				w.T.Errorf("%+v; want it refused", r)
			}
			if r := w.next(`{}`, phase.NextInput{Approve: []string{"ship"}}); !r.WorkflowComplete {
				w.T.Errorf("%+v; want it approved after all", r)
			}
		},
		"plan-9-1": func(w *world) {
			w.workflow("w", looping)
			w.start("w")
			if r, err := w.runner().Continue(w.T.Context(), ""); err != nil || r.Prompt != "Make a plan." {
				w.T.Errorf("%+v, %v", r, err)
			}
		},
		"plan-9-2": func(w *world) {
			_, err := w.runner().Continue(w.T.Context(), "")
			if err == nil || !strings.Contains(err.Error(), "no workflow is running") {
				w.T.Errorf("%v; want that there is none", err)
			}
		},
		"plan-9-3": func(w *world) {
			w.Write(".rulecheck/guides/SPEC_WRITING.md", "One page, no more.\n")
			w.workflow("w", `nodes: {spec: {prompt: "Spec: {{SPEC_WRITING}}"}}`)
			w.start("w")
			if r, err := w.runner().Continue(w.T.Context(), ""); err != nil || r.Prompt != "Spec: One page, no more." {
				w.T.Errorf("%+v, %v", r, err)
			}
		},
		"continue-then-next": func(w *world) {
			w.workflow("w", looping)
			w.start("w")
			w.next(`{"planned":true}`)
			w.now = w.now.Add(11 * time.Minute)
			first := w.next(`{"x":true}`)
			if _, err := w.runner().Continue(w.T.Context(), ""); err != nil {
				w.T.Fatal(err)
			}
			if again := w.next(`{"x":true}`); first.Interrupt == nil || again.Interrupt == nil {
				w.T.Errorf("%+v, %+v; want both times an interrupt", first, again)
			}
		},
		"plan-11-4": func(w *world) {
			w.workflow("w", looping)
			w.start("w")
			w.next(`{"planned":true}`)
			w.now = w.now.Add(11 * time.Minute)
			w.log("Bash", `{"command":"make"}`, 3)
			if r := w.next(`{}`); r.Interrupt == nil || r.Interrupt.RuleType != "repeated_command" {
				w.T.Errorf("%+v; want the first rule's", r.Interrupt)
			}
		},
		"plan-11-5": func(w *world) {
			w.workflow("w", looping)
			w.start("w")
			w.log("Bash", `{"command":"make"}`, 3)
			w.next(`{"planned":true}`)
			if r := w.next(`{}`); r.Interrupt != nil {
				w.T.Errorf("%+v; want nothing of the visit before", r.Interrupt)
			}
		},
		"plan-11-6": func(w *world) {
			w.workflow("w", `nodes: {a: {prompt: x, rules: [{repeated_command: {pattern: "(", threshold: 2, window: 60}}]}}`)
			_, err := w.runner().Start(w.T.Context(), "w", "")
			if err == nil || !strings.Contains(err.Error(), `"("`) {
				w.T.Errorf("%v; want the pattern refused", err)
			}
		},
	}
	for _, file := range []string{"a_flow.json", "flow.jsonl"} {
		suite(t, file, func(c flowCase) string { return c.ID }, func(w *world, c flowCase) {
			play, ok := plays[c.ID]
			if !ok {
				w.T.Fatal("is neither played nor said not to hold")
			}
			play(w)
		})
	}
}

// TestReasonsNameCases checks that every reason is about an existing case.
func TestReasonsNameCases(t *testing.T) {
	var all []string
	for _, file := range []string{"a_exit.json", "a_flow.json", "b_complete.json", "b_gating.json", "flow.jsonl"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	for id, reason := range otherFlows {
		known := slices.ContainsFunc(all, func(text string) bool {
			return strings.Contains(text, `"id":"`+id+`"`) || strings.Contains(text, `"id": "`+id+`"`)
		})
		if !known || reason == "" {
			t.Errorf("%s: no such case, or no reason", id)
		}
	}
}
