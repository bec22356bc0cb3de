package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// upstream makes the repository that is checked out: a branch that breaks rules and
// waives one finding, in its first commit; a fork's that would do away with the
// rules; their merges as GitHub makes them; and a main branch that went on.
const upstream = `
git init -q
git config uploadpack.allowAnySHA1InWant true
commit() { git add -A; git commit -qm "$1" ${2:+-m "$2"}; }
page() { mkdir -p "$(dirname "$1")"; echo "$2" >"$1"; }
page .rulecheck/rules/created.md "$(printf -- '---\nname: Pages\ncreated: src/**\n---\nDocument new files.')"
page .rulecheck/rules/pairing.md "$(printf -- '---\npair: {trigger: "src/{path}.py", expects: "tests/{path}_test.py"}\nlevel: warning\n---\nTest it.')"
page src/a.py a; page tests/a_test.py a
commit base
git tag fork-point
page docs.md one; commit 'main goes on'
git tag before-merge

git switch -qc topic fork-point
page src/b.py b; commit 'add b' 'Rulecheck-Waive: pairing generated code'
for i in 1 2 3 4; do page notes.md $i; commit "note $i"; done
page src/c.py c; commit 'add c'

git switch -qc fork fork-point
rm -r .rulecheck; page src/d.py d
commit 'no more rules' 'Rulecheck-Waive: created trust me'

for branch in topic fork; do
	git switch -q --detach before-merge
	git merge -q --no-ff -m "Merge $branch" $branch
	git update-ref refs/pull/$branch/merge HEAD
done
git switch -qc long before-merge
for i in $(seq 40); do git commit -q --allow-empty -m "step $i"; done
page src/f.py f; commit 'at last'
git switch -qc queue before-merge
git merge -q --no-ff -m 'Merge topic' topic
git switch -q --orphan unrelated
page .rulecheck/rules/created.md "$(printf -- '---\ncreated: src/**\n---\nDocument new files.')"
page src/e.py e; commit unrelated
git switch -q main
page src/later.py later; commit 'later'
`

// checkout does the same as actions/checkout for a ref; depth 0 fetches all history.
const checkout = `
git init -q
git remote add origin "$URL"
sha=$(git -C "$UPSTREAM" rev-parse "$REF")
name=${REF#refs/heads/}
if [ "$DEPTH" = 0 ]; then git fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*'; fi
case $REF in
refs/heads/*)
	git fetch -q --no-tags ${DEPTHFLAG} origin "+$sha:refs/remotes/origin/$name"
	git checkout -q --force -B "$name" "refs/remotes/origin/$name" ;;
*)
	git fetch -q --no-tags ${DEPTHFLAG} origin "+$sha:refs/remotes/${REF#refs/}"
	git checkout -q --force "refs/remotes/${REF#refs/}" ;;
esac`

// hosted is an upstream with the action, built once.
type hosted struct {
	action  action
	dir     string // the upstream
	env     []string
	program string
}

func host(t *testing.T) hosted {
	t.Helper()
	return hostOf(t, upstream)
}

// hostOf makes the upstream by a script, and builds the program.
func hostOf(t *testing.T, script string) hosted {
	t.Helper()
	needBash(t)
	h := hosted{action: readAction(t), dir: filepath.Join(t.TempDir(), "someone", "project"), env: isolated(t, t.TempDir())}
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	sh(t, h.env, h.dir, script)
	project, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	build := runner{action: h.action, dir: h.dir, temp: t.TempDir(), github: map[string]any{"action_path": project}}
	build.action.Runs.Steps = slices.DeleteFunc(slices.Clone(h.action.Runs.Steps), func(s step) bool { return s.ID != "source" && s.ID != "build" })
	h.program = filepath.Join(build.run(t).steps["source"]["directory"], "rulecheck")
	if _, err := os.Stat(h.program); err != nil {
		t.Fatal("the action did not build the program: ", err)
	}
	return h
}

func (h hosted) commit(t *testing.T, ref string) string {
	t.Helper()
	return sh(t, h.env, h.dir, "git rev-parse '"+ref+"'")
}

func (h hosted) checkOut(t *testing.T, ref string, depth int) string {
	t.Helper()
	dir := t.TempDir()
	flag := ""
	if depth > 0 {
		flag = fmt.Sprintf("--depth=%d", depth)
	}
	sh(t, append(h.env, "UPSTREAM="+h.dir, "URL=file://"+h.dir, "REF="+ref, fmt.Sprintf("DEPTH=%d", depth), "DEPTHFLAG="+flag), dir, checkout)
	return dir
}

