package real_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// forbidden is a turn in which a rule of the repository is broken.
func forbidden(of specimen) func(int, string) reply {
	return replies(does(of.shell("touch forbidden")), ends("the end"))
}

// unguarded reports an agent that was kept from its call, or had any other trouble.
func (w *world) unguarded(o outcome) {
	w.Helper()
	if !w.exists("forbidden") || o.status != 0 {
		w.Errorf("forbidden exists: %v, exit status %d; want the agent at work as without rulecheck\n%s%s", w.exists("forbidden"), o.status, o.stdout, o.stderr)
	}
	w.notReceived("WHY-COMMAND")
}

// TestMissingProgram takes rulecheck away: no agent guards anything then, and none refuses
// prompts.
func TestMissingProgram(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command", "changelog"), forbidden(of))
			w.must("rm", w.dir+"/bin/rulecheck")
			w.options["hooks"] = "none"
			o := of.ask(w, "do the work")
			w.unguarded(o)
			if of.name == "opencode" {
				logs, err := filepath.Glob(w.home + "/.local/share/opencode/log/*")
				if err != nil || len(logs) == 0 {
					t.Fatalf("no log: %v", err)
				}
				w.must(append([]string{"grep", "-q", "rulecheck: Executable not found"}, logs...)...)
			}
		})
	}
}

// TestUninstalled removes the hooks, and restores the settings.
func TestUninstalled(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command"), forbidden(of))
			w.must("rulecheck", "uninstall", of.name)
			changed := strings.Fields(w.must("git", "status", "--porcelain"))
			w.options["hooks"] = "none"
			w.unguarded(of.ask(w, "do the work"))
			if len(changed) != 2 || changed[0] != "D" || len(w.journal()) > 0 {
				t.Errorf("changed %q, journal %v; want the file of the hooks removed, and no event", changed, w.journal())
			}
		})
	}
}

// TestObserved records what would be refused.
func TestObserved(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command", "changelog"), replies(does(of.shell("touch forbidden")), does(of.write("new.txt", "hello\n")), ends("the end")))
			w.must("rulecheck", "install", of.name, "--observe")
			w.options["hooks"] = "observed"
			w.unguarded(of.ask(w, "do the work"))
			if diff := cmp.Diff([]string{"deny:command", "allow"}, w.decided(hook.BeforeTool)); diff != "" {
				t.Errorf("before tools (-want +got):\n%s", diff)
			}
			if got := w.decided(hook.Stop); len(got) == 0 || got[0] != "block:changelog" {
				t.Errorf("stops: %v", got)
			}
			w.notReceived("WHY-STOP")
		})
	}
}

// TestUnreadableRules breaks a rule: calls are refused, and a stop is not.
func TestUnreadableRules(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			files := ruleFiles("command")
			files[".rulecheck/rules/broken.md"] = "---\ntool: {effect: nothing}\n---\nBroken.\n"
			w := newWorld(t, of, files, replies(does(of.shell("touch harmless")), ends("the end")))
			of.ask(w, "do the work")
			if w.exists("harmless") {
				t.Error("harmless exists; want the call refused")
			}
			w.received(".rulecheck/rules/broken.md:2")
			if turns, _ := w.model.heard(); turns != 2 {
				t.Errorf("the model was asked %d times; want 2", turns)
			}
			for _, row := range w.journal() {
				if row.Event == string(hook.BeforeTool) && row.Fault == "" {
					t.Errorf("a row without its fault: %+v", row)
				}
			}
		})
	}
}

