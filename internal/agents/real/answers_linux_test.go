package real_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// program answers an event with the files of a directory that has its name, and other
// events with nothing. It keeps each payload.
const program = `#!/bin/sh
dir=$(dirname "$0")/..
event=$(tee "$dir/payload" | sed -n 's/.*"hook_event_name": *"\([^"]*\)".*/\1/p')
echo "$event" >>"$dir/events"
cd "$dir/answers/$event" 2>/dev/null || exit 0
if [ -e times ]; then rm times; elif [ -e limited ]; then exit 0; fi
sleep "$(cat sleep)"
cat stdout
cat stderr >&2
exit "$(cat status)"
`

// canned replaces rulecheck by a program that gives one answer to an event; once: only the
// first time.
func (w *world) canned(event string, a hook.Answer, sleep int, once bool) {
	w.Helper()
	name := filepath.Join(w.dir, "bin/rulecheck")
	if err := os.RemoveAll(name); err != nil {
		w.Fatal(err)
	}
	w.file("bin/rulecheck", program)
	if err := os.Chmod(name, 0o755); err != nil {
		w.Fatal(err)
	}
	dir := "answers/" + event + "/"
	w.file(dir+"stdout", a.Stdout)
	w.file(dir+"stderr", a.Stderr)
	w.file(dir+"status", strconv.Itoa(a.Status))
	w.file(dir+"sleep", strconv.Itoa(sleep))
	if once {
		w.file(dir+"limited", "")
		w.file(dir+"times", "")
	}
	w.options["hooks"] = "none"
}

// events of a dialect, as payloads have them.
func (of specimen) event(t *testing.T, kind hook.Kind) (dialect.Dialect, hook.Event) {
	t.Helper()
	d, ok := dialect.Named(of.name)
	if !ok {
		t.Fatalf("no dialect %s", of.name)
	}
	for _, e := range d.Events {
		if e.Kind == kind {
			return d, hook.Event{Kind: kind, Name: e.Name, Agent: of.name, Session: "s"}
		}
	}
	t.Fatalf("%s has no event %s", of.name, kind)
	return d, hook.Event{}
}

// TestAnswers gives each agent the answers of its dialect, and others, before a tool.
func TestAnswers(t *testing.T) {
	long(t)
	deny := func(d dialect.Dialect, e hook.Event) hook.Answer {
		return d.Answer(e, hook.Decision{Verdict: hook.Deny, Reason: "WHY-ANSWER"})
	}
	plain := func(stdout, stderr string, status int) func(dialect.Dialect, hook.Event) hook.Answer {
		return func(dialect.Dialect, hook.Event) hook.Answer {
			return hook.Answer{Stdout: stdout, Stderr: stderr, Status: status}
		}
	}
	cases := []struct {
		name    string
		answer  func(dialect.Dialect, hook.Event) hook.Answer
		sleep   int
		refused string // the agents that refuse the call then
	}{
		{"nothing", plain("", "", 0), 0, ""},
		{"an empty object", plain("{}", "", 0), 0, ""},
		{"a denial", deny, 0, "codex gemini opencode qwen"},
		{"a question", func(d dialect.Dialect, e hook.Event) hook.Answer {
			return d.Answer(e, hook.Decision{Verdict: hook.Ask, Reason: "WHY-ANSWER"})
		}, 0, "codex gemini opencode qwen"},
		{"a denial with a notice", func(d dialect.Dialect, e hook.Event) hook.Answer {
			return d.Answer(e, hook.Decision{Verdict: hook.Deny, Reason: "WHY-ANSWER", Notice: "N"})
		}, 0, "codex gemini opencode qwen"},
		{"a fault", func(d dialect.Dialect, e hook.Event) hook.Answer { return d.Fault(e, "WHY-ANSWER", true) }, 0, "codex gemini opencode qwen"},
		{"a fault that is let pass", func(d dialect.Dialect, e hook.Event) hook.Answer { return d.Fault(e, "WHY-ANSWER", false) }, 0, ""},
		{"a denial with one more member", func(d dialect.Dialect, e hook.Event) hook.Answer {
			a := deny(d, e)
			a.Stdout = strings.Replace(a.Stdout, "{", `{"extra":1,`, 1)
			return a
		}, 0, "gemini opencode qwen"},
		{"a denial and status 2", func(d dialect.Dialect, e hook.Event) hook.Answer {
			a := deny(d, e)
			a.Status = 2
			return a
		}, 0, "gemini opencode"},
		{"text before a denial", func(d dialect.Dialect, e hook.Event) hook.Answer {
			a := deny(d, e)
			a.Stdout = "note\n" + a.Stdout
			return a
		}, 0, ""},
		{"status 2 without a text", plain("", "", 2), 0, "opencode"},
		{"status 1", plain("", "WHY-ANSWER", 1), 0, ""},
		{"status 3", plain("", "WHY-ANSWER", 3), 0, "gemini"},
		{"no JSON", plain("{no", "", 0), 0, ""},
		{"no answer in time", deny, 17, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, of := range specimens {
				t.Run(of.name, func(t *testing.T) {
					w := newWorld(t, of, ruleFiles("command"), forbidden(of))
					d, e := of.event(t, hook.BeforeTool)
					w.canned(e.Name, c.answer(d, e), c.sleep, false)
					of.ask(w, "do the work")
					if refused := strings.Contains(c.refused, of.name); w.exists("forbidden") == refused {
						t.Errorf("forbidden exists: %v; want refused: %v", w.exists("forbidden"), refused)
					} else if refused && !strings.Contains(c.name, "status 2") {
						w.received("WHY-ANSWER")
					}
				})
			}
		})
	}
}

// TestContexts gives each agent as long a context as there is at every event that takes
// one, and refuses a stop by a fault.
func TestContexts(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command"), replies(does(of.shell("echo one")), ends("first end"), ends("second end")))
			var want []string
			for kind, name := range map[hook.Kind]string{hook.SessionStart: "START", hook.Prompt: "PROMPT", hook.BeforeTool: "BEFORE", hook.AfterTool: "AFTER"} {
				d, e := of.event(t, kind)
				if kind == hook.BeforeTool && d.Late() {
					continue
				}
				text := "CTX-" + name + strings.Repeat(" word", 950) + " MIDDLE-" + name + strings.Repeat(" word", 950) + " END-" + name
				want = append(want, "CTX-"+name, "MIDDLE-"+name, "END-"+name)
				w.canned(e.Name, d.Answer(e, hook.Decision{Verdict: hook.Context, Context: text}), 0, true)
			}
			if of.name != "opencode" { // whose stop comes after the answer
				d, e := of.event(t, hook.Stop)
				w.canned(e.Name, d.Fault(e, "WHY-STOP", true), 0, true)
				want = append(want, "WHY-STOP")
			}
			of.ask(w, "do the work")
			w.received(want...)
		})
	}
}
