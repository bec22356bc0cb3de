package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// momentRules has one rule file for each of the modes.
var momentRules = map[string]string{
	"pair":      "pair: {trigger: \"src/{name}.go\", expects: \"docs/{name}.md\"}",
	"set":       "set: [\"a/{name}.txt\", \"b/{name}.txt\"]",
	"created":   "created: \"new/*.sql\"",
	"forbid":    "forbid: {files: \"lib/**\", lines: \"TODO\"}",
	"need":      "need: {files: \"lic/**\", lines: \"^SPDX\"}",
	"protected": "tool: {paths: \"protected/**\", effect: deny}",
	"shell":     "tool: {tools: Bash, command_pattern: \"^make deploy\", effect: deny}",
}

// A moment is one at which the rules of a repository are checked.
type moment struct {
	name  string
	calls bool // it knows the tool calls that rules deny
	files bool // it knows how the files changed
	found func(*momentAgent) []string
}

// moments are all moments, with what each can know. Rules about calls need a call, which no
// commit has; rules about changes need what the files are in the end, which no single call shows.
var moments = []moment{
	{"before a tool call", true, false, func(a *momentAgent) []string { return a.denied }},
	{"the stop", false, true, (*momentAgent).stop},
	{"the working tree", false, true, func(a *momentAgent) []string { return a.check() }},
	{"the commit hook", false, true, func(a *momentAgent) []string { a.repo.Git("add", "-A"); return a.check("--staged") }},
	{"the pull request", false, true, func(a *momentAgent) []string {
		a.repo.Commit("work")
		return a.check("--from", "main", "--to", "HEAD")
	}},
	{"the branch", false, true, func(a *momentAgent) []string { return a.check() }},
	{"the journal", true, true, (*momentAgent).journal},
	{"the audit of the agent's log", true, false, func(a *momentAgent) []string { return a.audit() }},
	{"the audit of log and journal", true, false, func(a *momentAgent) []string { return a.audit(".git/rulecheck/journal") }},
}

// momentAgent is a scripted agent that works in a repository.
type momentAgent struct {
	*testing.T
	*rand.Rand

	repo   *gittest.Repository
	obeys  bool // its denied calls are not made
	base   map[string]string
	files  map[string]string
	denied []string // the rules that denied a call
	wanted []string // the rules that deny a call by the model
	log    bytes.Buffer
	at     time.Time
	calls  int
}

// TestMoments lets scripted agents make random changes. Each is checked at every moment that
// rulecheck has, and the rules that are violated are the same at all of them that can know it,
// and those of a model. MOMENTS is the number of agents; MOMENT_SEED selects one.
func TestMoments(t *testing.T) {
	t.Parallel()
	first, seeds := 0, lawtest.Cases(t, "MOMENTS", 8)
	if os.Getenv("MOMENT_SEED") != "" {
		first, seeds = lawtest.Cases(t, "MOMENT_SEED", 0), 1
	}
	violated := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		a := newMomentAgent(t, seed)
		a.work()
		calls, files := a.wanted, a.model()
		for _, m := range moments {
			var want []string
			if m.files {
				want = append(want, files...)
			}
			// An agent that obeys leaves no denied call in its log.
			if m.calls && (!a.obeys || !strings.HasPrefix(m.name, "the audit")) {
				want = append(want, calls...)
			}
			if got, want := sorted(m.found(a)), sorted(want); !slices.Equal(got, want) {
				t.Errorf("MOMENT_SEED=%d: %s: %v; want %v; files %v", seed, m.name, got, want, a.changed())
			}
		}
		for _, rule := range sorted(append(calls, files...)) {
			violated[rule]++
		}
	}
	t.Logf("%d agents; violated: %v", seeds, violated)
}

func sorted(rules []string) []string { return slices.Compact(slices.Sorted(slices.Values(rules))) }

func newMomentAgent(t *testing.T, seed int) *momentAgent {
	t.Helper()
	a := &momentAgent{T: t, Rand: rand.New(rand.NewPCG(uint64(seed), 1)), repo: gittest.New(t), base: map[string]string{}, at: time.Now().UTC()}
	a.obeys = a.IntN(2) == 0
	for id, keys := range momentRules {
		a.repo.Rule(id, "---\n"+keys+"\n---\nFollow it.\n")
	}
	for _, name := range a.names() {
		if a.IntN(2) == 0 {
			a.base[name] = a.text(name)
			a.repo.Write(name, a.base[name])
		}
	}
	a.repo.Commit("base")
	a.repo.Git("branch", "-M", "main")
	a.repo.Git("checkout", "-q", "-b", "work")
	a.files = maps.Clone(a.base)
	return a
}

