package real_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// covered compares the exit status of an audit and the receipt for Codex's own logs: the calls and those that a hook
// checked, and why others were not.
func (w *world) covered(status int, want string) {
	w.Helper()
	var report struct {
		Sessions []struct {
			Coverage struct {
				Calls, Checked int
				Reasons        map[string]int
			}
		}
	}
	o := w.run("rulecheck", "audit", "--coverage", "--format", "json")
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil || o.status != status {
		w.Fatalf("exit status %d, %v\n%s%s", o.status, err, o.stdout, o.stderr)
	}
	calls, checked, reasons := 0, 0, map[string]int{}
	for _, s := range report.Sessions { // of subagents, too
		calls, checked = calls+s.Coverage.Calls, checked+s.Coverage.Checked
		for reason, n := range s.Coverage.Reasons {
			reasons[reason] += n
		}
	}
	parts := []string{fmt.Sprintf("%d of %d", checked, calls)}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		parts = append(parts, fmt.Sprintf("%d %s", reasons[reason], reason))
	}
	if got := strings.Join(parts, ", "); got != want {
		w.Errorf("coverage: %s; want %s", got, want)
	}
}

// TestCodeMode lets Codex run JavaScript that calls its tools.
func TestCodeMode(t *testing.T) {
	long(t)
	run := func(script string) reply {
		return does(call{name: "exec", namespace: "functions", input: "const r = await " + script + "; text(r);"})
	}
	w := newWorldWith(t, codex, ruleFiles("command", "protected", "echo", "changelog"), replies(
		run(`tools.exec_command({cmd: "touch forbidden"})`),
		run(`tools.apply_patch(`+text(addFile("protected/a.txt", "no"))+`)`),
		run(`tools.mcp__probe__echo({text: "hi"})`),
		run(`tools.apply_patch(`+text(addFile("new.txt", "hello"))+`)`),
		ends("first end"), ends("second end"),
	), map[string]string{"model": "gpt-6.1-sol"})
	codex.ask(w, "do the work")
	if w.exists("forbidden") || w.exists("protected") || w.read("new.txt") != "hello\n" {
		t.Errorf("forbidden %v, protected %v, new.txt %q", w.exists("forbidden"), w.exists("protected"), w.read("new.txt"))
	}
	w.received("WHY-COMMAND", "WHY-PATH", "WHY-MCP", "WHY-STOP")
	if diff := cmp.Diff([]string{"deny:command", "deny:protected", "deny:echo", "allow"}, w.decided(hook.BeforeTool)); diff != "" {
		t.Errorf("before tools (-want +got):\n%s", diff)
	}
	w.covered(0, "1 of 1") // the log has no refused calls of a script
	if diff := cmp.Diff([]string{"block:changelog", "allow"}, w.decided(hook.Stop)); diff != "" {
		t.Errorf("stops (-want +got):\n%s", diff)
	}
}

// TestCodexPatch writes a protected file with a patch in the shell, for which Codex has
// only the event of a command.
func TestCodexPatch(t *testing.T) {
	long(t)
	patch := func(name string) reply {
		return does(codex.shell("apply_patch <<'EOF'\n" + addFile(name, "x") + "EOF\n"))
	}
	w := newWorld(t, codex, ruleFiles("protected"), replies(patch("protected/a.txt"), patch("new.txt"), ends("the end")))
	codex.ask(w, "do the work")
	w.covered(0, "2 of 2")
	if w.exists("protected") || !w.exists("new.txt") {
		t.Errorf("protected exists: %v, new.txt exists: %v; want the first patch refused alone", w.exists("protected"), w.exists("new.txt"))
	}
	w.received("WHY-PATH")
}

// TestCodexInput types a command into a shell that runs, for which Codex has no event.
func TestCodexInput(t *testing.T) {
	long(t)
	session := regexp.MustCompile(`session ID (\d+)`)
	for name, guarded := range map[string]bool{"with rules": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".rulecheck/rules/none.md": "---\ntrigger: never\n---\nNothing.\n"}
			if guarded { // Codex cannot ask: without this key the call only gets a context
				files = map[string]string{".rulecheck/rules/command.md": "---\ntool: {command_pattern: \"touch forbidden\", opaque: deny, effect: deny}\n---\nWHY-COMMAND\n"}
			}
			w := newWorld(t, codex, files, func(turn int, received string) reply {
				switch turn {
				case 0:
					return does(call{name: "exec_command", args: object{"cmd": "bash", "tty": true, "yield_time_ms": 500}})
				case 1:
					id := "0"
					if found := session.FindAllStringSubmatch(received, -1); found != nil {
						id = found[len(found)-1][1]
					}
					return does(call{name: "write_stdin", args: object{"session_id": number(id), "chars": "touch forbidden\n", "yield_time_ms": 500}})
				}
				return ends("the end")
			})
			codex.ask(w, "do the work")
			if w.exists("forbidden") == guarded {
				t.Errorf("forbidden exists: %v; want it only without a rule", w.exists("forbidden"))
			}
			if guarded {
				w.covered(3, "1 of 2, 1 opaque") // what was typed is unknown, and there is no other rule
				w.received("waits for commands that the line does not have")
			} else {
				w.covered(0, "1 of 2, 1 opaque")
			}
			for _, row := range w.journal() {
				if strings.Contains(row.Tool, "stdin") {
					t.Errorf("%+v; want no event: docs/agents.md lists the hole", row)
				}
			}
		})
	}
}

// TestCompaction shortens a conversation: Codex starts the session again, and gets its
// context again.
func TestCompaction(t *testing.T) {
	long(t)
	w := newWorldWith(t, codex, ruleFiles("changelog"), replies(
		does(codex.shell("echo hello > new.txt")), ends("first end"), does(codex.shell("echo more")), ends("second end"),
	), map[string]string{"top": "model_auto_compact_token_limit = 1500\n"})
	codex.ask(w, "do the work")
	if diff := cmp.Diff([]string{"allow", "context"}, w.decided(hook.SessionStart)); diff != "" {
		t.Errorf("starts of the session (-want +got):\n%s", diff)
	}
	if n := w.snapshots(); n != 1 {
		t.Errorf("%d snapshots; want one", n)
	}
	w.received("WHY-STOP")
}
