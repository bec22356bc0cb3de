package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostedUpstream is a repository as hosts keep it. main went on after pull request 1 (topic)
// and 2 (stacked on topic) were merged for their runs; queue1 and queue2 are the groups of a
// merge queue with both; squashed and rebased are how a queue or train merges without a
// merge commit. The commit "replaced" was on topic before a forced push.
const hostedUpstream = `
git init -q
git config uploadpack.allowAnySHA1InWant true
commit() { git add -A; git commit -qm "$1"; git tag "$1"; }
page() { mkdir -p "$(dirname "$1")"; echo "$1" >"$1"; }
merge() { git switch -q --detach "$1"; git merge -q --no-ff -m "$3" "$2"; git tag "$3"; }
mkdir -p .rulecheck/rules; printf -- '---\ncreated: "src/**"\n---\nDocument new files.\n' >.rulecheck/rules/created.md
commit fork
page src/one; commit one
page src/two; commit two
git switch -qc topic fork
page src/t1; commit t1; page src/t2; commit t2; page src/t3; commit t3
git switch -qc stacked topic
page src/s1; commit s1
git switch -qc release fork
page src/r1; commit r1
merge one topic pull1; git update-ref refs/pull/1/merge HEAD; git update-ref refs/pull/1/head topic; git update-ref refs/merge-requests/1/head topic
merge topic stacked pull2; git update-ref refs/pull/2/merge HEAD
merge r1 topic pull3; git update-ref refs/pull/3/merge HEAD
merge one topic queue1; merge queue1 stacked queue2
git switch -q --detach one; git merge -q --squash topic; commit squashed
git switch -q --detach one; git cherry-pick fork..topic >/dev/null; git tag rebased; git cherry-pick topic..stacked >/dev/null; git tag rebased2
git switch -q --detach t1; page src/replaced; commit replaced; git update-ref refs/keep/replaced HEAD
git switch -q main
`

// The ways in which CI systems check out REF of URL, at DEPTH if that is not 0.
const (
	// As actions/checkout.
	onGitHub = `
git init -q; git remote add origin "$URL"
case $REF in refs/heads/*) to=refs/remotes/origin/${REF#refs/heads/} ;; *) to=refs/remotes/${REF#refs/} ;; esac
all=; [ "$DEPTH" != 0 ] || all='+refs/heads/*:refs/remotes/origin/*'
git fetch -q --no-tags $LIMIT origin $all "+$REF:$to"
case $REF in refs/heads/*) git checkout -q -B "${REF#refs/heads/}" "$to" ;; *) git checkout -q "$to" ;; esac`
	// As GitLab's runner: only the ref of the pipeline, and for branches that branch.
	onGitLab = `
git init -q; git remote add origin "$URL"
sha=$(git ls-remote "$URL" "$REF" | cut -f1)
also=; case $REF in refs/heads/*) also="+$REF:refs/remotes/origin/${REF#refs/heads/}" ;; esac
git fetch -q --no-tags $LIMIT origin "+$sha:refs/pipelines/1" $also
git checkout -q --detach "$sha"`
	fetchTarget = `
git fetch -q $LIMIT origin "+refs/heads/$TARGET:refs/remotes/origin/$TARGET"`
	// As Azure's agent.
	onAzure = `
git init -q; git remote add origin "$URL"
all=; [ "$DEPTH" != 0 ] || all='+refs/heads/*:refs/remotes/origin/*'
git fetch -q --tags $LIMIT origin $all "+$REF:refs/remotes/${REF#refs/}"
git checkout -q --force "refs/remotes/${REF#refs/}"`
	// As CircleCI and Buildkite: the whole repository.
	whole = `git clone -q "$URL" .
git fetch -q origin "$REF"; git checkout -q --detach FETCH_HEAD`
	// As Bitbucket: the branch, into which the target is merged.
	onBitbucket = `git clone -q --branch "${REF#refs/heads/}" $LIMIT "$URL" .
git fetch -q origin "$TARGET"; git merge -q -m merged FETCH_HEAD`
	// As Jenkins: the branch and its target, which are merged.
	onJenkins = `
git init -q; git remote add origin "$URL"
git fetch -q --no-tags $LIMIT origin "+$REF:refs/remotes/origin/PR-1" "+refs/heads/$TARGET:refs/remotes/origin/$TARGET"
git checkout -q --detach "origin/$TARGET"; git merge -q -m merged origin/PR-1`
	onJenkinsUnmerged = `
git init -q; git remote add origin "$URL"
git fetch -q --no-tags $LIMIT origin "+$REF:refs/remotes/origin/PR-1"
git checkout -q --detach origin/PR-1`
)

