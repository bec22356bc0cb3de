// Package probe runs the commands that agents' settings register, as the agents do, and asks
// Codex which of them it trusts.
package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// limit bounds a command. Hooks have 5 seconds themselves.
const limit = 15 * time.Second

// Shell returns the program and the flags with which an agent runs command lines on Unix.
func Shell(p profile.Profile, userShell string) []string {
	switch {
	case len(p.Shell) == 0:
		return []string{"sh", "-c"}
	case p.Shell[0] != "":
		return p.Shell
	}
	return slices.Concat([]string{cmp.Or(userShell, "/bin/sh")}, p.Shell[1:])
}

// rootVariables returns the variables with which agents name the repository.
func rootVariables(root string) []string {
	var list []string
	for _, p := range profile.All() {
		if p.RootVariable != "" {
			list = append(list, p.RootVariable+"="+root)
		}
	}
	return list
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
	shell := Shell(d.Profile, o.Shell)
	r := Result{Shell: strings.Join(shell, " ")}
	cmd := exec.CommandContext(ctx, shell[0], slices.Concat(shell[1:], []string{line})...) //nolint:gosec // the user asks to run what the settings register
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = o.Root, bytes.NewReader(payload), time.Second
	cmd.Env = slices.Concat(o.Env, rootVariables(o.Root))
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
	a := hook.Answer{Stdout: out.String(), Stderr: errs.String(), Status: status}
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
func excerpt(a hook.Answer) string {
	text := strings.Join(strings.Fields(a.Stderr+" "+a.Stdout), " ")
	if text == "" {
		return "without a word"
	}
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