func (*momentAgent) names() []string {
	var names []string
	for _, name := range []string{"src/%s.go", "docs/%s.md", "a/%s.txt", "b/%s.txt", "new/%s.sql", "lib/%s.go", "lic/%s.go", "protected/%s", "other/%s"} {
		for _, stem := range []string{"x", "y z"} {
			names = append(names, fmt.Sprintf(name, stem))
		}
	}
	return names
}

// text returns a random text that belongs to one file, so that none is a rename of another and
// no line moves.
func (a *momentAgent) text(name string) string {
	lines := []string{name}
	for range 4 {
		lines = append(lines, fmt.Sprintf("%s line %d", name, a.IntN(4)))
	}
	for _, line := range []string{"TODO in " + name, "SPDX-License-Identifier: MIT"} {
		if a.IntN(2) == 0 {
			lines = slices.Insert(lines, a.IntN(len(lines)+1), line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// work makes random calls, each as an agent does: the hook before it, the call unless it was
// denied to an agent that obeys, the hook after it, and the rows of the log.
func (a *momentAgent) work() {
	a.hook(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt_id": "p", "prompt": "work"})
	for range 1 + a.IntN(6) {
		names := a.names()
		name := names[a.IntN(len(names))]
		text := a.text(name)
		switch a.IntN(6) {
		case 0:
			a.call("Bash", map[string]any{"command": []string{"make deploy", "make test", "cd src && make deploy --now"}[a.IntN(3)]}, func() {})
		case 1:
			a.call("Bash", map[string]any{"command": "rm -f '" + name + "'"}, func() {
				_ = os.Remove(a.path(name)) // it may be missing
				delete(a.files, name)
			})
		case 2:
			a.call("Bash", map[string]any{"command": fmt.Sprintf("cat > '%s' <<'END'\n%sEND\n", name, text)}, func() {
				a.repo.Write(name, text)
				a.files[name] = text
			})
		default:
			a.call("Write", map[string]any{"file_path": a.path(name), "content": text}, func() {
				a.repo.Write(name, text)
				a.files[name] = text
			})
		}
	}
}

// call makes one tool call.
func (a *momentAgent) call(tool string, input map[string]any, do func()) {
	a.calls++
	id := fmt.Sprintf("toolu_%d", a.calls)
	a.at = a.at.Add(time.Second)
	command, _ := input["command"].(string)
	path, _ := input["file_path"].(string)
	if strings.Contains(command, "make deploy") {
		a.wanted = append(a.wanted, "shell")
	} else if strings.Contains(command+path, "protected/") {
		a.wanted = append(a.wanted, "protected")
	}
	call := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": id}
	answer := a.hook(with(call, "hook_event_name", "PreToolUse"))
	denied := strings.Contains(answer, `"permissionDecision":"deny"`)
	if denied {
		for rule := range momentRules {
			if strings.Contains(answer, `"permissionDecisionReason":"`+rule+": ") {
				a.denied = append(a.denied, rule)
			}
		}
	}
	a.row(map[string]any{"type": "assistant", "message": map[string]any{"id": "msg_" + id, "role": "assistant", "content": []any{
		map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input},
	}}})
	result := map[string]any{"type": "tool_result", "tool_use_id": id, "content": "ok"}
	row := map[string]any{"type": "user"}
	if denied && a.obeys {
		result["is_error"], result["content"] = true, "Hook PreToolUse:"+tool+" denied this tool"
		if a.IntN(2) == 0 {
			result["content"], row["toolDenialKind"] = "rule: Follow it.", "permission-rule"
		}
	} else {
		do()
		a.hook(with(call, "hook_event_name", "PostToolUse", "tool_response", map[string]any{}))
	}
	a.at = a.at.Add(time.Second)
	a.row(with(row, "message", map[string]any{"role": "user", "content": []any{result}}))
}

func with(m map[string]any, pairs ...any) map[string]any {
	m = maps.Clone(m)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// row adds a row to the agent's log.
func (a *momentAgent) row(row map[string]any) {
	text, err := json.Marshal(with(row, "sessionId", "s-1", "cwd", a.repo.Dir, "timestamp", a.at.Format(time.RFC3339Nano), "uuid", fmt.Sprintf("%s-%d", row["type"], a.calls)))
	if err != nil {
		a.Fatal(err)
	}
	a.log.Write(append(text, '\n'))
}

// hook sends an event and returns the answer.
func (a *momentAgent) hook(payload map[string]any) string {
	text, err := json.Marshal(with(payload, "session_id", "s-1", "cwd", a.repo.Dir))
	if err != nil {
		a.Fatal(err)
	}
	answer := runHook(a.T, a.repo.Dir, bytes.NewReader(text), "claude")
	if answer.Status != 0 || answer.Stderr != "" {
		a.Fatalf("%s: status %d, %s", text, answer.Status, answer.Stderr)
	}
	return answer.Stdout
}

// stop returns the rules with which a stop is refused.
func (a *momentAgent) stop() []string {
	answer := struct{ Decision, Reason string }{}
	if text := a.hook(map[string]any{"hook_event_name": "Stop", "prompt_id": "p", "stop_hook_active": false}); text != "" {
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Decision != "block" {
			a.Fatalf("%s, %v", text, err)
		}
	}
	var rules []string
	for line := range strings.Lines(answer.Reason) {
		if rule, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

// run runs rulecheck and returns its standard output.
func (a *momentAgent) run(args ...string) []byte {
	self, err := os.Executable()
	if err != nil {
		a.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.Cmd{Path: self, Args: append([]string{"rulecheck"}, args...), Dir: a.repo.Dir, Stdout: &out, Stderr: &errs, Env: append(os.Environ(), "CI=", "GITHUB_ACTIONS=")}
	_ = cmd.Run()
	if status := cmd.ProcessState.ExitCode(); status > 1 || errs.Len() > 0 {
		a.Fatalf("rulecheck %q: status %d, %s%s", args, status, &errs, &out)
	}
	return out.Bytes()
}

// check returns the rules that a check finds violated.
func (a *momentAgent) check(args ...string) []string {
	return a.findings(a.run(append(args, "--format", "json")...))
}

func (a *momentAgent) findings(text []byte) []string {
	var report struct {
		Findings []struct{ Rule string }
		Errors   []any
	}
	if err := json.Unmarshal(text, &report); err != nil || len(report.Errors) > 0 {
		a.Fatalf("%s, %v", text, err)
	}
	var rules []string
	for _, f := range report.Findings {
		rules = append(rules, f.Rule)
	}
	return rules
}

// journal returns the rules that the journal of the hooks names. A refused stop names one: the
// others are in its queue, which holds what was reported to the agent.
func (a *momentAgent) journal() []string {
	var session struct {
		Decisions []struct{ Kind, Rule string }
	}
	if err := json.Unmarshal(a.run("journal", "s-1", "--format", "json"), &session); err != nil {
		a.Fatal(err)
	}
	var rules []string
	for _, d := range session.Decisions {
		rules = append(rules, d.Rule)
	}
	entries, err := filepath.Glob(a.path(".git/rulecheck/queue/*.queued.json"))
	if err != nil {
		a.Fatal(err)
	}
	for _, name := range entries {
		text, err := os.ReadFile(name)
		var entry struct {
			Rule string `json:"rule_name"`
		}
		if err != nil || json.Unmarshal(text, &entry) != nil {
			a.Fatalf("%s: %v", name, err)
		}
		rules = append(rules, entry.Rule)
	}
	return rules
}

// audit returns the rules that an audit of the agent's log, and of others, finds violated.
func (a *momentAgent) audit(others ...string) []string {
	log := filepath.Join(a.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(log, a.log.Bytes(), 0o600); err != nil {
		a.Fatal(err)
	}
	return a.findings(a.run(append([]string{"audit", log, "--no-cache", "--format", "json"}, others...)...))
}

// changed returns the names of the files that differ from base.
func (a *momentAgent) changed() []string {
	var names []string
	for _, name := range a.names() {
		before, was := a.base[name]
		if after, is := a.files[name]; was != is || before != after {
			names = append(names, name)
		}
	}
	return names
}

// model returns the rules about changes that are violated, by what the documentation promises.
func (a *momentAgent) model() []string {
	changed := map[string]bool{}
	for _, name := range a.changed() {
		changed[name] = true
	}
	var rules []string
	for name := range changed {
		dir, file := filepath.Split(name)
		stem := strings.TrimSuffix(file, filepath.Ext(file))
		_, was := a.base[name]
		text, is := a.files[name]
		violates := map[string]bool{
			"src/": !changed["docs/"+stem+".md"],
			"a/":   !changed["b/"+stem+".txt"],
			"b/":   !changed["a/"+stem+".txt"],
			"new/": !was && is,
			"lib/": strings.Contains(text, "TODO") && !strings.Contains(a.base[name], "TODO"),
			"lic/": is && !strings.Contains(text, "SPDX"),
		}[dir]
		if violates {
			rules = append(rules, map[string]string{"src/": "pair", "a/": "set", "b/": "set", "new/": "created", "lib/": "forbid", "lic/": "need"}[dir])
		}
	}
	return rules
}

func (a *momentAgent) path(name string) string {
	return filepath.Join(a.repo.Dir, filepath.FromSlash(name))
}
