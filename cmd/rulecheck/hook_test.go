package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/respond"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

const denyTouch = "---\ntool: {command_pattern: '^touch forbidden$', effect: deny}\n---\nNothing may touch it.\n"

// guardedRepository has a rule that denies calls.
func guardedRepository(t *testing.T) *gittest.Repository {
	t.Helper()
	r := gittest.New(t)
	r.Write(".rulecheck/rules/touch.md", denyTouch)
	r.Commit("first")
	return r
}

// runHook runs rulecheck hook for a repository in this process.
func runHook(t *testing.T, dir string, payload io.Reader, args ...string) hook.Answer {
	t.Helper()
	var out, errs bytes.Buffer
	p := &process{
		args: append([]string{"hook"}, args...), env: append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir, "CI=", "GITHUB_ACTIONS="), stdin: payload, stdout: &out, stderr: &errs,
	}
	status := p.run(t.Context())
	return hook.Answer{Stdout: out.String(), Stderr: errs.String(), Status: status}
}

// sample returns a payload of an event of an agent, with a new session.
func sample(t *testing.T, d dialect.Dialect, kind hook.Kind) (text []byte, event string) {
	t.Helper()
	for _, e := range d.Events {
		if e.Kind == kind {
			text, err := os.ReadFile(filepath.Join("..", "..", "internal", "agents", "hook", "dialect", "testdata", "payloads", d.Name, e.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			return text, e.Name
		}
	}
	return nil, ""
}

// A fault prevents the check of an event.
type fault struct {
	name    string
	prepare func(r *gittest.Repository)
	payload func(sample []byte) []byte // nil: the sample
}

var faults = []fault{
	{name: "half a payload", payload: func(text []byte) []byte { return text[:len(text)/2] }},
	{name: "no JSON", payload: func([]byte) []byte { return []byte("not JSON") }},
	{name: "no object", payload: func(text []byte) []byte { return append([]byte{'['}, append(text, ']')...) }},
	{name: "no payload", payload: func([]byte) []byte { return nil }},
	{name: "malformed rules", prepare: func(r *gittest.Repository) {
		r.Write(".rulecheck/rules/new.md", "---\ntool: {effect: refuse}\n---\nNo.\n") // never good
	}},
	{name: "malformed frontmatter", prepare: func(r *gittest.Repository) {
		r.Write(".rulecheck/rules/new.md", "---\ntool: {effect: [deny\n---\nNo.\n")
	}},
	{name: "rules that cannot be read", prepare: func(r *gittest.Repository) {
		_ = os.Symlink("new.md", filepath.Join(r.Dir, ".rulecheck/rules/new.md"))
	}},
	{name: "a broken repository", prepare: func(r *gittest.Repository) { r.Write(".git/HEAD", "nonsense\n") }},
}

var faultText = regexp.MustCompile(`rulecheck: (?:[^"\\]|\\.)*`)

// TestFaults walks every fault, agent and fail mode: a call that cannot be checked is
// refused in the agent's form unless it may proceed, and the exit status is never 1.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := guardedRepository(t)
			if f.prepare != nil {
				f.prepare(r)
			}
			for _, mode := range []string{"", "block", "allow"} {
				if mode != "" {
					r.Write(".rulecheck/config.yml", "agents: {on_error: "+mode+"}\n")
				}
				for _, d := range dialect.Dialects() {
					text, event := sample(t, d, hook.BeforeTool)
					if f.payload != nil {
						text = f.payload(text)
					}
					e := d.Event(hook.ParsePayload(text), event)
					want := d.Fault(e, "X", mode != "allow")
					if f.payload != nil && dialect.Of(hook.ParsePayload(text), d.Name).Name != d.Name {
						t.Errorf("%s: a damaged payload is another agent's", d.Name)
					}
					got := runHook(t, r.Dir, bytes.NewReader(text), d.Name, event)
					if strings.Contains(got.Stdout, "Nothing may touch it") { // by the rule that loads
						continue
					}
					if got.Status != want.Status || faultText.ReplaceAllString(got.Stdout, "rulecheck: X") != want.Stdout || (want.Stderr != "") != (got.Stderr != "") {
						t.Errorf("%s, on_error %q: %+v; want %+v", d.Name, mode, got, want)
					}
				}
			}
		})
	}
}

