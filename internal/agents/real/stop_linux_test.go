package real_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// varied returns a text that no other turn has: Gemini CLI ends turns of a model that
// repeats itself without asking it again.
func varied(turn int) string {
	var words []string
	for i := 1; i < 20; i++ {
		words = append(words, strconv.Itoa((turn+1)*i*7919%9973))
	}
	return strings.Join(words, " ")
}

// long skips a test that the short part does not need.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the short part of these tests")
	}
}

// TestNeverForEver lets a model change a file after each refusal and never do what it is
// asked for: each stop has a new finding.
func TestNeverForEver(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("changelog"), func(turn int, _ string) reply {
				if turn%2 == 0 && turn < 60 {
					return does(of.write("new.txt", varied(turn)+"\n"))
				}
				return ends(varied(turn))
			})
			if of.name == "codex" { // apply_patch adds a file once
				w.model.script = func(turn int, _ string) reply {
					if turn%2 == 0 && turn < 60 {
						return does(of.shell("echo " + varied(turn) + " > new.txt"))
					}
					return ends(varied(turn))
				}
			}
			of.ask(w, "do the work")
			want := []string{"block:changelog", "block:changelog", "block:changelog", "allow"}
			if diff := cmp.Diff(want, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			if n := w.snapshots(); n != 1 {
				t.Errorf("%d snapshots; want one", n)
			}
		})
	}
}

// TestPromise ends a stop with a promise.
func TestPromise(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("changelog"), replies(
				does(of.write("new.txt", "hello\n")), ends("first end"), ends("Not needed. <promise>changelog</promise>"),
			))
			of.ask(w, "do the work")
			if diff := cmp.Diff([]string{"block:changelog", "allow"}, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			if list := w.must("find", ".git/rulecheck/queue", "-name", "*.passed.json"); len(strings.Fields(list)) != 1 {
				t.Errorf("passed entries: %q; want one", list)
			}
		})
	}
}

// TestPrompts gives two prompts to one session: each has its snapshot.
func TestPrompts(t *testing.T) {
	long(t)
	for _, of := range []specimen{codex, gemini, qwen} {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("changelog", "command"), replies(
				does(of.write("new.txt", "hello\n")), ends("<promise>changelog</promise>"), does(of.shell("touch forbidden")), ends("second end"),
			))
			of.ask(w, "do the work")
			w.options["resume"] = "yes"
			of.ask(w, "do more")
			if n := w.snapshots(); n != 2 {
				t.Errorf("%d snapshots; want one for each prompt", n)
			}
			if diff := cmp.Diff([]string{"allow", "allow"}, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			sessions := map[string]bool{}
			for _, row := range w.journal() {
				sessions[row.Session] = true
			}
			if len(sessions) != 1 || w.exists("forbidden") {
				t.Errorf("sessions %v, forbidden %v; want one session whose call is refused", sessions, w.exists("forbidden"))
			}
		})
	}
}

// TestOpenFindings shows a new session what an earlier one left open.
func TestOpenFindings(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("changelog"), replies(does(of.write("new.txt", "hello\n")), ends("first end"), ends("second end"), ends("third end")))
			of.ask(w, "do the work")
			if diff := cmp.Diff([]string{"block:changelog", "allow"}, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			w.notReceived("open in this repository")
			of.ask(w, "do more")
			w.received("open in this repository", "- changelog")
		})
	}
}

// TestSlowCommand formats for longer than a tool call may take.
func TestSlowCommand(t *testing.T) {
	long(t)
	slow := map[string]string{".rulecheck/rules/slow.md": "---\ntrigger: new.txt\naction: {command: [sh, -c, 'if grep -q hello \"$1\"; then sleep 16; sed -i s/hello/formatted/ \"$1\"; fi', sh, \"{file}\"], timeout: 60s}\n---\n"}
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, slow, replies(does(of.write("new.txt", "hello\n")), ends("first end")))
			of.ask(w, "do the work")
			if got := w.read("new.txt"); got != "formatted\n" {
				t.Errorf("new.txt is %q; want it formatted", got)
			}
			if got := w.decided(hook.Stop); !slices.Equal(got, []string{"allow"}) {
				t.Errorf("stops: %v", got)
			}
		})
	}
}
