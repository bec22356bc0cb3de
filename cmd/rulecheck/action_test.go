package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// action is the content of action.yml that the tests use.
type action struct {
	Inputs map[string]struct {
		Default string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Value string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

type step struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	If    string            `yaml:"if"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
	Env   map[string]string `yaml:"env"`
}

func readAction(t *testing.T) action {
	t.Helper()
	return readActionOf(t, ".")
}

// readActionOf reads the action in a directory of the project.
func readActionOf(t *testing.T, dir string) action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", dir, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// expression is all of GitHub's language that the action uses: a path.
var expression = regexp.MustCompile(`\$\{\{ *([a-z_.-]+) *\}\}`)

// pinnedAction matches an action at the id of a commit.
var pinnedAction = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

func TestActionKeepsValuesOutOfScripts(t *testing.T) {
	a := readAction(t)
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q: a value becomes part of the script; want it in env", s.Name)
		}
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %q: shell %q; want bash", s.Name, s.Shell)
		}
		if s.Run == "" && !pinnedAction.MatchString(s.Uses) {
			t.Errorf("step %q uses %q; want an action at the id of a commit", s.Name, s.Uses)
		}
	}
	for name, out := range a.Outputs {
		if out.Value != "${{ steps.check.outputs."+name+" }}" {
			t.Errorf("output %s is %s", name, out.Value)
		}
	}
}

// runner runs the scripts of the action as GitHub's runner does, those of other
// actions left out.
type runner struct {
	action  action
	program string // built by the first step; empty: build it
	dir     string // the checkout
	temp    string
	github  map[string]any    // the context
	inputs  map[string]string // what the workflow gives
}

// ran is the result of a run.
type ran struct {
	outputs         map[string]string // of the action
	stdout, summary string
	failed          bool
	steps           map[string]map[string]string
}

func (r runner) run(t *testing.T) ran {
	t.Helper()
	got := ran{outputs: map[string]string{}, steps: map[string]map[string]string{}}
	event, err := json.Marshal(r.github["event"])
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(r.temp, "event.json"), string(event))
	if r.program != "" {
		got.steps["source"] = map[string]string{"directory": filepath.Dir(r.program)}
	}
	for i, s := range r.action.Runs.Steps {
		built := r.program != "" && (s.ID == "source" || s.ID == "build")
		if s.Run == "" || built || got.failed && s.If != "${{ !cancelled() }}" {
			continue
		}
		file := func(name string) string { return filepath.Join(r.temp, fmt.Sprintf("%d.%s", i, name)) }
		write(t, file("sh"), s.Run)
		cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", file("sh"))
		cmd.Dir = r.dir
		cmd.Env = append(isolated(t, r.temp),
			"CI=true", "GITHUB_ACTIONS=true", "RUNNER_TEMP="+r.temp, "GITHUB_ACTION_PATH="+r.value(t, got, "github.action_path"),
			"GITHUB_EVENT_PATH="+filepath.Join(r.temp, "event.json"),
			"GITHUB_EVENT_NAME="+r.value(t, got, "github.event_name"),
			"GITHUB_BASE_REF="+r.value(t, got, "github.base_ref"),
			"GITHUB_REPOSITORY="+r.value(t, got, "github.repository"),
			"GITHUB_SERVER_URL="+r.value(t, got, "github.server_url"),
			"GITHUB_SHA="+r.value(t, got, "github.sha"), "GITHUB_REF="+r.value(t, got, "github.ref"),
			"GITHUB_OUTPUT="+file("output"), "GITHUB_STEP_SUMMARY="+file("summary"))
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+expression.ReplaceAllStringFunc(value, func(e string) string {
				return r.value(t, got, expression.FindStringSubmatch(e)[1])
			}))
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		failed := err != nil
		got.failed = got.failed || failed
		got.stdout += stdout.String()
		if stderr.Len() > 0 {
			t.Logf("%s: standard error:\n%s", s.Name, stderr.String())
		}
		summary, _ := os.ReadFile(file("summary"))
		got.summary += string(summary)
		output, _ := os.ReadFile(file("output"))
		got.steps[s.ID] = map[string]string{"outcome": "success"}
		if failed {
			got.steps[s.ID]["outcome"] = "failure"
		}
		for line := range strings.Lines(string(output)) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			got.steps[s.ID][key] = value
		}
	}
	for name, out := range r.action.Outputs {
		got.outputs[name] = r.value(t, got, expression.FindStringSubmatch(out.Value)[1])
	}
	return got
}

// value returns the value of a path in the contexts; like at GitHub, a missing value is empty.
func (r runner) value(t *testing.T, got ran, path string) string {
	t.Helper()
	words := strings.Split(path, ".")
	switch words[0] {
	case "inputs":
		if value, ok := r.inputs[words[1]]; ok {
			return value
		}
		input, ok := r.action.Inputs[words[1]]
		if !ok {
			t.Fatalf("%s: no such input", path)
		}
		return input.Default
	case "steps":
		return got.steps[words[1]][words[len(words)-1]] // its outcome, or an output
	case "github":
		var at any = r.github
		for _, word := range words[1:] {
			object, _ := at.(map[string]any)
			at = object[word]
		}
		text, _ := at.(string)
		return text
	default:
		t.Fatalf("%s: want inputs, steps or github", path)
		return ""
	}
}

// isolated is an environment with which git knows no configuration of this machine's.
func isolated(t *testing.T, home string) []string {
	t.Helper()
	config := filepath.Join(home, ".gitconfig")
	write(t, config, "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n[commit]\n\tgpgSign = false\n")
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + config, "GORACE=" + gittest.Race,
		"GOCACHE=" + goEnv(t, "GOCACHE"), "GOMODCACHE=" + goEnv(t, "GOMODCACHE"), "GOFLAGS=" + os.Getenv("GOFLAGS"), "GOPROXY=off",
	}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=A U Thor", "GIT_"+who+"_EMAIL=author@example.com", "GIT_"+who+"_DATE=2026-01-02T03:04:05Z")
	}
	return env
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sh runs a script and gives its output.
func sh(t *testing.T, env []string, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", script)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s\n%v\n%s%s", script, err, out, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// needBash skips where the action's scripts cannot run.
func needBash(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bash in PATH may be that of WSL, which sees other files")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash in PATH")
	}
}
