//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// The payloads of a session.
func forbiddenCall(id string) string {
	return `{"session_id":"s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"touch forbidden"},"tool_use_id":"` + id + `"}`
}

func stopOf(session, answer string, continued bool) string {
	return fmt.Sprintf(`{"session_id":%q,"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":%t,"last_assistant_message":%q,"background_tasks":[]}`, session, continued, answer)
}

// stoppable has a rule that denies calls and one that refuses stops.
func stoppable(t *testing.T) *gittest.Repository {
	t.Helper()
	r := gittest.New(t)
	r.Write(".rulecheck/rules/touch.md", denyTouch)
	r.Write(".rulecheck/rules/tests.md", "---\nname: Tests\npair: {trigger: 'src/{m}.py', expects: 'tests/{m}_test.py'}\ncompare_to: prompt\n---\nTest it.\n")
	r.Commit("first")
	r.Write("src/a.py", "1\n")
	return r
}

func denied(a dialect.Answer) bool {
	return a.Status == 0 && strings.Contains(a.Stdout, `"permissionDecision":"deny"`) && json.Valid([]byte(a.Stdout))
}

func refused(a dialect.Answer) bool {
	return a.Status == 0 && strings.Contains(a.Stdout, `"decision":"block"`) && json.Valid([]byte(a.Stdout))
}

// TestKilledHooks kills hooks at random, FAULTS times: the next one decides as if nothing
// had been, no finding refuses twice, and every event that was answered is in the journal.
func TestKilledHooks(t *testing.T) {
	t.Parallel()
	times := lawtest.Cases(t, "FAULTS", 16)
	r := stoppable(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	wholeProcess(t, r.Dir, []byte(stopOf("warm", "up", false)))
	span := time.Since(began)
	answered, killed := 0, 0
	for i := range times {
		r.Write("src/a.py", fmt.Sprint("finding ", i, "\n"))
		session := fmt.Sprint("s", i)
		payload := []string{stopOf(session, "done", false), forbiddenCall(fmt.Sprint("killed", i)), `{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`}[i%3]
		cmd := exec.Cmd{Path: self, Args: []string{"rulecheck", "hook", "claude"}, Dir: r.Dir, Stdin: strings.NewReader(payload), Env: append(os.Environ(), "CLAUDE_PROJECT_DIR="+r.Dir, "CI=")}
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(span))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		r.Write("src/a.py", fmt.Sprint("later ", i, "\n")) // a prompt that was captured has the former
		id := fmt.Sprint("t", i)
		if got := wholeProcess(t, r.Dir, []byte(forbiddenCall(id))); !denied(got) {
			t.Fatalf("run %d: %+v; want the denial", i, got)
		}
		answered++
		refusals := 0
		for n := range 3 {
			got := wholeProcess(t, r.Dir, []byte(stopOf(session, fmt.Sprint("done again ", n), n > 0)))
			if got.Status != 0 || got.Stderr != "" || got.Stdout != "" && !json.Valid([]byte(got.Stdout)) {
				t.Fatalf("run %d: %+v; want an answer", i, got)
			}
			if refused(got) {
				refusals++
			}
		}
		if refusals > 1 {
			t.Fatalf("run %d: the finding refused %d times", i, refusals)
		}
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, ".git", "rulecheck", "journal", "claude-s.ndjson"))
	if n := bytes.Count(text, []byte(`"tool_use_id":"t`)); err != nil || n != answered {
		t.Errorf("%d calls in the journal, %v; want %d", n, err, answered)
	}
	t.Logf("%d of %d killed", killed, times)
}

// overwrite writes a text into all files that a pattern matches.
func overwrite(t *testing.T, pattern, text string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v; want files", pattern, names, err)
	}
	for _, name := range names {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamagedState damages what rulecheck keeps: calls are decided, and a stop is answered.
func TestDamagedState(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339Nano)
	future := `{"event_type":"stop","timestamp":"` + later + `","session_id":"s","adapter":"claude","decision":"block","calls":7}` + "\n"
	for name, damage := range map[string]func(*testing.T, *gittest.Repository){
		"the journal is garbage": func(_ *testing.T, r *gittest.Repository) {
			r.Write(".git/rulecheck/journal/claude-s.ndjson", "\x00\xff{{{\n\n[]\n{")
		},
		"the journal is of the future": func(_ *testing.T, r *gittest.Repository) {
			r.Write(".git/rulecheck/journal/claude-s.ndjson", strings.Repeat(future, 9))
		},
		"the queue is garbage": func(t *testing.T, r *gittest.Repository) {
			t.Helper()
			overwrite(t, filepath.Join(r.Dir, ".git/rulecheck/queue/*.json"), "{")
		},
		"the counts are garbage": func(t *testing.T, r *gittest.Repository) {
			t.Helper()
			overwrite(t, filepath.Join(r.Dir, ".git/rulecheck/stops/*"), "[]")
		},
		"the snapshots are garbage": func(t *testing.T, r *gittest.Repository) {
			t.Helper()
			overwrite(t, filepath.Join(r.Dir, ".git/rulecheck/prompts/*/manifest.json"), "{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := stoppable(t)
			wholeProcess(t, r.Dir, []byte(`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`))
			r.Write("src/a.py", "2\n")
			if got := wholeProcess(t, r.Dir, []byte(stopOf("s", "done", false))); !refused(got) {
				t.Fatalf("%+v; want the stop refused", got)
			}
			damage(t, r)
			for i := range 2 {
				if got := wholeProcess(t, r.Dir, []byte(forbiddenCall(strconv.Itoa(i)))); !denied(got) {
					t.Errorf("%+v; want the denial", got)
				}
			}
			refusals := 0
			for n := range 5 {
				got := wholeProcess(t, r.Dir, []byte(stopOf("s", fmt.Sprint("again ", n), n > 0)))
				if got.Status != 0 || got.Stdout != "" && !json.Valid([]byte(got.Stdout)) {
					t.Errorf("%+v; want an answer", got)
				}
				if refused(got) {
					refusals++
				}
			}
			if refusals > 1 { // what is lost may refuse again
				t.Errorf("%d refusals; want one at most", refusals)
			}
		})
	}
}

// TestProcessesAtOnce delivers one stop to processes at once, as settings of the user and
// of the project do: it is refused once.
func TestProcessesAtOnce(t *testing.T) {
	t.Parallel()
	r := stoppable(t)
	wholeProcess(t, r.Dir, []byte(`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`))
	r.Write("src/a.py", "2\n")
	var group sync.WaitGroup
	var mutex sync.Mutex
	refusals := 0
	for range 4 {
		group.Go(func() {
			got := wholeProcess(t, r.Dir, []byte(stopOf("s", "done", false)))
			if got.Status != 0 || got.Stdout != "" && !json.Valid([]byte(got.Stdout)) {
				t.Errorf("%+v; want an answer", got)
			}
			mutex.Lock()
			defer mutex.Unlock()
			if refused(got) {
				refusals++
			}
		})
	}
	group.Wait()
	if refusals != 1 {
		t.Errorf("%d refusals; want 1", refusals)
	}
}
