package probe_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/install"
	"github.com/rulecheck/rulecheck/internal/agents/hook/probe"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// run probes a command line for Claude Code.
func run(t *testing.T, line string) (probe.Result, error) {
	t.Helper()
	i := slices.IndexFunc(dialect.Dialects(), func(d dialect.Dialect) bool { return d.Name == "claude" })
	return probe.Run(t.Context(), dialect.Dialects()[i], line, "PreToolUse", probe.Options{Root: t.TempDir(), Env: os.Environ()})
}

// TestRun reads what commands answer. An answer that is not rulecheck's is an error.
func TestRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		if _, err := run(t, "true"); !errors.Is(err, probe.ErrWindows) {
			t.Errorf("%v; want that nothing is run", err)
		}
		return
	}
	if r, err := run(t, "true"); err != nil || !r.Silent {
		t.Errorf("%+v, %v; want silence", r, err)
	}
	for line, want := range map[string]string{
		"/nowhere/rulecheck hook claude":   "exit status 127",
		"echo no >&2; exit 2":              "exit status 2, no",
		"echo hello":                       "exit status 0, hello",
		"exit 1":                           "exit status 1, without a word",
		`echo '{"hookSpecificOutput":{}}'`: `{"hookSpecificOutput":{}}`,
	} {
		if r, err := run(t, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v; want %q", line, r, err, want)
		}
	}
	answer := filepath.Join(t.TempDir(), "answer")
	of := dialect.Probed{Version: "v1", Program: "/x", Root: "/r"}
	text := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"` + of.Reason() + `"}}` + "\n"
	if err := os.WriteFile(answer, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := run(t, "cat '"+answer+"'"); err != nil || r.Probed != of {
		t.Errorf("%+v, %v; want %+v", r, err, of)
	}
	if _, err := run(t, "echo start; cat '"+answer+"'"); err == nil || !strings.Contains(err.Error(), "changed on its way") {
		t.Errorf("%v; want that a wrapper spoils the answer", err)
	}
}

// TestShells walks the agents.
func TestShells(t *testing.T) {
	for _, d := range install.Agents() {
		if shell := probe.Shell(d, "/bin/zsh"); len(shell) != 2 || shell[0] == "" || shell[1] != "-c" {
			t.Errorf("%s: %q", d.Name, shell)
		}
	}
	codex, _ := profile.Named("codex")
	if shell := probe.Shell(codex, ""); shell[0] != "/bin/sh" {
		t.Errorf("%q; want a shell", shell)
	}
}