// TestStopFaults lets agents stop where the rules cannot be read, and refuses three times
// at most where the project wants that.
func TestStopFaults(t *testing.T) {
	t.Parallel()
	r := guardedRepository(t)
	r.Write(".rulecheck/rules/new.md", "---\ntool: {effect: refuse}\n---\nNo.\n") // never good
	for _, d := range dialect.Dialects() {
		text, event := sample(t, d, hook.Stop)
		if text == nil {
			continue
		}
		allowed := d.Answer(d.Event(hook.ParsePayload(text), event), hook.Decision{Verdict: hook.Allow})
		r.Write(".rulecheck/config.yml", "")
		if got := runHook(t, r.Dir, bytes.NewReader(text), d.Name, event); got.Stdout != allowed.Stdout || got.Status != 0 || got.Stderr == "" {
			t.Errorf("%s: %+v; want the stop allowed and an error", d.Name, got)
		}
		r.Write(".rulecheck/config.yml", "agents: {on_error: block}\n")
		refused := 0
		for i := range 6 { // at different times
			later := regexp.MustCompile(`("timestamp": ?"?[0-9:T.-]*)[0-9]`).ReplaceAll(text, fmt.Appendf(nil, "${1}%d", i))
			got := runHook(t, r.Dir, bytes.NewReader(later), d.Name, event)
			if got.Status != 0 {
				t.Errorf("%s: %+v; want exit status 0", d.Name, got)
			}
			if got.Stdout != allowed.Stdout {
				refused++
			}
		}
		if refused != 3 {
			t.Errorf("%s: refused %d times; want 3", d.Name, refused)
		}
	}
}

// TestCutPayloads cuts a payload everywhere.
func TestCutPayloads(t *testing.T) {
	t.Parallel()
	r := guardedRepository(t)
	text, _ := sample(t, claude(t), hook.BeforeTool)
	text = bytes.TrimSpace(text)
	for n := 1; n < len(text); n += 7 {
		if got := runHook(t, r.Dir, bytes.NewReader(text[:n]), "claude"); got.Status != 2 || got.Stdout != "" || !strings.Contains(got.Stderr, "rulecheck: ") {
			t.Errorf("cut after %d bytes: %+v; want it refused", n, got)
		}
	}
}

func claude(t *testing.T) dialect.Dialect {
	t.Helper()
	for _, d := range dialect.Dialects() {
		if d.Name == "claude" {
			return d
		}
	}
	t.Fatal("no claude")
	return dialect.Dialect{}
}

// TestLargePayload refuses 200 MB, and has read all of it.
func TestLargePayload(t *testing.T) {
	t.Parallel()
	r := guardedRepository(t)
	text, _ := sample(t, claude(t), hook.BeforeTool)
	text = bytes.TrimSuffix(bytes.TrimSpace(text), []byte("}"))
	rest := &io.LimitedReader{R: endless{}, N: 200_000_000}
	got := runHook(t, r.Dir, io.MultiReader(bytes.NewReader(text), strings.NewReader(`,"pad":"`), rest, strings.NewReader(`"}`)), "claude")
	if got.Status != 2 || !strings.Contains(got.Stderr, "the payload has more than 32 MiB") || rest.N != 0 {
		t.Errorf("%+v with %d bytes unread; want it refused", got, rest.N)
	}
}

// endless is text without an end.
type endless struct{}

var oneMiB = bytes.Repeat([]byte("x"), 1<<20)

func (endless) Read(b []byte) (int, error) {
	return copy(b, oneMiB), nil
}

