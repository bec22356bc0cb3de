//go:build bench

package main_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// hookRuns is how often each hook is measured, the hooks taking turns.
const hookRuns = 200

// hookCommand is a hook, whose payload differs from run to run.
type hookCommand struct {
	says     string
	argv     []string
	payload  func(n int) map[string]any // nil: none
	answered string                     // what its answer has; empty: it has none
	runs     int                        // if fewer
	dir      string                     // if another
}

// TestBenchmarkPeerHooks measures whole processes that answer events of an agent, next to other
// programs that do.
func TestBenchmarkPeerHooks(t *testing.T) {
	program, at := programs(t)
	dir, changes := hookRepository(t), generate(t, 1500, 150, 50)
	call := func(command string) func(int) map[string]any {
		return func(n int) map[string]any {
			return map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": fmt.Sprint(command, " ", n)}, "tool_use_id": fmt.Sprint(command, n)}
		}
	}
	hook := []string{program, "hook", "claude"}
	hooks := []hookCommand{
		{says: "rulecheck version", argv: []string{program, "version"}, answered: "rulecheck"},
		{says: "rulecheck hook claude, a call that no rule is about", argv: hook, payload: call("go test ./... | tail -")},
		{says: "rulecheck hook claude, a call that is denied", argv: hook, payload: call("git push --force; echo "), answered: `"deny"`},
		{says: "rulecheck hook claude, a stop with 50 rules about changes", argv: hook, runs: 30, dir: changes, payload: func(n int) map[string]any {
			return map[string]any{"hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": fmt.Sprint("done ", n), "background_tasks": []any{}}
		}},
	}
	var remarks []string
	for _, p := range []struct {
		name string
		hookCommand
	}{
		{"cc-safety-net", hookCommand{says: "cc-safety-net hook --claude-code, a call that is denied", argv: []string{at("cc-safety-net"), "hook", "--claude-code"}, payload: call("git push --force; echo "), answered: `"deny"`, runs: 50}},
		{"lefthook", hookCommand{says: "lefthook run pre-tool, which can deny nothing", argv: []string{at("lefthook"), "run", "pre-tool"}, payload: call("go test ./... | tail -"), runs: 50}},
	} {
		if _, err := os.Stat(at(p.name)); err != nil {
			remarks = append(remarks, fmt.Sprintf("`%s` could not be installed where this was measured.", p.name))
			continue
		}
		hooks = append(hooks, p.hookCommand)
	}
	times := make([][]time.Duration, len(hooks))
	for n := range hookRuns {
		for i, h := range hooks {
			if h.runs == 0 || n < h.runs {
				times[i] = append(times[i], h.run(t, cmp.Or(h.dir, dir), n))
			}
		}
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "\n## Hooks of agents: 1500 files, 50 rules about tool calls or about changes\n\n| hook | median ms | 99 %% ms |\n|---|--:|--:|\n")
	for i, h := range hooks {
		sorted := slices.Sorted(slices.Values(times[i]))
		fmt.Fprintf(&doc, "| `%s` | %.1f | %.1f |\n", h.says, milliseconds(times[i]), float64(sorted[len(sorted)*99/100])/1e6)
	}
	calls := times[1]
	fmt.Fprintf(&doc, "\nThe last tenth of these calls took %.2f times as long as the first.\n", milliseconds(calls[len(calls)*9/10:])/milliseconds(calls[:len(calls)/10]))
	for _, remark := range remarks {
		doc.WriteString("\n" + remark + "\n")
	}
	record(t, doc.String())
}

// run runs a hook once, and returns its time.
func (h hookCommand) run(t *testing.T, dir string, n int) time.Duration {
	t.Helper()
	var in []byte
	if h.payload != nil {
		payload := h.payload(n)
		payload["session_id"], payload["prompt_id"], payload["cwd"] = "bench", "p", dir
		payload["transcript_path"] = "/home/a/.claude/projects/x/bench.jsonl"
		var err error
		if in, err = json.Marshal(payload); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	cmd := exec.Command(h.argv[0], h.argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, bytes.NewReader(in), &out
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir, "CI=", "GITHUB_ACTIONS=")
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err != nil || h.answered == "" && strings.Contains(out.String(), "deny") || !strings.Contains(out.String(), h.answered) {
		t.Fatalf("%s: %v, %s", h.says, err, &out)
	}
	return took
}

// hookRepository has rules about tool calls.
func hookRepository(t *testing.T) string {
	t.Helper()
	dir := generate(t, 1500, 150, 1)
	forms := []string{
		"tool: {command_pattern: '^git push( --[a-z-]+)* --force( |$)', effect: deny}",
		"tool: {command_pattern: '^terraform apply( -[a-z-]+)* %d', command_not_pattern: 'plan', effect: ask}",
		"tool: {paths: 'protected%d/**', effect: deny}",
		"tool: {tools: [WebFetch%d], effect: warn}",
	}
	files := map[string]string{"lefthook.yml": "output: false\npre-tool:\n  commands:\n    check:\n      run: 'true'\n"}
	for i := range 50 {
		form := forms[i%4]
		if strings.Contains(form, "%d") {
			form = fmt.Sprintf(form, i)
		}
		files[fmt.Sprintf(".rulecheck/rules/tool%02d.md", i)] = "---\n" + form + "\n---\nAsk a person.\n"
	}
	writeFiles(t, dir, files)
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "tools")
	return dir
}
