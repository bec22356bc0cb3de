package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// foreignUpstream makes a repository whose rules became stricter: at "before" there are none,
// at "weak" they are notes that trust the change, and later they are errors. Another author
// branched off both old commits. Pull requests 1 and 2 have these branches; main went on
// after GitHub had merged them. The tags evil1 and evil2 are merges that the author made.
const foreignUpstream = `
git init -q
git config uploadpack.allowAnySHA1InWant true
commit() { git add -A; git commit -qm "$1"; git tag "$2"; }
page() { mkdir -p "$(dirname "$1")"; printf '%s\n' "${@:2}" >"$1"; }
page src/a.py a; commit 'no rules' before
page .rulecheck/rules/created.md --- 'created: src/**' 'level: note' --- 'Document new files.'
page .rulecheck/config.yml 'waivers: {trust: true}' 'commands: {trust_head: true}'; commit weak weak
page .rulecheck/rules/created.md --- 'created: src/**' --- 'Document new files.'
page .rulecheck/config.yml 'fail_on: error'; commit strict strict
for n in 1 2; do
	from=before; [ $n = 1 ] || from=weak
	git switch -qc old$n $from; page src/new$n.py n; commit "Add new$n" head$n
	git update-ref refs/pull/$n/head HEAD
	git switch -q --detach strict; git merge -q --no-ff -m "Merge $n" old$n
	git update-ref refs/pull/$n/merge HEAD
	git switch -q --detach $from; git merge -q --no-ff -m "Merge $n" old$n
	git tag evil$n
done
git switch -q main; page docs.md later; commit later tip
git switch -qc dev; page src/dev.py d; page .rulecheck/rules/created.md --- 'created: src/**' 'level: warning' --- 'Changed.'; commit dev dev
git switch -q --detach tip; git merge -q --no-ff -m 'Merge dev' dev; git update-ref refs/pull/3/merge HEAD; git update-ref refs/pull/3/head dev
git switch -q main
mkdir -p ../../stranger
git clone -q --bare . ../../stranger/project
git -C ../../stranger/project config uploadpack.allowAnySHA1InWant true
git -C ../../stranger/project update-ref refs/heads/main before
`