func (h hosted) run(t *testing.T, dir string, github map[string]any, inputs map[string]string) ran {
	t.Helper()
	github = maps.Clone(github)
	event := maps.Clone(github["event"].(map[string]any))
	event["repository"] = map[string]any{"default_branch": "main"}
	github["repository"], github["event"] = "someone/project", event
	github["server_url"] = "file://" + filepath.Dir(filepath.Dir(h.dir))
	if github["sha"] == nil {
		github["sha"] = sh(t, h.env, dir, "git rev-parse HEAD")
	}
	return runner{action: h.action, program: h.program, dir: dir, temp: t.TempDir(), github: github, inputs: inputs}.run(t)
}

func (h hosted) pullRequest(t *testing.T, branch, from string) map[string]any {
	t.Helper()
	return map[string]any{
		"event_name": "pull_request", "base_ref": "main", "sha": h.commit(t, "refs/pull/"+branch+"/merge"),
		"event": map[string]any{"pull_request": map[string]any{
			"title": "T", "body": nil, "user": map[string]any{"login": "octocat"}, "labels": []any{},
			"head": map[string]any{"sha": h.commit(t, branch), "repo": map[string]any{"full_name": from}},
			"base": map[string]any{"ref": "main"},
		}},
	}
}

// pushed is the event of a push to the branch topic.
func (h hosted) pushed(before string) map[string]any {
	return map[string]any{"event_name": "push", "event": map[string]any{"before": before}}
}

// TestAction runs the scripts of the action.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program for each event")
	}
	h := host(t)
	t.Run("events", func(t *testing.T) { testActionOnEvents(t, h) })
	t.Run("inputs", func(t *testing.T) { testActionInputs(t, h) })
	t.Run("base", func(t *testing.T) { testActionOnBase(t, h) })
	t.Run("no history", func(t *testing.T) { testActionWithoutHistory(t, h) })
}

// testActionOnEvents runs the action on each event there is, in checkouts of each
// depth: the verdict does not depend on the depth.
func testActionOnEvents(t *testing.T, h hosted) {
	t.Helper()
	all := []string{"::error file=src/b.py,line=1,title=Pages", "::error file=src/c.py,line=1,title=Pages", "::warning file=src/c.py,line=1,title=pairing"}
	forked := []string{"::error file=src/d.py,line=1,title=Pages", "::warning file=src/d.py,line=1,title=pairing"}
	zeros := strings.Repeat("0", 40)
	for _, test := range []struct {
		name, ref string
		github    map[string]any
		base      string // part of the log
		want      []string
		waived    string // part of the log
	}{
		{
			"pull request", "refs/pull/topic/merge", h.pullRequest(t, "topic", "someone/project"),
			"first parent of the pull request's merge into main (GitHub)", all, "waived: pairing: src/b.py:1 → tests/b_test.py: generated code",
		},
		{
			"pull request, its own commit", "refs/heads/topic", h.pullRequest(t, "topic", "someone/project"),
			"merge base with origin/main (base of the pull request, GitHub)", all, "waived: pairing: src/b.py:1",
		},
		{
			"pull request from a fork", "refs/pull/fork/merge", h.pullRequest(t, "fork", "stranger/project"),
			"first parent of the pull request's merge into main (GitHub)", forked, "not waived: created: src/d.py:1: trust me",
		},
		{
			"push", "refs/heads/topic", h.pushed(h.commit(t, "topic~3")),
			"commit before the push (GitHub)",
			[]string{"::error file=src/c.py,line=1,title=Pages", "::warning file=src/c.py,line=1,title=pairing"},
			"",
		},
		{
			"first push", "refs/heads/topic", h.pushed(zeros),
			"merge base with origin/main (default branch, GitHub)", all, "waived: pairing: src/b.py:1",
		},
		{
			// the commit that was replaced is no longer on a branch
			"forced push", "refs/heads/topic", h.pushed(sh(t, h.env, h.dir, "git commit-tree -p fork-point -m replaced fork-point^{tree}")),
			"commit before the push (GitHub)", all, "waived: pairing: src/b.py:1",
		},
		{
			"merge group", "refs/heads/queue",
			map[string]any{"event_name": "merge_group", "event": map[string]any{"merge_group": map[string]any{"base_sha": h.commit(t, "before-merge")}}},
			"base of the merge group (GitHub)", all, "waived: pairing: src/b.py:1",
		},
		{
			"started by hand", "refs/heads/topic",
			map[string]any{"event_name": "workflow_dispatch", "event": map[string]any{"inputs": nil}},
			"merge base with origin/main (default branch, GitHub)", all, "waived: pairing: src/b.py:1",
		},
	} {
		for _, depth := range []int{0, 1, 2} {
			t.Run(fmt.Sprintf("%s/depth %d", test.name, depth), func(t *testing.T) {
				t.Parallel()
				got := h.run(t, h.checkOut(t, test.ref, depth), test.github, nil)
				if diff := cmp.Diff(test.want, annotated(got.stdout)); diff != "" {
					t.Errorf("annotations (-want +got):\n%s%s", diff, got.stdout)
				}
				if !strings.Contains(got.stdout, ", "+test.base+"\n") || !strings.Contains(got.stdout, test.waived) {
					t.Errorf("want the base %q and %q in the log:\n%s", test.base, test.waived, got.stdout)
				}
				if !strings.HasPrefix(got.summary, "The following rules require attention:\n") || !strings.Contains(got.summary, "Document new files.") {
					t.Errorf("summary:\n%s", got.summary)
				}
				want := map[string]string{"findings": strconv.Itoa(len(test.want)), "exit-code": "1", "sarif-file": got.outputs["sarif-file"]}
				if diff := cmp.Diff(want, got.outputs); diff != "" || !got.failed {
					t.Errorf("outputs (-want +got):\n%s failed %v", diff, got.failed)
				}
				if n := results(t, got.outputs["sarif-file"]); n < len(test.want) {
					t.Errorf("SARIF has %d results, want %d", n, len(test.want))
				}
			})
		}
	}
}

