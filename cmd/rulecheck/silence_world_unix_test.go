//go:build unix

package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// reason is a rule and the change that breaks it. All rules are in every repository; only
// one is broken.
type reason struct {
	id, rule string
	change   map[string]string
	session  bool
	workflow bool // the rule is in a workflow
}

var reasons = []reason{
	{id: "trigger", rule: "trigger: 'a/**'\n", change: map[string]string{"a/x.txt": "x\n"}},
	{id: "set", rule: "set: ['b/{name}.py', 'b/{name}_test.py']\n", change: map[string]string{"b/x.py": "x\n"}},
	{id: "pair", rule: "pair: {trigger: 'c/**', expects: docs/c.md}\n", change: map[string]string{"c/x.py": "x\n"}},
	{id: "created", rule: "created: 'd/*.py'\n", change: map[string]string{"d/x.py": "x\n"}},
	{id: "todo", rule: "todo: 'e/**'\n", change: map[string]string{"e/x.py": "x TODO\n"}},
	{id: "when", rule: "trigger: 'f/**'\nwhen: change.added(\"f/*.py\")\n", change: map[string]string{"f/x.py": "x\n"}},
	{id: "tip", rule: "trigger: 'g/**'\ncompare_to: default_tip\n", change: map[string]string{"g/x.py": "x\n"}},
	{id: "command", rule: "trigger: 'h/**'\naction: {command: [sh, -c, 'exit 1']}\n", change: map[string]string{"h/x.py": "x\n"}},
	{id: "loop", rule: "repeated_command: {pattern: ^make, threshold: 3, window: 600}\nagent: claude\n", change: withPhases(transcript("make all", 10)), session: true},
	{id: "edits", rule: "repeated_file_edit: {path_pattern: 'loop', threshold: 3, window: 600}\n", change: withPhases(transcript("edit", 10)), session: true},
	{id: "budget", rule: "token_budget: {max_tokens: 1000}\n", change: withPhases(transcript("ls", 500)), session: true},
	{id: "time", rule: "phase_timeout: {max_duration: 60}\n", change: withPhases(slow(transcript("ls", 10))), session: true},
	{id: "node", change: withPhases(transcript("ninja", 10)), session: true, workflow: true},
}

// session1 is the id of the session in the log.
const session1 = "aaaa1111-0000-4000-8000-000000000001"

// transcript returns the log of a session that does something four times. Each time uses a
// number of tokens.
func transcript(what string, tokens int) map[string]string {
	var b strings.Builder
	for i := range 4 {
		tool := fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}`, i, what)
		if what == "edit" {
			tool = fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Edit","input":{"file_path":"/repo/loop.go","old_string":"a","new_string":"b"}}`, i)
		}
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"u%[1]d","sessionId":%[2]q,"cwd":"/repo","timestamp":"2026-01-01T00:00:0%[1]dZ","message":{"id":"m%[1]d","role":"assistant","content":[%[3]s],"usage":{"input_tokens":%[4]d,"output_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}}}`+"\n", i, session1, tool, tokens)
		fmt.Fprintf(&b, `{"type":"user","uuid":"r%[1]d","sessionId":%[2]q,"cwd":"/repo","timestamp":"2026-01-01T00:00:0%[1]d.5Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":"ok"}]}}`+"\n", i, session1)
	}
	return map[string]string{"logs/new/" + session1 + ".jsonl": b.String()}
}

// slow moves the last rows of a log by half an hour.
func slow(change map[string]string) map[string]string {
	for name, text := range change {
		change[name] = strings.ReplaceAll(text, "T00:00:03", "T00:30:03")
	}
	return change
}

// withPhases adds the journals of a workflow, which name the session.
func withPhases(change map[string]string) map[string]string {
	change["logs/new/states.jsonl"] = `{"from_node":"START","mode":"build","phase":"code","timestamp":"2025-12-31T23:59:59Z","to_node":"code","workflow_id":"2025-12-31T23:59:59Z"}` + "\n"
	change["logs/new/hooks.jsonl"] = `{"timestamp":"2026-01-01T00:00:00Z","session_id":"` + session1 + `","event_type":"session_start","cwd":"/repo","adapter":"claude_code"}` + "\n"
	return change
}

const (
	configuration = "default_branch: trunk\nsessions: [logs]\nfail_on: error\n"
	policy        = "# METADATA\n# title: No TODO\n# description: no added line says TODO\n# custom:\n#   params: {todo: patterns}\n#   facts: [matches, added_lines]\n" +
		"package rulecheck.modes.todo\n\nviolations contains {\"path\": match.path} if {\n\tsome match in input.matches.todo\n\tsome line in match.change.added_lines\n\tcontains(line.text, \"TODO\")\n}\n"
	buildWorkflow = "nodes:\n  code:\n    prompt: Write.\n    rules:\n      - repeated_command: {pattern: ^ninja, threshold: 3, window: 600}\n"
)

// layout is a way to run rulecheck on the same change.
type layout struct {
	name      string
	args      []string
	committed bool // the change is committed
	staged    bool // the change is staged
	sparse    bool
	commit    bool // a real commit runs rulecheck
	reads     head // what is checked
	audit     bool // only logs are checked
	vars      []string
}

// head names the tree that a run checks.
type head int

const (
	worktree head = iota
	index
	commit
)