// baseCase is a run on a CI system. In env, event and fix, {name} is a commit of the upstream.
type baseCase struct {
	name    string
	clone   string // a script
	ref     string // what is checked out
	target  string // TARGET of the script
	depth   int
	env     []string
	event   string // the payload, on GitHub
	base    string // a ref of the upstream; empty: the base cannot be known
	foundBy string
	fix     string // the command that makes the base known
	after   string // the base after that; empty: no command can find it
}

// hostedRepository makes the upstream, and returns what fills in its commits.
func hostedRepository(t *testing.T) (env []string, up string, fill *strings.Replacer) {
	t.Helper()
	env = isolated(t, t.TempDir())
	up = filepath.Join(t.TempDir(), "someone", "project")
	if err := os.MkdirAll(up, 0o755); err != nil {
		t.Fatal(err)
	}
	sh(t, env, up, hostedUpstream)
	var pairs []string
	for line := range strings.Lines(sh(t, env, up, "git for-each-ref --format='%(refname:short) %(objectname)' refs/tags")) {
		name, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
		pairs = append(pairs, "{"+name+"}", commit)
	}
	return env, up, strings.NewReplacer(pairs...)
}

// checkOutCase makes the clone of a case.
func checkOutCase(t *testing.T, env []string, up string, tt baseCase) string {
	t.Helper()
	dir, limit := t.TempDir(), ""
	if tt.depth > 0 {
		limit = fmt.Sprintf("--depth=%d", tt.depth)
	}
	sh(t, append(env, "URL=file://"+up, "REF="+tt.ref, "TARGET="+tt.target, fmt.Sprintf("DEPTH=%d", tt.depth), "LIMIT="+limit), dir, tt.clone)
	return dir
}

// TestBaseOnCI checks the base of runs on CI systems, in clones as the systems make them.
// Where the base cannot be known, the exit status is 3, and the command in the message helps.
func TestBaseOnCI(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many repositories")
	}
	needBash(t)
	env, up, fill := hostedRepository(t)
	cases := append(append(gitHubBases(), gitLabBases()...), otherBases()...)
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			dir := checkOutCase(t, env, up, tt)
			run := append([]string(nil), env...)
			for _, variable := range tt.env {
				run = append(run, fill.Replace(variable))
			}
			if tt.event != "" {
				file := filepath.Join(t.TempDir(), "event.json")
				write(t, file, fill.Replace(tt.event))
				run = append(run, "GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=someone/project", "GITHUB_EVENT_PATH="+file)
			}
			t.Chdir(dir)
			want := tt.base
			if tt.fix != "" {
				status, stdout, stderr := called(t, run, "--to", "HEAD")
				fix := fill.Replace(tt.fix)
				if status != 3 || !strings.Contains(stdout, "; run: "+fix+"\n") {
					t.Fatalf("status %d; want 3 and to run %s\n%s%s", status, fix, stdout, stderr)
				}
				if want = tt.after; want == "" {
					return
				}
				sh(t, env, dir, fix)
			}
			commit, foundBy := foundBase(t, run)
			if commit != fill.Replace("{"+want+"}") || foundBy != tt.foundBy {
				t.Errorf("base %s, %s; want %s, %s", sh(t, env, up, "git name-rev --always --tags "+commit), foundBy, want, tt.foundBy)
			}
		})
	}
	if len(cases) < 30 {
		t.Errorf("%d cases", len(cases))
	}
}

// foundBase returns the base of a check.
func foundBase(t *testing.T, env []string) (commit, foundBy string) {
	t.Helper()
	status, stdout, stderr := called(t, env, "--to", "HEAD", "--format", "json")
	var r struct {
		Baselines []struct {
			Commit  string `json:"commit"`
			FoundBy string `json:"found_by"`
		} `json:"baselines"`
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || len(r.Baselines) != 1 || status > 1 {
		t.Fatalf("status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	return r.Baselines[0].Commit, r.Baselines[0].FoundBy
}
