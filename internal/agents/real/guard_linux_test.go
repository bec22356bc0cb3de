package real_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// TestKinds refuses a forced push by each agent's own shell and a write by its own editor,
// under rules with the names of kinds: the first is the first example of docs/tool-rules.md.
func TestKinds(t *testing.T) {
	files := map[string]string{
		".rulecheck/rules/no-push.md":    "---\ntool:\n  tools: [Bash]\n  command_pattern: ^git push( --[a-z-]+)* --force( |$)\n  effect: deny\n---\nWHY-PUSH\n",
		".rulecheck/rules/migrations.md": "---\ntool: {tools: [Edit, Write], paths: \"migrations/**\", effect: deny}\n---\nWHY-MIGRATION\n",
	}
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, files, replies(
				does(of.shell("git push -f origin main && touch pushed")),
				does(of.write("migrations/1.sql", "drop\n")),
				does(of.shell("git push origin main")),
				does(of.write("new.txt", "hello\n")),
				ends("the end"),
			))
			w.must("git", "init", "-q", "--bare", w.dir+"/remote.git")
			w.must("git", "remote", "add", "origin", w.dir+"/remote.git")
			o := of.ask(w, "do the work")
			if w.exists("pushed") || w.exists("migrations") {
				t.Errorf("pushed: %v, migrations: %v; want both calls refused", w.exists("pushed"), w.exists("migrations"))
			}
			if !w.exists("new.txt") || w.must("git", "ls-remote", "origin", "refs/heads/main") == "" {
				t.Error("want a file written and a plain push done")
			}
			w.received("WHY-PUSH", "WHY-MIGRATION")
			if diff := cmp.Diff([]string{"deny:no-push", "deny:migrations", "allow", "allow"}, w.decided(hook.BeforeTool)); diff != "" {
				t.Errorf("before tools (-want +got):\n%s", diff)
			}
			t.Logf("%.1f s", o.seconds)
		})
	}
}

// gate is the workflow of docs/workflows.md that is complete once the tests passed.
var gate = map[string]string{
	".rulecheck/policies/test_tracking.rego": `# METADATA
# title: Test runs
# description: Sets tests_passed by the last run of the tests since an edit.
# custom:
#   events: [after_tool]
#   params: {program: {type: string, default: make}}
#   vars: {tests_passed: false}
package rulecheck.behaviors.test_tracking

updates.tests_passed := false if {
	input.tool_kind == "file_edit"
} else := input.succeeded if {
	some command in input.command.commands
	command.name == input.with.program
	"test" in command.argv
}
`,
	".rulecheck/workflows/careful.yaml": `observers:
  - {name: tests, behavior: test_tracking, with: {program: make}}
nodes:
  code:
    prompt: Write the code.
    exit_when: vars.tests_passed
    transitions:
      - {when: "true", to: done}
`,
	"Makefile": "test:\n\ttest -e passes\n",
}

// TestGate runs tests that fail, and then pass. Codex passes no outcome of commands.
func TestGate(t *testing.T) {
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, gate, replies(
				does(of.shell("make test")), ends("first end"), ends("first end"), ends("first end"), ends("first end"),
			))
			w.must("rulecheck", "workflow", "start", "careful")
			of.ask(w, "do the work")
			if o := w.run("rulecheck", "workflow", "next"); o.status == 0 || !strings.Contains(o.stdout+o.stderr, "cannot be left") {
				t.Errorf("after a test that failed: exit status %d\n%s%s", o.status, o.stdout, o.stderr)
			}
			w.file("project/passes", "")
			w.model.restart(replies(does(of.shell("make test")), ends("second end")))
			of.ask(w, "go on")
			o := w.run("rulecheck", "workflow", "next")
			if states := of.name != "codex"; states != (o.status == 0) || states != strings.Contains(o.stdout, "is complete") {
				t.Errorf("after a test that passed: exit status %d\n%s%s", o.status, o.stdout, o.stderr)
			} else if !states && !strings.Contains(o.stdout, "passes hooks no outcome of commands") {
				t.Errorf("the gate stays closed and does not say why:\n%s%s", o.stdout, o.stderr)
			}
		})
	}
}

// TestInterrupted interrupts an agent after an edit: the stop of the next turn sees the edit.
func TestInterrupted(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("changelog"), nil)
			w.model.restart(func(turn int, _ string) reply {
				if turn == 0 {
					return does(of.write("new.txt", "hello\n"))
				}
				w.interrupt()
				return reply{never: true} // a reply could end the turn before the interrupt does
			})
			of.ask(w, "do the work")
			if got := w.decided(hook.Stop); len(got) > 0 {
				t.Errorf("stops: %v; want none of an interrupted turn", got)
			}
			w.model.restart(replies(ends("first end"), ends("second end")))
			w.options["resume"] = "yes"
			of.ask(w, "continue")
			if diff := cmp.Diff([]string{"block:changelog", "allow"}, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			sessions := map[string]bool{}
			for _, row := range w.journal() {
				sessions[row.Session] = true
			}
			if len(sessions) != 1 {
				t.Errorf("sessions %v; want one", sessions)
			}
		})
	}
}

// TestRulesVanish lets the agent check out a commit without rules and without hooks.
func TestRulesVanish(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command", "changelog"), nil)
			empty := strings.TrimSpace(w.must("git", "commit-tree", "-m", "empty", strings.TrimSpace(w.must("git", "hash-object", "-w", "-t", "tree", "/dev/null"))))
			w.model.restart(replies(
				does(of.shell("git checkout -qf "+empty)), does(of.shell("touch forbidden")), does(of.write("new.txt", "hello\n")), ends("first end"), ends("second end"), ends("third end"),
			))
			of.ask(w, "do the work")
			if w.exists(".rulecheck") || w.exists("forbidden") || !w.exists("new.txt") {
				t.Errorf(".rulecheck: %v, forbidden: %v, new.txt: %v; want only the last", w.exists(".rulecheck"), w.exists("forbidden"), w.exists("new.txt"))
			}
			w.received("WHY-COMMAND", "WHY-STOP")
			stops := w.decided(hook.Stop)
			if len(stops) > 4 || !slices.Contains(stops, "block:changelog") || stops[len(stops)-1] != "allow" {
				t.Errorf("stops: %v", stops)
			}
		})
	}
}

// interrupt ends the agent's turn as its user would.
func (w *world) interrupt() {
	w.running.Lock()
	defer w.running.Unlock()
	if w.abort != nil {
		w.abort()
	} else if w.group != 0 {
		_ = syscall.Kill(-w.group, syscall.SIGINT)
	}
}