// TestRecovers answers after a panic, and in time.
func TestRecovers(t *testing.T) {
	h := respond.Hooks{GitDir: t.TempDir(), Now: time.Now}
	e := hook.Event{Kind: hook.BeforeTool}
	h.Tool = func(context.Context, hook.Event) (hook.Decision, error) { panic("oh no") }
	if a := respondInTime(t.Context(), h, e); a.err == nil || !strings.Contains(a.err.Error(), "internal error: oh no") {
		t.Errorf("%v; want the panic", a.err)
	}
	never := make(chan struct{})
	defer close(never)
	h.Tool = func(context.Context, hook.Event) (hook.Decision, error) {
		<-never
		return hook.Decision{}, context.Canceled // so that nothing else is recorded
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Millisecond, errLate)
	defer cancel()
	if a := respondInTime(ctx, h, e); a.err == nil || !errors.Is(a.err, errLate) {
		t.Errorf("%v; want the deadline", a.err)
	}
}

// TestUnguarded proceeds after a fault where no rule denies calls.
func TestUnguarded(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write(".rulecheck/rules/pair.md", "---\npair: {trigger: a, expects: [}\n---\nNo.\n")
	r.Commit("first")
	text, _ := sample(t, claude(t), hook.BeforeTool)
	if got := runHook(t, r.Dir, bytes.NewReader(text), "claude"); got != (hook.Answer{}) {
		t.Errorf("%+v; want silence: the broken rule is about changes", got)
	}
	if got := runHook(t, r.Dir, bytes.NewReader(text[:40]), "claude", "PreToolUse"); got.Status != 0 || got.Stdout != "" {
		t.Errorf("half a payload: %+v; want it allowed", got)
	}
}

// TestDecisionsOfAgents gives every agent the same rule.
func TestDecisionsOfAgents(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	commands := map[string]string{"claude": "npm test", "codex": "touch forbidden", "antigravity": "echo hi", "opencode": "touch forbidden"}
	r.Write(".rulecheck/rules/all.md", "---\ntool: {command_pattern: '.', effect: deny}\n---\nNot that.\n")
	r.Commit("first")
	for _, d := range dialect.Dialects() {
		text, event := sample(t, d, hook.BeforeTool)
		e := d.Event(hook.ParsePayload(text), event)
		if want := commands[d.Name]; want != "" && e.Call.Command != want {
			t.Errorf("%s: command %q; want %q", d.Name, e.Call.Command, want)
		}
		want := d.Answer(e, hook.Decision{Verdict: hook.Deny, Reason: "all: Not that."})
		if got := runHook(t, r.Dir, bytes.NewReader(text), d.Name, event); got != want {
			t.Errorf("%s: %+v; want %+v", d.Name, got, want)
		}
		if want.Stdout != "" && !json.Valid([]byte(want.Stdout)) {
			t.Errorf("%s: not JSON: %s", d.Name, want.Stdout)
		}
	}
}

// fullDevice fails every write.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestLostAnswer refuses a call whose answer cannot be read.
func TestLostAnswer(t *testing.T) {
	r := guardedRepository(t)
	payload := `{"session_id":"s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"touch forbidden"},"tool_use_id":"t"}`
	p := &process{
		args: []string{"hook", "claude"}, env: append(os.Environ(), "CLAUDE_PROJECT_DIR="+r.Dir), stdin: strings.NewReader(payload),
		stdout: fullDevice{}, stderr: io.Discard,
	}
	if status := p.run(t.Context()); status != 2 {
		t.Errorf("exit status %d; want 2", status)
	}
}

// TestHooksAtOnce runs many hooks of one session at once; the journal has each event, once.
func TestHooksAtOnce(t *testing.T) {
	t.Parallel()
	r := guardedRepository(t)
	var group sync.WaitGroup
	for i := range 12 {
		for range 2 { // of the user's settings and of the project's
			group.Go(func() {
				payload := fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"touch forbidden"},"tool_use_id":"t%d"}`, i)
				if got := runHook(t, r.Dir, strings.NewReader(payload), "claude"); got.Status != 0 || !strings.Contains(got.Stdout, `"deny"`) {
					t.Errorf("%+v; want the denial", got)
				}
			})
		}
	}
	group.Wait()
	text, err := os.ReadFile(filepath.Join(r.Dir, ".git", "rulecheck", "journal", "claude-s.ndjson"))
	if err != nil || bytes.Count(text, []byte("\n")) != 12 || !strings.Contains(string(text), `"calls":12}`) {
		t.Errorf("%s, %v; want 12 events", text, err)
	}
}