// TestActionOnForeignCode runs the action on each event with each way to check out the code
// of others: the rules are those of the target branch, wherever the author branched off.
func TestActionOnForeignCode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	h := hostOf(t, foreignUpstream)
	pull := func(event string, n int, from string) map[string]any {
		return map[string]any{
			"event_name": event, "base_ref": map[bool]string{true: "main"}[event == "pull_request" || event == "pull_request_target"],
			"sha": h.commit(t, map[bool]string{true: "main", false: fmt.Sprintf("refs/pull/%d/merge", n)}[event == "pull_request_target"]),
			"event": map[string]any{"pull_request": map[string]any{
				"head":             map[string]any{"sha": h.commit(t, fmt.Sprintf("refs/pull/%d/head", n)), "repo": map[string]any{"full_name": from}},
				"base":             map[string]any{"ref": "main"},
				"merge_commit_sha": h.commit(t, fmt.Sprintf("refs/pull/%d/merge", n)),
			}},
		}
	}
	other := func(event, sha string) map[string]any {
		return map[string]any{"event_name": event, "sha": h.commit(t, sha), "event": map[string]any{}}
	}
	push := func(sha, before string) map[string]any {
		e := other("push", sha)
		e["ref"], e["event"] = "refs/heads/dev", map[string]any{"before": h.commit(t, before)}
		return e
	}
	queue := other("merge_group", "refs/pull/1/merge")
	queue["event"] = map[string]any{"merge_group": map[string]any{"base_sha": h.commit(t, "strict")}}
	queue2 := other("merge_group", "main")
	queue2["event"] = queue["event"]

	const stranger, self, head = "stranger/project", "someone/project", "HEAD"
	type row struct {
		name     string
		github   map[string]any
		checkout string // a ref of the upstream; with "fork:", of the fork
		rules    string // a ref of the upstream; head: the checked code's own; "": nothing could be checked
		exit     string
	}
	rows := []row{
		{"merge ref", pull("pull_request", 1, stranger), "refs/pull/1/merge", "strict", "1"},
		{"merge ref, off weak rules", pull("pull_request", 2, stranger), "refs/pull/2/merge", "strict", "1"},
		{"its own commit", pull("pull_request", 1, stranger), "refs/pull/1/head", "tip", "1"},
		{"its own commit, off weak rules", pull("pull_request", 2, stranger), "refs/pull/2/head", "tip", "1"},
		{"a merge of the author's", pull("pull_request", 1, stranger), "refs/tags/evil1", "tip", "1"},
		{"a merge of the author's, into weak rules", pull("pull_request", 2, stranger), "refs/tags/evil2", "tip", "1"},
		{"a repository that is gone", pull("pull_request", 1, ""), "refs/pull/1/merge", "strict", "1"},
		{"the fork", pull("pull_request", 1, stranger), "fork:refs/heads/old1", "tip", "1"},
		{"the fork, off weak rules", pull("pull_request", 2, stranger), "fork:refs/heads/old2", "tip", "1"},
		{"the fork, said to be the repository", pull("pull_request", 1, self), "fork:refs/heads/old1", "tip", "1"},
		{"target event, merge ref", pull("pull_request_target", 1, stranger), "refs/pull/1/merge", "strict", "1"},
		{"target event, its own commit", pull("pull_request_target", 2, stranger), "refs/pull/2/head", "tip", "1"},
		{"target event, a merge of the author's", pull("pull_request_target", 2, stranger), "refs/tags/evil2", "tip", "1"},
		{"target event, the fork", pull("pull_request_target", 1, stranger), "fork:refs/heads/old1", "tip", "1"},
		{"target event, the base", pull("pull_request_target", 1, stranger), "refs/heads/main", "", "3"},
		{"review, merge ref", pull("pull_request_review", 1, stranger), "refs/pull/1/merge", "strict", "1"},
		{"review, its own commit", pull("pull_request_review", 2, stranger), "refs/pull/2/head", "tip", "1"},
		{"review comment, merge ref", pull("pull_request_review_comment", 2, stranger), "refs/pull/2/merge", "strict", "1"},
		{"review comment, a merge of the author's", pull("pull_request_review_comment", 1, stranger), "refs/tags/evil1", "tip", "1"},
		{"workflow_dispatch at a fork's head", other("workflow_dispatch", "main"), "refs/pull/1/head", "tip", "1"},
		{"workflow_dispatch at a fork's merge", other("workflow_dispatch", "main"), "refs/pull/2/merge", "tip", "1"},
		{"repository_dispatch at a fork's head", other("repository_dispatch", "main"), "refs/pull/2/head", "tip", "1"},
		{"schedule at a fork's head", other("schedule", "main"), "refs/pull/1/head", "tip", "1"},
		{"release at a fork's head", other("release", "main"), "refs/pull/1/head", "tip", "1"},
		{"push with a fork's head", push("dev", "tip"), "refs/pull/1/head", "tip", "1"},
		{"merge group with a fork's head", queue2, "refs/pull/1/head", "strict", "1"},
		{"workflow_dispatch in the fork", other("workflow_dispatch", "head1"), "fork:refs/heads/old1", "tip", "1"},

		{"own pull request, merge ref", pull("pull_request", 3, self), "refs/pull/3/merge", head, "0"},
		{"own pull request, its own commit", pull("pull_request", 3, "Someone/Project"), "refs/pull/3/head", head, "0"},
		{"own pull request, target event", pull("pull_request_target", 3, self), "refs/pull/3/head", head, "0"},
		{"own pull request, a merge into old rules", pull("pull_request", 2, self), "refs/pull/2/merge", head, "1"},
		{"push", push("dev", "tip"), "refs/heads/dev", head, "0"},
		{"merge group", queue, "refs/pull/1/merge", head, "1"},
		{"workflow_dispatch", other("workflow_dispatch", "dev"), "refs/heads/dev", head, "0"},
		{"schedule", other("schedule", "main"), "refs/heads/main", head, "0"},
		{"release", other("release", "tip"), "refs/heads/main", head, "0"},
	}
	for _, event := range []string{"workflow_run", "issue_comment", "unheard_of"} {
		rows = append(
			rows,
			row{event + " at a fork's head", other(event, "main"), "refs/pull/1/head", "tip", "1"},
			row{event + " at a fork's merge", other(event, "main"), "refs/pull/2/merge", "tip", "1"},
			row{event + " in the fork", other(event, "main"), "fork:refs/heads/old2", "tip", "1"},
		)
	}
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			from, ref := h, r.checkout
			if name, ok := strings.CutPrefix(r.checkout, "fork:"); ok {
				ref, from.dir = name, filepath.Join(filepath.Dir(filepath.Dir(h.dir)), "stranger", "project")
			}
			dir := from.checkOut(t, ref, i%2) // shallow and whole clones in turn
			if strings.HasPrefix(r.checkout, "fork:") {
				sh(t, h.env, dir, "git switch -q --detach '"+h.commit(t, "head"+r.checkout[len(r.checkout)-1:])+"'")
			}
			got := h.run(t, dir, r.github, nil)
			if got.outputs["exit-code"] != r.exit || got.failed != (r.exit != "0") {
				t.Errorf("exit code %q, failed %v; want %q\n%s", got.outputs["exit-code"], got.failed, r.exit, got.stdout)
			}
			if r.rules == "" {
				return
			}
			want := sh(t, h.env, dir, "git rev-parse HEAD")
			if r.rules != head {
				want = h.commit(t, r.rules)
			}
			if rules := rulesFrom(t, got.outputs["sarif-file"]); rules != want {
				t.Errorf("the rules are those of %s; want %s (%s)\n%s", rules, want, r.rules, got.stdout)
			}
		})
	}
}

