package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// forge answers the calls of GitHub's API that the action for comments makes, for the pull
// request 7 of someone/project.
type forge struct {
	t         *testing.T
	artifacts map[string][]byte // by name
	size      int               // of the artifacts as the API reports it; 0: as they are
	head      string            // of the pull request
	comments  []map[string]any
	wrote     []string // method, path and author of each change
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer s3cret" && !strings.HasPrefix(r.URL.Path, "/storage/") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/repos/someone/project/")
	var body struct {
		Body string `json:"body"`
	}
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			f.t.Error(err)
		}
		f.wrote = append(f.wrote, r.Method+" "+path)
	}
	answer := func(v any) {
		if err := json.NewEncoder(w).Encode(v); err != nil {
			f.t.Error(err)
		}
	}
	switch {
	case strings.HasPrefix(r.URL.Path, "/storage/"):
		if r.Header.Get("Authorization") != "" {
			f.t.Error("the storage of artifacts got the token")
		}
		_, _ = w.Write(f.artifacts[strings.TrimPrefix(r.URL.Path, "/storage/")])
	case ok && path == "pulls" && r.URL.Query().Get("head") == "stranger:fix/a&b":
		answer([]any{
			map[string]any{"number": 6, "head": map[string]any{"sha": "0000", "repo": map[string]any{"full_name": "stranger/project"}}},
			map[string]any{"number": 5, "head": map[string]any{"sha": f.head, "repo": nil}},
			map[string]any{"number": 7, "head": map[string]any{"sha": f.head, "repo": map[string]any{"full_name": "stranger/project"}}},
		})
	case ok && path == "actions/runs/11/artifacts":
		list := []any{}
		for name, data := range f.artifacts {
			size := len(data)
			if f.size != 0 {
				size = f.size
			}
			list = append(list, map[string]any{"id": name, "name": name, "expired": false, "size_in_bytes": size})
		}
		answer(map[string]any{"artifacts": list})
	case ok && strings.HasPrefix(path, "actions/artifacts/"):
		name := strings.TrimSuffix(strings.TrimPrefix(path, "actions/artifacts/"), "/zip")
		host := strings.Replace(r.Host, "127.0.0.1", "localhost", 1) // another host, as at GitHub
		http.Redirect(w, r, "http://"+host+"/storage/"+name, http.StatusFound)
	case ok && path == "issues/7/comments" && r.Method == http.MethodGet:
		answer(f.comments)
	case ok && path == "issues/7/comments" && r.Method == http.MethodPost:
		f.comments = append(f.comments, map[string]any{"id": 100 + len(f.comments), "body": body.Body, "user": map[string]any{"login": "github-actions[bot]"}})
		answer(map[string]any{"html_url": "https://github.example/7#100"})
	case ok && strings.HasPrefix(path, "issues/comments/") && r.Method == http.MethodPatch:
		for _, c := range f.comments {
			if fmt.Sprint(c["id"]) == strings.TrimPrefix(path, "issues/comments/") {
				c["body"] = body.Body
			}
		}
		answer(map[string]any{"html_url": "https://github.example/7#100"})
	default:
		f.t.Errorf("%s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	}
}

// zipped makes an archive of one file.
func zipped(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// jsonReport is a report with findings at these paths.
func jsonReport(paths ...string) string {
	var findings []string
	for i, path := range paths {
		findings = append(findings, fmt.Sprintf(`{"rule": "docs", "name": "Docs", "level": "error", "path": %q, "line": 1, "trigger_files": [%[1]q], "message": "see @team", "fingerprint": "%032x"}`, path, i+len(path)))
	}
	return fmt.Sprintf(`{"version": 1, "summary": {"exit_status": %d}, "findings": [%s]}`, min(len(paths), 1), strings.Join(findings, ","))
}

// needPrograms skips where a program is missing, unless this is CI.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	needBash(t)
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" && runtime.GOOS == "linux" {
				t.Fatalf("CI is set, and there is no %s in PATH", name)
			}
			t.Skipf("no %s in PATH", name)
		}
	}
}

// asProgram returns a path at which this test binary is the program.
func asProgram(t *testing.T) string {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "rulecheck")
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	return program
}