var layouts = []layout{
	{name: "worktree"},
	{name: "branch", committed: true},
	{name: "since", committed: true, args: []string{"--since", "trunk"}},
	{name: "staged", staged: true, args: []string{"--staged"}, reads: index},
	{name: "commits", committed: true, args: []string{"--from", "trunk", "--to", "HEAD"}, reads: commit},
	{name: "hook", staged: true, commit: true, reads: index},
	{name: "framework", committed: true, args: []string{"--staged"}, reads: commit, vars: []string{"PRE_COMMIT=1", "PRE_COMMIT_FROM_REF=trunk", "PRE_COMMIT_TO_REF=HEAD"}},
	{name: "all files", committed: true, args: []string{"--staged"}, reads: worktree, vars: []string{"PRE_COMMIT=1"}},
	{name: "pull request", committed: true, args: []string{"--to", "HEAD"}, reads: commit, vars: []string{"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request", "GITHUB_BASE_REF=trunk", "GITHUB_EVENT_PATH=$DIR/.git/event.json"}},
	{name: "push", committed: true, args: []string{"--to", "HEAD"}, reads: commit, vars: []string{"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push", "GITHUB_EVENT_PATH=$DIR/.git/push.json"}},
	{name: "sparse", sparse: true},
	{name: "sparse commits", sparse: true, committed: true, args: []string{"--from", "trunk", "--to", "HEAD"}, reads: commit},
	{name: "audit", committed: true, args: []string{"audit", "--strict", "logs/new"}, audit: true},
}

func (l layout) env(dir string) []string {
	env := make([]string, len(l.vars))
	for i, v := range l.vars {
		env[i] = strings.ReplaceAll(v, "$DIR", dir)
	}
	return env
}

func (l layout) program(s *silence) string {
	if l.commit {
		return "git"
	}
	return s.program
}

func (l layout) commandLine(args []string) []string {
	if l.commit {
		return []string{"commit", "-q", "-m", "change"}
	}
	return args
}

// silentWorld builds a repository.
type silentWorld struct {
	*silence

	dir string
}

func (w *silentWorld) git(args ...string) {
	w.Helper()
	if out, status := w.run(w.dir, nil, nil, "git", args...); status != 0 {
		w.Fatalf("git %s: %s", strings.Join(args, " "), out)
	}
}

func (w *silentWorld) write(name, text string) {
	w.Helper()
	full := filepath.Join(w.dir, name)
	w.must(os.MkdirAll(filepath.Dir(full), 0o755))
	w.must(os.WriteFile(full, []byte(text), 0o644))
	w.own()
}

// own gives all files to the user who runs the program.
func (w *silentWorld) own() {
	if os.Getuid() != 0 {
		return
	}
	w.must(filepath.WalkDir(w.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, stranger, stranger)
	}))
}

func (w *silentWorld) build(reason reason, layout layout) {
	w.Helper()
	w.must(os.Mkdir(w.dir, 0o755))
	w.own()
	w.git("init", "-q", "-b", "trunk")
	for _, r := range reasons {
		if r.rule != "" {
			w.write(".rulecheck/rules/"+r.id+".md", "---\n"+r.rule+"---\nLook at it.\n")
		}
	}
	w.write(".rulecheck/config.yml", configuration)
	w.write(".rulecheck/policies/todo.rego", policy)
	w.write(".rulecheck/workflows/build.yaml", buildWorkflow)
	w.write("logs/old.jsonl", `{"type":"user","uuid":"u","sessionId":"old","cwd":"/repo","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}`+"\n")
	w.write("docs/c.md", "c\n")
	w.write("b/y.py", "y\n")
	w.git("add", "-A")
	w.git("commit", "-qm", "base")
	w.git("branch", "other")
	w.git("update-ref", "refs/remotes/origin/trunk", "HEAD")
	w.git("remote", "add", "origin", "nowhere")
	w.git("checkout", "-qb", "topic")
	w.write("README.md", "a branch\n")
	w.git("add", "-A")
	w.git("commit", "-qm", "topic")
	if layout.sparse {
		dirs := map[string]bool{"docs": true, "logs": true}
		for name := range reason.change {
			dirs[strings.SplitN(name, "/", 2)[0]] = true
		}
		args := []string{"sparse-checkout", "set", "--cone"}
		for dir := range dirs {
			args = append(args, dir)
		}
		w.git(args...)
	}
	for name, text := range reason.change {
		w.write(name, text)
	}
	if layout.committed || layout.staged {
		w.git("add", "-A")
	}
	if layout.committed {
		w.git("commit", "-qm", "change")
	}
	base, _ := os.ReadFile(filepath.Join(w.dir, ".git/refs/heads/trunk"))
	w.write(".git/event.json", `{"pull_request": {"title": "T", "body": "B", "user": {"login": "o"}, "labels": []}, "repository": {"default_branch": "trunk"}}`)
	w.write(".git/push.json", `{"before": "`+strings.TrimSpace(string(base))+`", "repository": {"default_branch": "trunk"}}`)
	if layout.commit {
		if out, status := w.run(w.dir, nil, nil, w.program, "install", "git"); status != 0 {
			w.Fatal(out)
		}
	}
}

// reset forgets what a run on the template left.
func (w *silentWorld) reset(layout) { w.own() }