// TestTrust leaves out what an agent demands before it runs hooks. The hole is documented.
func TestTrust(t *testing.T) {
	long(t)
	cases := []struct {
		name    string
		of      specimen
		options map[string]string
		env     string
		guarded bool
	}{
		{"codex, project", codex, map[string]string{"trust": "none"}, "", false},
		{"codex, hooks", codex, map[string]string{"hooks": "untrusted"}, "", false},
		{"gemini, flag", gemini, map[string]string{"trust": "none", "flags": "--skip-trust"}, "", false},
		{"gemini, environment", gemini, map[string]string{"trust": "none"}, "GEMINI_CLI_TRUST_WORKSPACE=true", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorldWith(t, c.of, ruleFiles("command"), forbidden(c.of), c.options)
			if c.env != "" {
				w.env = append(w.env, c.env)
			}
			o := c.of.ask(w, "do the work")
			if !c.guarded {
				w.unguarded(o)
				if c.of.name == "codex" {
					w.covered(1, "0 of 1, 1 untrusted") // the audit finds what no hook refused
				}
				return
			}
			w.received("WHY-COMMAND")
			if w.exists("forbidden") {
				t.Error("forbidden exists")
			}
		})
	}
}

// TestParallelCalls makes two calls at once: their hooks run at the same time in Codex.
func TestParallelCalls(t *testing.T) {
	long(t)
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			w := newWorld(t, of, ruleFiles("command"), replies(
				does(of.shell("touch forbidden"), of.shell("touch one"), of.shell("touch two"), of.shell("touch three")), ends("the end"),
			))
			of.ask(w, "do the work")
			if w.exists("forbidden") || !w.exists("one") || !w.exists("two") || !w.exists("three") {
				t.Error("want one, two and three, and not forbidden")
			}
			got := w.decided(hook.BeforeTool)
			slices.Sort(got)
			if diff := cmp.Diff([]string{"allow", "allow", "allow", "deny:command"}, got); diff != "" {
				t.Errorf("before tools (-want +got):\n%s", diff)
			}
			last := w.journal()
			if n := last[len(last)-1].Calls; n != 4 {
				t.Errorf("%d calls counted; want 4", n)
			}
		})
	}
}

// TestSubagents lets a subagent break a rule. Its prompt is not the user's.
func TestSubagents(t *testing.T) {
	long(t)
	scripts := map[string]struct {
		of   specimen
		slug string
		by   call
	}{
		"codex":    {codex, "gpt-5.1-codex", call{name: "spawn_agent", namespace: "multi_agent_v1", args: object{"message": "child: do it"}}},
		"opencode": {opencode, "", call{name: "task", args: object{"description": "child", "prompt": "child: do it", "subagent_type": "general"}}},
	}
	for name, s := range scripts {
		t.Run(name, func(t *testing.T) {
			w := newWorldWith(t, s.of, ruleFiles("command", "changelog"), replies(
				does(s.by), does(s.of.shell("touch forbidden")), does(s.of.shell("touch forbidden")), does(s.of.shell("echo hello > new.txt")), ends("one end"), ends("two end"), ends("three end"),
			), map[string]string{"model": s.slug})
			s.of.ask(w, "do the work")
			if w.exists("forbidden") {
				t.Error("forbidden exists")
			}
			w.received("WHY-COMMAND")
			if n := w.snapshots(); n != 1 {
				t.Errorf("%d snapshots; want one", n)
			}
			if !slices.ContainsFunc(w.journal(), func(r hook.Row) bool { return r.AgentID != "" }) {
				t.Error("no row of a subagent")
			}
			if name == "codex" {
				w.covered(0, "4 of 4")
			}
			var stops []hook.Verdict // of the agent that was asked
			for _, row := range w.journal() {
				if row.Event == string(hook.Stop) && row.AgentID == "" {
					stops = append(stops, row.Verdict)
				}
			}
			// Codex's agents run at once: the first may end before the other writes, and go on once that
			// one has ended.
			blocks := len(stops) - len(slices.DeleteFunc(slices.Clone(stops), func(v hook.Verdict) bool { return v == hook.Block }))
			if exact := name != "codex"; len(stops) == 0 || stops[len(stops)-1] != hook.Allow || blocks > 1 || exact && len(stops) != 2 {
				t.Errorf("stops %v; want one that is refused, and one that is allowed", stops)
			}
		})
	}
}