// annotated are the annotations that a log makes, up to their text.
func annotated(log string) (list []string) {
	for line := range strings.Lines(log) {
		if command, ok := strings.CutPrefix(line, "::"); ok {
			command, _, _ = strings.Cut(command, "::")
			list = append(list, "::"+command)
		}
	}
	return list
}

// results counts those of a SARIF file.
func results(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []json.RawMessage `json:"results"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, run := range log.Runs {
		n += len(run.Results)
	}
	return n
}

func testActionInputs(t *testing.T, h hosted) {
	t.Helper()
	hand := func() map[string]any {
		return map[string]any{"event_name": "workflow_dispatch", "event": map[string]any{}}
	}
	for _, test := range []struct {
		name     string
		github   map[string]any
		ref      string
		inputs   map[string]string
		exitCode string
		findings string
		log      string
	}{
		{name: "clean", github: hand(), ref: "refs/heads/main", exitCode: "0", findings: "0", log: "passed: "},
		{name: "since a branch", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"since": "fork"}, exitCode: "1", findings: "3", log: "merge base with origin/fork"},
		{name: "since a branch by its whole name", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"since": "origin/main"}, exitCode: "1", findings: "3", log: "merge base with origin/main"},
		{name: "since a commit", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"since": "HEAD"}, exitCode: "0", findings: "0", log: "merge base with HEAD"},
		{name: "since the target", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"since": "target"}, exitCode: "1", findings: "3", log: "merge base with refs/remotes/origin/main"},
		{
			name: "a merge queue that merges the last group alone", ref: "refs/heads/queue", inputs: map[string]string{"since": "target"},
			github: map[string]any{"event_name": "merge_group", "event": map[string]any{"merge_group": map[string]any{
				"base_sha": h.commit(t, "queue"), "base_ref": "refs/heads/main",
			}}},
			exitCode: "1", findings: "3", log: "merge base with refs/remotes/origin/main",
		},
		{name: "since nothing", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"since": "nosuch"}, exitCode: "3", findings: "", log: "unknown revision"},
		{name: "fail on a note", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"args": "--only pairing"}, exitCode: "0", findings: "1"},
		{name: "fail on warnings", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"args": " --only  pairing\n", "fail-on": "warning"}, exitCode: "1", findings: "1"},
		{name: "formats", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"format": "text\nmarkdown=report.md"}, exitCode: "1", findings: "3", log: "error: Pages (created)"},
		{name: "a fork that is trusted", github: h.pullRequest(t, "fork", "stranger/project"), ref: "refs/pull/fork/merge", inputs: map[string]string{"rules-from": "HEAD"}, exitCode: "2", findings: "", log: "no rules in .rulecheck/rules"},
		{name: "a branch that gives rules up", github: h.pullRequest(t, "fork", "someone/project"), ref: "refs/pull/fork/merge", exitCode: "2", findings: "", log: "no rules in .rulecheck/rules"},
		{name: "a repository that is gone", github: h.pullRequest(t, "fork", ""), ref: "refs/pull/fork/merge", exitCode: "1", findings: "2", log: "This code is not known to be the repository's own"},
		{name: "sessions", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"sessions": "nosuch/a b.jsonl"}, exitCode: "2", findings: ""},
		{name: "bad usage", github: hand(), ref: "refs/heads/topic", inputs: map[string]string{"fail-on": "fatal"}, exitCode: "2", findings: ""},
		{name: "more history than is fetched at first", github: hand(), ref: "refs/heads/long", exitCode: "1", findings: "2", log: "merge base with origin/main (default branch, GitHub)"},
		{name: "no common history", github: hand(), ref: "refs/heads/unrelated", exitCode: "3", findings: "", log: "no merge base with origin/main"},
		{
			name: "words that are code to a shell", github: h.pullRequest(t, "topic", "$(touch pwned)"), ref: "refs/heads/topic",
			inputs: map[string]string{"since": "$(touch pwned)`touch pwned`\"; touch pwned", "args": "--only $(touch${IFS}pwned)", "format": "github; touch pwned"}, exitCode: "2", findings: "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := h.checkOut(t, test.ref, 1)
			got := h.run(t, dir, test.github, test.inputs)
			if got.outputs["exit-code"] != test.exitCode || got.outputs["findings"] != test.findings || got.failed != (test.exitCode != "0") {
				t.Errorf("outputs %v, failed %v; want exit code %s and %q findings\n%s", got.outputs, got.failed, test.exitCode, test.findings, got.stdout)
			}
			if !strings.Contains(got.stdout, test.log) {
				t.Errorf("want %q in the log:\n%s", test.log, got.stdout)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a value was run as a script")
			}
			if _, err := os.Stat(filepath.Join(dir, "report.md")); (err == nil) != (test.name == "formats") {
				t.Errorf("report.md: %v", err)
			}
		})
	}
}

// testActionOnBase checks that a checked-out base is not taken for the pull request: on
// this event GitHub checks out nothing else.
func testActionOnBase(t *testing.T, h hosted) {
	t.Helper()
	event := h.pullRequest(t, "topic", "stranger/project")
	event["event_name"] = "pull_request_target"
	got := h.run(t, h.checkOut(t, "refs/heads/main", 1), event, nil)
	if !got.failed || got.outputs["exit-code"] != "3" || got.outputs["findings"] != "" || got.outputs["sarif-file"] != "" ||
		!strings.Contains(got.stdout, "run this workflow on pull_request") {
		t.Errorf("outputs %v, failed %v, log:\n%s", got.outputs, got.failed, got.stdout)
	}
	got = h.run(t, h.checkOut(t, "refs/heads/topic", 1), event, nil)
	if got.outputs["exit-code"] != "1" || !strings.Contains(got.stdout, "This code is not known to be the repository's own") {
		t.Errorf("the pull request's own commit: outputs %v, log:\n%s", got.outputs, got.stdout)
	}
}

// testActionWithoutHistory checks that an incomplete history never passes.
func testActionWithoutHistory(t *testing.T, h hosted) {
	t.Helper()
	dir := h.checkOut(t, "refs/pull/topic/merge", 1)
	sh(t, h.env, dir, "git remote set-url origin file:///nowhere/someone/project")
	got := h.run(t, dir, h.pullRequest(t, "topic", "someone/project"), nil)
	for _, want := range []string{
		"::warning title=rulecheck::The base could not be fetched; check out with fetch-depth: 0\n",
		"the parents of the pull request's merge commit are not in this shallow clone; run: git fetch --depth=2 origin",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("want %q in the log:\n%s", want, got.stdout)
		}
	}
	if got.outputs["exit-code"] != "3" || got.outputs["findings"] != "" || got.outputs["sarif-file"] != "" || !got.failed {
		t.Errorf("outputs %v, log:\n%s", got.outputs, got.stdout)
	}
}