func TestCommentOnGitHub(t *testing.T) {
	t.Parallel()
	needPrograms(t, "curl", "jq", "unzip")
	const one, other = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	f := &forge{t: t, head: one}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	program := asProgram(t)
	script, err := filepath.Abs(filepath.Join("..", "..", "comment", "github.sh"))
	if err != nil {
		t.Fatal(err)
	}
	run := func() (string, error) {
		f.wrote = nil
		cmd := exec.CommandContext(t.Context(), "bash", script)
		cmd.Dir = t.TempDir()
		cmd.Env = append(isolated(t, t.TempDir()), "RUNNER_TEMP="+t.TempDir(), "GITHUB_API_URL="+server.URL, "GITHUB_REPOSITORY=someone/project",
			"PROGRAM="+program, "TOKEN=s3cret", "AUTHOR=github-actions[bot]", "RUN_ID=11", "RUN_URL=https://github.example/run/11",
			"HEAD_SHA="+one, "HEAD_BRANCH=fix/a&b", "HEAD_OWNER=stranger", "HEAD_REPOSITORY=stranger/project")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	zipOf := func(text string) map[string][]byte {
		return map[string][]byte{"rulecheck-7": zipped(t, "report.json", text)}
	}
	// Someone else's comment that looks like one of the action is left alone.
	f.comments = []map[string]any{{"id": 1, "body": "<!-- rulecheck:1 W10= -->\n", "user": map[string]any{"login": "stranger"}}}
	steps := []struct {
		name      string
		artifacts map[string][]byte
		size      int
		head      string
		wrote     string
		body      []string // parts of the comment
		log       string
		fails     bool
	}{
		{name: "nothing to report", artifacts: zipOf(jsonReport()), log: "#7: nothing to report."},
		{
			name: "first findings", artifacts: zipOf(jsonReport("a.go", "b/c.go")), wrote: "POST issues/7/comments",
			body: []string{"**rulecheck failed**: 2 errors\n", "- `a.go:1`: `see @team`\n", "[Log and instructions](https://github.example/run/11)"},
			log:  "#7: https://github.example/7#100",
		},
		{
			name: "one is gone", artifacts: zipOf(jsonReport("a.go")), wrote: "PATCH issues/comments/101",
			body: []string{"1 error, 1 no longer reported\n", "- ~~`docs: b/c.go`~~\n"},
		},
		{name: "no artifact", artifacts: map[string][]byte{}, log: "The run has no artifact rulecheck-7"},
		{name: "an artifact for another pull request", artifacts: map[string][]byte{"rulecheck-6": zipOf(jsonReport("x"))["rulecheck-7"]}, log: "The run has no artifact rulecheck-7"},
		{name: "a commit was pushed since", artifacts: zipOf(jsonReport("x")), head: other, log: "No open pull request has the head " + one},
		{name: "an artifact that is too large", artifacts: zipOf(jsonReport("x")), size: 6_000_000, log: "The run has no artifact rulecheck-7 of at most 5000000 bytes"},
		{name: "an artifact larger than reported", artifacts: map[string][]byte{"rulecheck-7": bytes.Repeat([]byte("x"), 5_500_000)}, size: 1, log: "larger than 5000000 bytes", fails: true},
		{name: "a report that is huge when it is unpacked", artifacts: zipOf(strings.Repeat(" ", 50_000_000)), log: "larger than 8000000 bytes", fails: true},
		{name: "no archive", artifacts: map[string][]byte{"rulecheck-7": []byte("x")}, log: "want a report written by --format json", fails: true},
		{name: "no report", artifacts: zipOf(`{"version": 1, "findings": [{"fingerprint": "-->"}]}`), log: "want hexadecimal digits", fails: true},
		{
			name: "a file of another name", artifacts: map[string][]byte{"rulecheck-7": zipped(t, "../../report.json", jsonReport("x"))},
			log: "want a report written by --format json", fails: true,
		},
		{
			name: "clean", artifacts: zipOf(jsonReport()), wrote: "PATCH issues/comments/101",
			body: []string{"**rulecheck passed**: no findings, 2 no longer reported\n"},
		},
	}
	for _, step := range steps {
		f.artifacts, f.size, f.head = step.artifacts, step.size, step.head
		if f.head == "" {
			f.head = one
		}
		log, err := run()
		if (err != nil) != step.fails || !strings.Contains(log, step.log) {
			t.Errorf("%s: %v; want %q in the log:\n%s", step.name, err, step.log, log)
		}
		if got := strings.Join(f.wrote, "\n"); got != step.wrote {
			t.Errorf("%s: wrote %q; want %q", step.name, got, step.wrote)
		}
		for _, part := range step.body {
			if body := fmt.Sprint(f.comments[len(f.comments)-1]["body"]); !strings.Contains(body, part) {
				t.Errorf("%s: want %q in\n%s", step.name, part, body)
			}
		}
		if strings.Contains(log, "s3cret") {
			t.Errorf("%s: the log has the token:\n%s", step.name, log)
		}
	}
	checkCommentAction(t)
	if len(f.comments) != 2 || f.comments[0]["body"] != "<!-- rulecheck:1 W10= -->\n" {
		t.Errorf("comments: %v", f.comments)
	}
}

// checkCommentAction checks that the action passes what the script reads, and all of it in
// the environment.
func checkCommentAction(t *testing.T) {
	t.Helper()
	a := readActionOf(t, "comment")
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") || s.Uses != "" && !pinnedAction.MatchString(s.Uses) {
			t.Errorf("step %q: %s%s", s.Name, s.Uses, s.Run)
		}
	}
	var names []string
	for name := range a.Runs.Steps[len(a.Runs.Steps)-1].Env {
		names = append(names, name)
	}
	slices.Sort(names)
	want := "AUTHOR HEAD_BRANCH HEAD_OWNER HEAD_REPOSITORY HEAD_SHA PROGRAM RUN_ID RUN_URL TOKEN"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the action sets %s; want %s", got, want)
	}
}
