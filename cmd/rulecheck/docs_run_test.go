package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// project prepares what the calls in documents name: rules, versions, a branch, logs of agents, a
// list of repositories, keys and earlier reports, and stand-ins for programs that need a network.
const project = `set -e
rule() { printf -- '---\n%s\n---\nLook.\n' "$2" >".rulecheck/rules/$1.md"; }
program() { printf '#!/bin/sh\n%s\n' "$2" >"$HOME/bin/$1" && chmod +x "$HOME/bin/$1"; }
mkdir -p .rulecheck/rules .rulecheck/sessions .rulecheck/workflows .agent src/auth tests docs srv/git srv/logs/ann "$HOME/bin" "$HOME/archive" "$HOME/.claude/projects/x" "$HOME/.ssh"
program gh 'cat repos.json'
program glab 'cat repos.json'
program docker 'while [ "$1" != IMAGE ]; do shift; done; shift; exec rulecheck "$@"'
for name in aws cosign sbatch; do program $name true; done
rule tests "$(printf 'pair: {trigger: "src/auth/{name}.py", expects: "tests/{name}_test.py"}\nlevel: note')"
rule source-test 'pair: {trigger: "tests/{name}_test.py", expects: "src/**/{name}.py"}'
rule docs 'pair: {trigger: "src/**", expects: "docs/*.md"}'
rule readme "$(printf 'trigger: src/**\nsafety: "docs/**"\nlevel: note')"
rule loop 'repeated_command: {threshold: 9, window: 60}'
rule docs-exist "$(printf 'pair: {trigger: "src/**/{name}.py", expects: "docs/{name}.md"}\nrequire: exists')"
rulecheck workflow show --source execution >execution.yaml && mv execution.yaml .rulecheck/workflows/
echo '# Guide' | tee CONTRIBUTING.md AGENTS.md docs/README.md >CHANGELOG.md
echo 'trigger: docs/**' | tee draft.md >src/login.py
echo '# Login' >docs/login.md
save() { echo "$1" | tee src/auth/login.py tests/login_test.py >docs/login.md && git add -A && git commit -q -m "$1"; }
for version in v0.9 v1.0 v1.2 v1.3; do
	for n in 1 2 3 4; do save "Change $version.$n"; done
	git tag "$version"
done
git init -q --bare "$HOME/origin.git" && git remote add origin "$HOME/origin.git" && git push -q origin main
git switch -q -c topic && echo in >src/auth/login.py && echo in >docs/login.md && git commit -q -a -m 'Log in' && echo '# Log' >>CHANGELOG.md
ssh-keygen -q -t ed25519 -N '' -f "$HOME/.ssh/id_ed25519" && echo "me@example.com $(cat "$HOME/.ssh/id_ed25519.pub")" >allowed_signers
at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
entry() { printf '{"type":"%s","sessionId":"3f2a","cwd":"%s","uuid":"%s","timestamp":"%s","message":{"id":"m1","model":"m","role":"%s","content":[%s],"usage":{"input_tokens":1,"output_tokens":1}}}\n' "$1" "$PWD" "$1" "$at" "$1" "$2"; }
{
	entry assistant '{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}'
	entry user '{"type":"tool_result","tool_use_id":"t1","content":"ok"}'
} | tee "$HOME/archive/a.jsonl" srv/logs/ann/a.jsonl >"$HOME/.claude/projects/x/a.jsonl"
printf '{"session_id":"3f2a","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t1"}' "$PWD" | rulecheck hook claude
git clone -q --bare . srv/git/web.git
printf '{"id": "web", "git_dir": "%s/srv/git/web.git"}\n' "$PWD" | tee list.ndjson >repositories.ndjson
echo '[{"full_name": "acme/web", "clone_url": "https://example.org/acme/web.git"}]' >repos.json
git ls-remote --heads origin >refs
rulecheck fleet --list list.ndjson --ledger today/ --ledger-only >/dev/null && cp -R today yesterday && mkdir ledgers
for n in 1 2 3 4 5 6 7 8; do rulecheck fleet --list list.ndjson --shard $n/8 --ledger-only >/dev/null; done
rulecheck --to HEAD --format json=report.json >/dev/null && rulecheck comment report.json >comment.md
rulecheck audit --format json=april.json >/dev/null
`

// notRun matches calls that other tests run: of what serves a program, and of what needs a place
// that documents cannot know.
var notRun = regexp.MustCompile(`^(make |sh scripts/|git clone URL |rulecheck (lsp|mcp|watch|hook [a-z]|workflow|packs (add|update)))|1a2b3c4`)

// otherStatus has the calls that end with another status here.
var otherStatus = map[string]int{
	"README.md: rulecheck init":       3, // there are rules
	"cli.md: rulecheck snapshot show": 2, // all are deleted
}

// TestCallsAreRun runs each call in an "sh" or "bash" block, and the examples of all commands, in
// one repository. Each ends with status 0, except those in otherStatus.
func TestCallsAreRun(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bash", "openssl", "ssh-keygen", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
	c := newConsole(t)
	c.env = append(c.env, "PATH="+filepath.Join(c.home, "bin")+string(os.PathListSeparator)+c.path)
	if out, status := c.run(project); status != 0 {
		t.Fatal(out)
	}
	for _, file := range documents(t) {
		for _, b := range codeBlocks(readDocument(t, file)) {
			example := filepath.Base(file) == "cli.md" && b.language == "text" && !strings.Contains(b.body, " [")
			if b.file != "" || !example && !slices.Contains([]string{"sh", "bash"}, b.language) {
				continue
			}
			for call := range strings.Lines(strings.ReplaceAll(b.body, " \\\n  ", " ")) {
				call, _, _ = strings.Cut(call, "  ") // what follows explains
				call = strings.ReplaceAll(strings.TrimSpace(call), " /srv/", " srv/")
				if call == "" || notRun.MatchString(call) {
					continue
				}
				c.calls++
				if out, status := c.run(call); status != otherStatus[filepath.Base(file)+": "+call] {
					t.Errorf("%s:%d: %s\nexit status %d: %s", filepath.Base(file), b.line, call, status, out)
				}
			}
		}
	}
	if c.calls < 150 {
		t.Errorf("%d calls were run", c.calls)
	}
}
