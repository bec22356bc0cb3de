// Package probe runs the commands that agents' settings register, as the agents do, and asks
// Codex which of them it trusts.
package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// limit bounds a command. Hooks have 5 seconds themselves.
const limit = 15 * time.Second

// shells are how agents start a command line on Unix; sh -c unless one is listed. An empty
// program is that of SHELL.
var shells = map[string][]string{
	"codex":    {"", "-c"},
	"gemini":   {"bash", "-c"},
	"copilot":  {"bash", "-c"},
	"windsurf": {"bash", "-c"},
}

// Shell returns the program and the flags with which an agent runs command lines.
func Shell(agentName, userShell string) []string {
	shell := []string{"sh", "-c"}
	if of, ok := shells[agentName]; ok {
		shell = append([]string{}, of...)
	}
	if shell[0] == "" {
		shell[0] = userShell
	}
	if shell[0] == "" {
		shell[0] = "/bin/sh"
	}
	return shell
}

// Options are where commands run.
type Options struct {
	Root  string   // of the repository
	Env   []string // as KEY=value
	Shell string   // of the user; empty: /bin/sh
}

// Result describes the answer of a command.
type Result struct {
	Shell string // that ran it
	dialect.Probed
	// Silent is true if the command ended well and wrote nothing.
	Silent bool
}

// ErrWindows means that commands are not run on this system.
var ErrWindows = errors.New("commands are not run on Windows: agents differ in the shell that they use there")

// Run sends a command line the payload of a probe, in the shell that the agent uses. The
// error describes an answer that is not rulecheck's.
func Run(ctx context.Context, d dialect.Dialect, line, event string, o Options) (Result, error) {
	if runtime.GOOS == "windows" {
		return Result{}, ErrWindows
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	payload, _ := d.Probe("0")
	shell := Shell(d.Name, o.Shell)
	r := Result{Shell: strings.Join(shell, " ")}
	cmd := exec.CommandContext(ctx, shell[0], slices.Concat(shell[1:], []string{line})...) //nolint:gosec // the user asks to run what the settings register
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = o.Root, bytes.NewReader(payload), time.Second
	cmd.Env = slices.Concat(o.Env, []string{"CLAUDE_PROJECT_DIR=" + o.Root, "GEMINI_PROJECT_DIR=" + o.Root, "CURSOR_PROJECT_DIR=" + o.Root})
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		return r, fmt.Errorf("no answer within %s", limit)
	}
	status := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		return r, err
	}
	a := dialect.Answer{Stdout: out.String(), Stderr: errs.String(), Status: status}
	probed, ok := d.ReadProbe(payload, event, a)
	switch {
	case ok:
		r.Probed = probed
		return r, nil
	case probed != dialect.Probed{}:
		return r, fmt.Errorf("the answer of rulecheck %s is changed on its way: exit status %d, %s", probed.Version, status, excerpt(a))
	case status == 0 && strings.TrimSpace(a.Stdout) == "" || a.Stdout == "{}\n":
		r.Silent = true
		return r, nil
	}
	return r, fmt.Errorf("exit status %d, %s", status, excerpt(a))
}

// excerpt returns the beginning of an answer.
func excerpt(a dialect.Answer) string {
	text := strings.Join(strings.Fields(a.Stderr+" "+a.Stdout), " ")
	if text == "" {
		return "without a word"
	}
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
