package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/markdown"
)

// gitLabForge answers the calls of GitLab's API that the job for comments makes, for the
// merge request 7 of group/shop, whose pipeline is 40.
type gitLabForge struct {
	t      *testing.T
	ref    string // of the newest pipeline
	from   int    // its project
	state  string
	job    string // its name
	report string
	notes  []map[string]any
	wrote  []string
}

func (f *gitLabForge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api/v4/")
	if r.Header.Get("PRIVATE-TOKEN") != "s3cret" || !ok {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var body struct {
		Body string `json:"body"`
	}
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/json" {
			f.t.Error(err, r.Header)
		}
		f.wrote = append(f.wrote, r.Method+" "+path)
	}
	answer := func(v any) {
		if err := json.NewEncoder(w).Encode(v); err != nil {
			f.t.Error(err)
		}
	}
	const project = "projects/group%2Fshop/"
	switch r.Method + " " + path {
	case "GET user":
		answer(map[string]any{"id": 3})
	case "GET " + project + "merge_requests/7":
		answer(map[string]any{"state": f.state, "project_id": 2, "head_pipeline": map[string]any{"id": 40, "project_id": f.from, "ref": f.ref}})
	case "GET " + project + "pipelines/40/jobs":
		answer([]any{
			map[string]any{"id": 50, "name": "test", "status": "success"},
			map[string]any{"id": 51, "name": f.job, "status": "failed", "web_url": "https://gitlab.example/jobs/51"},
		})
	case "GET " + project + "jobs/51/artifacts/rulecheck.json":
		_, _ = w.Write([]byte(f.report))
	case "GET " + project + "merge_requests/7/notes":
		answer(f.notes)
	case "POST " + project + "merge_requests/7/notes":
		f.notes = append(f.notes, map[string]any{"id": 90, "body": body.Body, "author": map[string]any{"id": 3}})
		answer(f.notes[len(f.notes)-1])
	case "PUT " + project + "merge_requests/7/notes/90":
		f.notes[len(f.notes)-1]["body"] = body.Body
		answer(f.notes[len(f.notes)-1])
	default:
		f.t.Errorf("%s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestCommentOnGitLab(t *testing.T) {
	t.Parallel()
	needPrograms(t, "curl", "jq")
	f := &gitLabForge{t: t, notes: []map[string]any{{"id": 1, "body": "<!-- rulecheck:1 W10= -->\n", "author": map[string]any{"id": 8}}}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	path := filepath.Dir(asProgram(t))
	script, err := filepath.Abs(filepath.Join("..", "..", "comment", "gitlab.sh"))
	if err != nil {
		t.Fatal(err)
	}
	const ref = "refs/merge-requests/7/head"
	for _, step := range []struct {
		name    string
		request string // empty: 7
		ref     string
		from    int // 0: 2, the project
		state   string
		job     string
		report  string
		wrote   string
		body    []string // parts of the comment
		log     string
		fails   bool
	}{
		{name: "nothing to report", ref: ref, report: jsonReport(), log: "!7: nothing to report."},
		{
			name: "first findings", ref: "refs/merge-requests/7/merge", report: jsonReport("a.go", "b/c.go"), wrote: "POST projects/group%2Fshop/merge_requests/7/notes",
			body: []string{"**rulecheck failed**: 2 errors\n", "- `a.go:1`: `see @team`\n", "[Log and instructions](https://gitlab.example/jobs/51)"},
			log:  "!7: the comment is up to date.",
		},
		{
			name: "one is gone", ref: ref, report: jsonReport("a.go"), wrote: "PUT projects/group%2Fshop/merge_requests/7/notes/90",
			body: []string{"1 error, 1 no longer reported\n", "- ~~`docs: b/c.go`~~\n"},
		},
		{name: "a branch", ref: "main", log: "has no pipeline for merge requests"},
		{name: "a branch whose name looks like one", ref: "x/refs/merge-requests/7/head", log: "has no pipeline for merge requests"},
		{name: "another merge request", ref: "refs/merge-requests/77/head", log: "has no pipeline for merge requests"},
		{name: "a merge train", ref: "refs/merge-requests/7/train", log: "has no pipeline for merge requests"},
		{name: "a pipeline of the fork", ref: ref, from: 9, log: "has no pipeline for merge requests"},
		{name: "merged", ref: ref, state: "merged", log: "!7 is closed"},
		{name: "another job", ref: ref, job: "lint", log: "no finished job"},
		{name: "no number", request: "7/../8", log: "want the number of a merge request", fails: true},
		{name: "a report that is too large", ref: ref, report: strings.Repeat(" ", 9_000_000), log: "larger than 8000000 bytes", fails: true},
		{name: "no report", ref: ref, report: "x", log: "want a report written by --format json", fails: true},
		{
			name: "clean", ref: ref, report: jsonReport(), wrote: "PUT projects/group%2Fshop/merge_requests/7/notes/90",
			body: []string{"**rulecheck passed**: no findings, 2 no longer reported\n"},
		},
	} {
		f.ref, f.from, f.state, f.job, f.report, f.wrote = step.ref, cmp.Or(step.from, 2), cmp.Or(step.state, "opened"), cmp.Or(step.job, "rulecheck"), step.report, nil
		cmd := exec.CommandContext(t.Context(), "sh", script)
		cmd.Dir = t.TempDir()
		cmd.Env = append(isolated(t, t.TempDir()), "PATH="+path+":"+os.Getenv("PATH"), "CI_API_V4_URL="+server.URL+"/api/v4",
			"RULECHECK_TOKEN=s3cret", "RULECHECK_PROJECT=group/shop", "RULECHECK_REQUEST="+cmp.Or(step.request, "7"))
		out, err := cmd.CombinedOutput()
		log := string(out)
		if (err != nil) != step.fails || !strings.Contains(log, step.log) || strings.Contains(log, "s3cret") {
			t.Errorf("%s: %v; want %q in the log:\n%s", step.name, err, step.log, log)
		}
		if got := strings.Join(f.wrote, "\n"); got != step.wrote {
			t.Errorf("%s: wrote %q; want %q", step.name, got, step.wrote)
		}
		for _, part := range step.body {
			if body := fmt.Sprint(f.notes[len(f.notes)-1]["body"]); !strings.Contains(body, part) {
				t.Errorf("%s: want %q in\n%s", step.name, part, body)
			}
		}
	}
	if len(f.notes) != 2 || f.notes[0]["body"] != "<!-- rulecheck:1 W10= -->\n" {
		t.Errorf("notes: %v", f.notes)
	}
}

// TestCommentParts checks that the jobs that write a report and those that read it agree.
func TestCommentParts(t *testing.T) {
	read := func(parts ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for file, parts := range map[string][]string{
		read("docs", "integrations.md"):            {"name: rulecheck-${{ github.event.number }}\n          path: report.json\n", "format: github json=report.json\n"},
		read("comment", "github.sh"):               {`"rulecheck-$number"`, "artifact.zip report.json", "marker='<!-- rulecheck:1 '"},
		read("templates", "rulecheck.yml"):         {"\nrulecheck:\n", "--format json=rulecheck.json", "paths: [rulecheck.json]", "RULECHECK_REQUEST: $CI_MERGE_REQUEST_IID"},
		read("templates", "rulecheck-comment.yml"): {"$RULECHECK_REQUEST\n", "RULECHECK_PROJECT: $[[ inputs.project ]]", "RULECHECK_TOKEN"},
		read("comment", "gitlab.sh"):               {`.name == "rulecheck"`, "marker='<!-- rulecheck:1 '", "artifacts/rulecheck.json", "RULECHECK_REQUEST", "RULECHECK_PROJECT", "$RULECHECK_TOKEN"},
		string(markdown.Hidden("")) + "\n":         {"<!-- rulecheck:1 "},
	} {
		for _, part := range parts {
			if !strings.Contains(file, part) {
				t.Errorf("want %q in\n%s", part, file)
			}
		}
	}
}
