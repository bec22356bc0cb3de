package real_test

import (
	stdcmp "cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// rules are the rules of the repository that agents work in.
var rules = map[string]string{
	"command":   "---\ntool: {command_pattern: \"touch forbidden\", effect: deny}\n---\nWHY-COMMAND\n",
	"protected": "---\ntool: {paths: \"protected/**\", effect: deny}\n---\nWHY-PATH\n",
	"echo":      "---\ntool: {mcp_tools: \"probe:echo\", effect: deny}\n---\nWHY-MCP\n",
	"careful":   "---\ntool: {command_pattern: \"echo careful\", effect: warn}\n---\nCTX-WARN\n",
	"asked":     "---\ntool: {command_pattern: \"touch asked\", effect: ask}\n---\nWHY-ASK\n",
	"changelog": "---\npair: {trigger: new.txt, expects: CHANGELOG.md}\ncompare_to: prompt\n---\nWHY-STOP\n",
	"old":       "---\ntrigger: old.txt\ncompare_to: prompt\n---\nWHY-OLD\n",
	"format":    "---\ntrigger: new.txt\naction: {command: \"sed -i s/hello/formatted/ {file}\"}\n---\n",
}

// ruleFiles returns the files of rules.
func ruleFiles(names ...string) map[string]string {
	files := map[string]string{}
	for _, name := range names {
		files[".rulecheck/rules/"+name+".md"] = rules[name]
	}
	return files
}

// TestTurn is one prompt to each agent, in which every kind of decision is made.
func TestTurn(t *testing.T) {
	for _, of := range specimens {
		t.Run(of.name, func(t *testing.T) {
			files := ruleFiles("command", "protected", "echo", "careful", "asked", "changelog", "old", "format")
			w := newWorld(t, of, files, replies(
				does(of.shell("touch forbidden")),
				does(of.write("protected/a.txt", "no\n")),
				does(of.echo("hi")),
				does(of.shell("touch asked")),
				does(of.shell("echo careful")),
				does(of.write("new.txt", "hello\n")),
				ends("first end"),
				does(of.write("CHANGELOG.md", "- new\n")),
				ends("second end"),
			))
			w.file("project/old.txt", "changed before the prompt\n")
			o := of.ask(w, "do the work")
			for _, name := range []string{"forbidden", "protected", "asked"} {
				if w.exists(name) {
					t.Errorf("%s exists; want the call refused", name)
				}
			}
			if got := w.read("new.txt"); got != "formatted\n" {
				t.Errorf("new.txt is %q; want it written, and formatted at the stop", got)
			}
			if got := w.read("CHANGELOG.md"); got != "- new\n" {
				t.Errorf("CHANGELOG.md is %q; want it written after the refusal", got)
			}
			w.received("WHY-COMMAND", "WHY-PATH", "WHY-MCP", "WHY-ASK", "CTX-WARN", "WHY-STOP", "first end", "`new.txt` → `CHANGELOG.md`")
			w.notReceived("WHY-OLD", "echo: hi")
			if turns, _ := w.model.heard(); turns != 9 {
				t.Errorf("the model was asked %d times; want 9: a stop refused once and then allowed", turns)
			}
			if n := w.snapshots(); n != 1 {
				t.Errorf("%d snapshots; want one: of the prompt, and none of the refusal that comes back", n)
			}
			before := []string{"deny:command", "deny:protected", "deny:echo", "ask:asked", "context:careful", "allow", "allow"}
			if diff := cmp.Diff(before, w.decided(hook.BeforeTool)); diff != "" {
				t.Errorf("before tools (-want +got):\n%s", diff)
			}
			if got := w.decided(hook.AfterTool); len(got) != 3 {
				t.Errorf("after tools: %v; want three calls", got)
			}
			if diff := cmp.Diff([]string{"block:changelog", "allow"}, w.decided(hook.Stop)); diff != "" {
				t.Errorf("stops (-want +got):\n%s", diff)
			}
			for _, row := range w.journal() {
				if row.Adapter != of.name || row.Fault != "" || row.Session == "" || row.Cwd != w.project {
					t.Errorf("a row of the journal: %+v", row)
				}
			}
			if got := w.decided(hook.Prompt); len(got) != 1 {
				t.Errorf("%d prompts in the journal; want one", len(got))
			}
			w.audited(7)
			if of.name == "codex" { // the logs of the others are not read
				w.covered(0, "7 of 7")
			}
			offered := w.model.offered()
			if len(offered) < 3 {
				t.Errorf("tools %v; want those that the agent offers", offered)
			}
			for _, name := range offered {
				// The reader of Codex's logs looks into calls of write_stdin itself.
				if _, known := profile.KindOf(name); !known && name != "write_stdin" && !strings.HasSuffix(name, "echo") {
					t.Errorf("the tool %s is not in the table of tools", name)
				}
			}
			t.Logf("%.1f s, exit status %d", o.seconds, o.status)
		})
	}
}

// audited audits the journal, which is to have so many calls that are all read.
func (w *world) audited(calls int) {
	w.Helper()
	o := w.run("rulecheck", "audit", "--strict", "--format", "json", ".git/rulecheck/journal")
	if o.status != 0 || strings.Contains(o.stdout, `"unknown_tool"`) {
		w.Errorf("audit of the journal: exit status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
	ids := map[string]bool{}
	for i, row := range w.journal() {
		if row.Event == string(hook.BeforeTool) {
			ids[stdcmp.Or(row.ID, strconv.Itoa(i))] = true // Gemini CLI has no ids
		}
	}
	if len(ids) != calls {
		w.Errorf("%d calls in the journal; want %d", len(ids), calls)
	}
	if slices.Contains(w.decided(hook.Other), "deny") {
		w.Error("an event without an effect was refused")
	}
}