// rulesFrom returns where the rules of a run were read, from its JSON report.
func rulesFrom(t *testing.T, sarif string) string {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(sarif, ".sarif") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		RulesFrom string `json:"rules_from"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	return report.RulesFrom
}

// TestGitLabLines runs the template for GitLab on merge requests from another project, in clones
// as its runner makes them: of a merge request's own commit, and of its merge with the target
// branch.
func TestGitLabLines(t *testing.T) {
	t.Parallel()
	needBash(t)
	_, commands, found := strings.Cut(gitLabCommands(t), " install ./cmd/rulecheck\n")
	if !found {
		t.Fatal("the template has no commands after the installation")
	}
	h := hosted{dir: t.TempDir(), env: isolated(t, t.TempDir())}
	h.dir = filepath.Join(h.dir, "someone", "project")
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	sh(t, h.env, h.dir, foreignUpstream)
	bin := filepath.Dir(asProgram(t))
	for _, ref := range []string{"refs/pull/1/head", "refs/pull/2/head", "refs/pull/1/merge", "refs/pull/2/merge", "refs/tags/evil1", "refs/tags/evil2"} {
		t.Run(ref, func(t *testing.T) {
			dir := t.TempDir()
			sh(t, h.env, dir, "git init -q; git remote add origin 'file://"+h.dir+"'; git fetch -q --no-tags origin +"+ref+":refs/pipelines/1; git checkout -q --detach refs/pipelines/1")
			env := append([]string{}, h.env...)
			env[0] = "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
			out := sh(t, append(env, "CI=true", "GITLAB_CI=true", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_PROJECT_PATH=someone/project", "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=other/project"), dir, "set +e\n"+commands+"\necho status $?")
			want := "1 rule (from " + h.commit(t, "tip")[:7] + ")"
			if !strings.HasSuffix(out, "\nstatus 1") || !strings.Contains(out, "error: created\n") || !strings.Contains(out, want) {
				t.Errorf("want status 1, an error and %q:\n%s", want, out)
			}
		})
	}
}
