package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// pinned is another's action at the id of a commit, with the release that is.
var pinned = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (\./|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`)

// TestWorkflowsArePinned holds that no workflow runs what a tag may come to mean,
// and that one action has one id everywhere.
func TestWorkflowsArePinned(t *testing.T) {
	ids := map[string]string{}
	for _, file := range append(workflows(t), filepath.Join("..", "..", "action.yml")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(pinned.FindAllString(string(text), -1)), strings.Count(string(text), "uses: "); got != want || want == 0 {
			t.Errorf("%s: %d of %d uses are pinned as OWNER/NAME@COMMIT # vX.Y.Z", file, got, want)
		}
		for _, use := range pinned.FindAllStringSubmatch(string(text), -1) {
			name, id, _ := strings.Cut(use[1], "@")
			if known, ok := ids[name]; ok && known != id {
				t.Errorf("%s: %s is at %s, elsewhere at %s", file, name, id, known)
			}
			ids[name] = id
		}
	}
}

// TestActionlint has the workflows checked, and the scripts of the action as those
// of one.
func TestActionlint(t *testing.T) {
	needActionlint(t)
	files := append(workflows(t), actionAsWorkflow(t, "."), actionAsWorkflow(t, "comment"))
	out, err := exec.CommandContext(t.Context(), "actionlint", append([]string{"-no-color"}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestShellcheck checks the scripts of comments and of the build; actionlint reads only
// those in YAML.
func TestShellcheck(t *testing.T) {
	needPrograms(t, "shellcheck")
	var files []string
	for dir, least := range map[string]int{"comment": 2, "scripts": 10, "packaging": 5} {
		found, err := filepath.Glob(filepath.Join("..", "..", dir, "*.sh"))
		if err != nil || len(found) < least {
			t.Fatal(dir, found, err)
		}
		files = append(files, found...)
	}
	if out, err := exec.CommandContext(t.Context(), "shellcheck", files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// needActionlint skips where there is none, unless this is CI.
func needActionlint(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("actionlint"); err != nil {
		if os.Getenv("CI") != "" && runtime.GOOS == "linux" {
			t.Fatal("CI is set, and there is no actionlint in PATH")
		}
		t.Skip("no actionlint in PATH")
	}
}

func workflows(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	return files
}

// actionAsWorkflow writes the scripts of the action in a directory as steps of a workflow, because
// actionlint reads only those. The contexts of an action, which a workflow does not
// have, are left out of it.
func actionAsWorkflow(t *testing.T, dir string) string {
	t.Helper()
	var steps []map[string]any
	for _, s := range readActionOf(t, dir).Runs.Steps {
		if s.Run == "" {
			continue
		}
		step := map[string]any{"shell": s.Shell, "run": s.Run}
		if len(s.Env) > 0 {
			env := map[string]string{}
			for name := range s.Env {
				env[name] = "value"
			}
			step["env"] = env
		}
		steps = append(steps, step)
	}
	text, err := yaml.Marshal(map[string]any{
		"on":   "push",
		"jobs": map[string]any{"action": map[string]any{"runs-on": "ubuntu-latest", "steps": steps}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "action.yml")
	write(t, file, string(text))
	return file
}
