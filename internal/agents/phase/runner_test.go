package phase_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// world is a repository with workflows, and a clock that the test sets.
type world struct {
	*gittest.Repository
	now   time.Time
	facts map[string]any
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{Repository: gittest.New(t), now: time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)}
}

// runner opens a runner, as each process does.
func (w *world) runner() *phase.Runner {
	w.T.Helper()
	engine := w.Open()
	f, err := phase.Open(w.T.Context(), engine, phase.Options{
		GitDir: engine.GitDir(), Now: func() time.Time { return w.now }, Facts: w.facts,
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return f
}

func (w *world) workflow(name, text string) { w.Write(".rulecheck/workflows/"+name+".yaml", text) }

// start begins a workflow and gives the session's id.
func (w *world) start(name string) string {
	w.T.Helper()
	r, err := w.runner().Start(w.T.Context(), name, "")
	if err != nil {
		w.T.Fatal(err)
	}
	return r.Session
}

// next claims, a second later.
func (w *world) next(claims string, in ...phase.NextInput) *phase.Reply {
	w.T.Helper()
	w.now = w.now.Add(time.Second)
	with := phase.NextInput{}
	if len(in) > 0 {
		with = in[0]
	}
	with.Claims = object(w.T, claims)
	r, err := w.runner().Next(w.T.Context(), "", with)
	if err != nil {
		w.T.Fatal(err)
	}
	return r
}

func (w *world) complete(name, evidence string) *phase.Reply {
	w.T.Helper()
	w.now = w.now.Add(time.Second)
	r, err := w.runner().Complete(w.T.Context(), "", name, object(w.T, evidence))
	if err != nil {
		w.T.Fatal(err)
	}
	return r
}

// log appends calls of a tool to the journal of hooks, one a second.
func (w *world) log(tool, input string, times int) {
	w.T.Helper()
	name := filepath.Join(w.Dir, ".rulecheck", "sessions", "hooks.jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.T.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		w.T.Fatal(err)
	}
	defer f.Close()
	for range times {
		w.now = w.now.Add(time.Second)
		fmt.Fprintf(f, `{"event_type":"post_tool_use","session_id":"s1","timestamp":%q,"tool_name":%q,"tool_input":%s,"tool_response":{}}`+"\n",
			w.now.Format(time.RFC3339Nano), tool, input)
	}
	if err := os.Chtimes(name, w.now, w.now); err != nil {
		w.T.Fatal(err)
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	var o map[string]any
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// looping is a workflow whose second phase has rules.
const looping = `
nodes:
  plan:
    prompt: Make a plan.
    transitions: [{when: planned, to: code}]
  code:
    prompt: Write code.
    rules:
      - repeated_command: {pattern: make, threshold: 3, window: 60}
      - token_budget: {max_tokens: 100}
      - phase_timeout: {max_duration: 600}
    transitions: [{when: coded, to: review}, {when: replan, to: plan}]
  review:
    prompt: Review it.
    rules:
      - phase_timeout: {max_duration: 600}
    transitions: [{when: reviewed, to: done}, {when: changes, to: code}]
`

func TestInterrupt(t *testing.T) {
	w := newWorld(t)
	w.workflow("looping", looping)
	w.start("looping")

	w.log("Bash", `{"command":"make"}`, 5) // before the visit
	if r := w.next(`{"planned":true}`); r.Interrupt != nil || r.Prompt != "Write code." || r.Completed != "plan" {
		t.Fatalf("%+v; want the prompt alone", r)
	}
	if r := w.next(`{}`); r.Interrupt != nil || r.Prompt != "Write code." {
		t.Fatalf("%+v; want the prompt alone: nothing happened in this visit", r)
	}
	w.log("Bash", `{"command":"make"}`, 3)
	r := w.next(`{"other":true}`)
	if r.Interrupt == nil || r.Interrupt.Visit != 1 || r.Interrupt.ID != r.Session || r.Interrupt.Count != 3 || r.Prompt != "Write code." {
		t.Fatalf("%+v; want an interrupt, and the prompt in its field", r)
	}
	if !strings.Contains(r.Interrupt.Text, "make executed 3 times in 1 minute") || r.Interrupt.Rule != "looping.code.rules[0]" {
		t.Errorf("%s\n%s", r.Interrupt.Rule, r.Interrupt.Text)
	}

	before := w.state()
	c, err := w.runner().Continue(t.Context(), "")
	if err != nil || c.Interrupt != nil || c.Prompt != "Write code." {
		t.Fatalf("%+v, %v; want the prompt", c, err)
	}
	if changed := cmp.Diff(before, w.state()); changed != "" {
		t.Errorf("continue kept something (-before +after):\n%s", changed)
	}
	if r := w.next(`{"other":true}`); r.Interrupt == nil {
		t.Error("no interrupt after continue; want it again")
	}
	if changed := cmp.Diff(before, w.state()); changed != "" {
		t.Errorf("the same claims kept something (-before +after):\n%s", changed)
	}

	w.now = w.now.Add(2 * time.Minute) // out of the window
	r = w.next(`{}`)
	if changed := cmp.Diff([]string{"rule looping.code.rules[1]: could not be checked: the log does not record the use of tokens"}, r.Notices); r.Interrupt != nil || changed != "" {
		t.Errorf("%+v (-want +got):\n%s", r.Interrupt, changed)
	}
	w.now = w.now.Add(10 * time.Minute)
	if r := w.next(`{}`); r.Interrupt == nil || r.Interrupt.RuleType != "phase_timeout" {
		t.Errorf("%+v; want that it takes too long", r.Interrupt)
	}

	// what is next starts clean, and so does what is entered again
	if r := w.next(`{"coded":true}`); r.Interrupt != nil || r.Phase != "review" {
		t.Errorf("%+v; want the next phase, clean", r)
	}
	if r := w.next(`{"changes":true}`); r.Interrupt != nil || r.Phase != "code" {
		t.Errorf("%+v; want code, clean", r)
	}
	if r := w.next(`{}`); r.Interrupt != nil {
		t.Errorf("%+v; want code, clean", r.Interrupt)
	}
	state := w.status().State
	if changed := cmp.Diff([]string{"make"}, state.Artifacts["code"].Commands); changed != "" {
		t.Errorf("commands (-want +got):\n%s", changed)
	}
}

// state is every file that workflows keep.
func (w *world) state() map[string]string {
	w.T.Helper()
	files := map[string]string{}
	found, err := filepath.Glob(filepath.Join(w.Dir, ".git", "rulecheck", "sessions", "*"))
	if err != nil {
		w.T.Fatal(err)
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			w.T.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

func (w *world) status() *phase.Status {
	w.T.Helper()
	s, err := w.runner().Status(w.T.Context(), "")
	if err != nil {
		w.T.Fatal(err)
	}
	return s
}

// gated has gates, conditions and something to wait for.
const gated = `
vars: {rounds: 2, ready: false}
phases:
  - name: measure
    prompt: Measure.
    gate:
      strict: true
      evidence:
        count: {type: integer, check: positive}
        half: {type: integer, check: evidence.half * 2 == evidence.count}
    outputs: [count]
  - name: build
    prompt: Build.
    exit_when: claims.built and artifacts.measure.count > 3
    exit_conditions:
      - vars.rounds == 2
      - approval: Ship it?
        id: ship
      - webhook: {url: "https://ci.example.com"}
        id: ci
`

func TestGates(t *testing.T) {
	w := newWorld(t)
	w.workflow("gated", gated)
	w.start("gated")

	r := w.next(`{"count":0}`)
	if !r.Refused || r.Error != phase.RefusedEvidence || r.Phase != "measure" || r.CurrentContent.Text != "Measure." || *r.CheckpointPassed {
		t.Fatalf("%+v; want missing evidence", r)
	}
	if changed := cmp.Diff([]string{
		"count (validation failed: got number 0, want more than 0)",
		"half (required: integer, evidence.half * 2 == evidence.count)",
	}, r.MissingEvidence); changed != "" {
		t.Errorf("(-want +got):\n%s", changed)
	}
	if r := w.complete("build", `{}`); r.Error != phase.RefusedSequence || r.ViolationType != store.AttemptedSkip || r.Progress.Total != 2 {
		t.Errorf("%+v; want it out of sequence", r)
	}
	if r := w.complete("measure", `{"count":8,"half":3}`); !r.Refused || len(r.MissingEvidence) != 1 {
		t.Errorf("%+v; want that the half is none", r.MissingEvidence)
	}
	evidence := `{"count":8,"half":4,"secret":"x"}`
	r = w.complete("measure", evidence)
	want := phase.Artifacts{"measure": {"count": json.Number("8")}}
	if changed := cmp.Diff(want, r.Artifacts); r.Refused || r.NextPhase != "build" || r.NextContent.Text != "Build." || changed != "" {
		t.Fatalf("%+v (-want +got):\n%s", r, changed)
	}
	if changed := cmp.Diff([]string{`unexpected evidence "secret"`}, r.Notices); changed != "" {
		t.Errorf("(-want +got):\n%s", changed)
	}
	before := w.state()
	if r := w.complete("measure", evidence); r.Refused || !r.Repeated || r.NextPhase != "build" || cmp.Diff(before, w.state()) != "" {
		t.Errorf("%+v; want the same answer, and nothing done", r)
	}
	if r := w.complete("measure", `{"count":2,"half":1}`); r.ViolationType != store.AlreadyCompleted {
		t.Errorf("%+v; want that it is completed already", r)
	}

	r = w.next(`{}`)
	var ids []string
	for _, u := range r.Unmet {
		ids = append(ids, u.ID+": "+u.Kind)
	}
	if changed := cmp.Diff([]string{"exit_when: condition", "ship: approval", "ci: webhook"}, ids); r.Error != phase.RefusedExit || changed != "" {
		t.Fatalf("%+v (-want +got):\n%s", r, changed)
	}
	r = w.next(`{"built":true}`, phase.NextInput{Reject: []string{"ship"}, Webhooks: map[string][]byte{"ci": []byte(`{"success": true}`)}})
	if len(r.Unmet) != 1 || r.Unmet[0].Reason != `"Ship it?" was refused; a person must approve it` {
		t.Fatalf("%+v", r.Unmet)
	}
	r = w.next(`{"built":true}`, phase.NextInput{Approve: []string{"ship"}})
	if r.Refused || !r.WorkflowComplete || r.Status != store.Finished || r.NextPhase != "" {
		t.Fatalf("%+v; want it complete", r)
	}
	for name, ask := range map[string]func(string) (*phase.Reply, error){
		"next":     func(id string) (*phase.Reply, error) { return w.runner().Next(t.Context(), id, phase.NextInput{}) },
		"continue": func(id string) (*phase.Reply, error) { return w.runner().Continue(t.Context(), id) },
	} {
		if r, err := ask(r.Session); err != nil || r.Error != phase.RefusedClosed || !r.WorkflowComplete {
			t.Errorf("%s: %+v, %v; want that nothing more happens", name, r, err)
		}
	}
	if r, err := w.runner().Complete(t.Context(), r.Session, "build", nil); err != nil || !r.Refused {
		t.Errorf("%+v, %v; want it refused", r, err)
	}
}

// TestRefusedStepInterrupts checks that rules are evaluated after a refusal as well.
func TestRefusedStepInterrupts(t *testing.T) {
	w := newWorld(t)
	w.workflow("w", `
phases:
  - name: red
    prompt: Red.
    rules: [{repeated_command: {threshold: 2, window: 60}}]
    gate: {evidence: {tests: {type: integer}}}
`)
	w.start("w")
	w.log("Bash", `{"command":"make"}`, 2)
	for _, r := range []*phase.Reply{w.next(`{}`), w.complete("red", `{}`)} {
		if !r.Refused || r.Interrupt == nil || r.CurrentContent.Text != "Red." {
			t.Errorf("%+v; want it refused and interrupted", r)
		}
	}
	if r := w.complete("red", `{"tests":1}`); r.Refused || r.Interrupt != nil || !r.WorkflowComplete {
		t.Errorf("%+v; want it complete", r)
	}
}

// TestSkippedRulesAreReported checks the notices on rules that are not evaluated.
func TestSkippedRulesAreReported(t *testing.T) {
	w := newWorld(t)
	w.Rule("conditional", "---\nphase_timeout: {max_duration: 1}\nwhen: change.any(\"**\")\n---\nx\n")
	w.Rule("codex", "---\nphase_timeout: {max_duration: 1}\nwhen: session.agent == \"codex\"\n---\nx\n")
	w.Rule("off", "---\nphase_timeout: {max_duration: 1}\nenabled: false\n---\nx\n")
	w.Rule("claude", "---\nphase_timeout: {max_duration: 1}\nagent: claude\n---\nx\n")
	w.Rule("pair", "---\nset: [\"{x}.a\", \"{x}.b\"]\n---\nx\n")
	w.workflow("w", "nodes: {a: {prompt: x, check_rules: [conditional, off, claude, codex, pair], transitions: [{when: ok, to: done}]}}")
	w.start("w")
	w.now = w.now.Add(time.Minute)
	w.log("Bash", `{"command":"make"}`, 1)
	want := []string{
		"rule conditional: could not be checked: its condition needs a change, but a visit has none",
		"rule off: skipped: enabled: false",
		"rule claude: could not be checked: the log does not say which agent it is of",
		"rule codex: could not be checked: the log does not say which agent it is of",
	}
	if changed := cmp.Diff(want, w.next(`{}`).Notices); changed != "" {
		t.Errorf("(-want +got):\n%s", changed)
	}
	w.Write(".rulecheck/config.yml", "rules: {enabled: false}\n")
	if changed := cmp.Diff([]string{"nothing was checked: rules.enabled is false in .rulecheck/config.yml"}, w.next(`{}`).Notices); changed != "" {
		t.Errorf("(-want +got):\n%s", changed)
	}
}

func TestInvalidRequests(t *testing.T) {
	w := newWorld(t)
	w.workflow("gated", gated)
	w.workflow("bad", "nodes: {a: {prompt: x, transitions: [{when: vars.redy, to: done}]}}")
	w.workflow("worse", "nodes: {a: {prompt: x, transitions: [{when: ok, to: nowhere}]}}")
	w.start("gated")
	w.complete("measure", `{"count":8,"half":4}`)
	for name, ask := range map[string]struct {
		in   phase.NextInput
		want string
	}{
		"approval": {phase.NextInput{Approve: []string{"shp"}}, `the phase "build" waits for no approval "shp"; did you mean "ship"? want one of "ship"`},
		"reject":   {phase.NextInput{Reject: []string{"ci"}}, `the phase "build" waits for no approval "ci"; want one of "ship"`},
		"webhook":  {phase.NextInput{Webhooks: map[string][]byte{"ship": nil}}, `the phase "build" waits for no webhook "ship"; want one of "ci"`},
		"result":   {phase.NextInput{Webhooks: map[string][]byte{"ci": []byte("ok")}}, `the result of the webhook "ci" is not JSON: invalid character 'o' looking for beginning of value`},
	} {
		_, err := w.runner().Next(t.Context(), "", ask.in)
		if err == nil || err.Error() != ask.want {
			t.Errorf("%s: %v; want %s", name, err, ask.want)
		}
	}
	for name, want := range map[string]string{
		"gate":  `unknown workflow "gate"; did you mean "gated"? want one of "bad", "developer", "discovery", "execution", "gated", "session-lifecycle", "worse"`,
		"bad":   `.rulecheck/workflows/bad.yaml:1:50: unknown field "redy" of vars; want one of "mcp_calls", "mcp_results", "stop_signal", "task_reviews", "task_trees"`,
		"worse": `.rulecheck/workflows/worse.yaml:1:53: nodes.a.transitions[0].to: unknown phase "nowhere"; want one of "a", "done"`,
	} {
		_, err := w.runner().Start(t.Context(), name, "")
		if err == nil || err.Error() != want {
			t.Errorf("start %s: %v; want %s", name, err, want)
		}
	}
	l, err := w.runner().Lint(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, p := range l.Problems {
		codes = append(codes, p.Code)
	}
	if changed := cmp.Diff([]string{rule.CodeBadCondition, "unknown_phase"}, codes); changed != "" {
		t.Errorf("lint (-want +got):\n%s", changed)
	}
	list, err := w.runner().List(t.Context())
	if err != nil || len(list.Sessions) != 1 || list.Sessions[0].Phase != "build" {
		t.Errorf("%+v, %v; want the one session", list, err)
	}
	names := map[string]int{}
	for _, one := range list.Workflows {
		names[one.Name] = one.Problems
	}
	if changed := cmp.Diff(map[string]int{"bad": 1, "worse": 1, "gated": 0, "developer": 0, "discovery": 0, "execution": 0, "session-lifecycle": 0}, names); changed != "" {
		t.Errorf("list (-want +got):\n%s", changed)
	}

	// the workflow file loses the phase that the session is in
	w.workflow("gated", "nodes: {other: {prompt: x}}")
	_, err = w.runner().Continue(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), `is in phase "build", which .rulecheck/workflows/gated.yaml no longer has`) {
		t.Errorf("%v; want that the phase is lost", err)
	}
	if r, err := w.runner().Abort(t.Context(), ""); err != nil || r.Status != store.Aborted || r.Repeated {
		t.Errorf("%+v, %v; want it aborted", r, err)
	}
	if r, err := w.runner().Abort(t.Context(), list.Sessions[0].ID); err != nil || !r.Repeated {
		t.Errorf("%+v, %v; want that it was", r, err)
	}
	if err := w.runner().Delete(t.Context(), list.Sessions[0].ID); err != nil {
		t.Error(err)
	}
	if _, err := w.runner().Show(t.Context(), list.Sessions[0].ID, "build"); err == nil {
		t.Error("shows a session that is deleted")
	}
	if recovered, err := w.runner().Recover(t.Context()); err != nil || len(recovered) != 0 {
		t.Errorf("%v, %v; want nothing to recover", recovered, err)
	}
}

// A clock that was set back is reported: nothing that depends on the time fires then.
func TestPhaseInTheFuture(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.workflow("w", "nodes: {a: {prompt: A, rules: [{phase_timeout: {max_duration: 60}}], transitions: [{when: x, to: done}]}}\n")
	w.start("w")
	const want = "the phase \"a\" began at 2026-05-01T10:00:00Z, which is in the future"
	if r := w.next("{}"); strings.Contains(strings.Join(r.Notices, "\n"), "in the future") {
		t.Errorf("notices %q; want none about the clock", r.Notices)
	}
	w.now = w.now.Add(-time.Hour)
	if r := w.next("{}"); !strings.Contains(strings.Join(r.Notices, "\n"), want) {
		t.Errorf("notices %q; want %q", r.Notices, want)
	}
}

// A phase that was renamed has not the name of one whose requirements changed.
func TestRenamedPhase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const text = "nodes:\n  a: {prompt: A, transitions: [{when: x, to: done}]}\n  b: {prompt: B, transitions: [{when: y, to: done}]}\n"
	w.workflow("w", text)
	id := w.start("w")
	w.workflow("w", strings.Replace(text, "  b:", "  c:", 1))
	s, err := w.runner().Status(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"removed or renamed after the session started: phase b"}; !cmp.Equal(s.Notices, want) {
		t.Errorf("notices %q; want %q", s.Notices, want)
	}
}
