package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// served is a repository with the program as the server of a client.
type served struct {
	t      *testing.T
	dir    string
	env    []string
	client *mcp.ClientSession
	stderr bytes.Buffer
}

// serve starts the server with an engine in a new repository, which has a file
// "a" in its one commit.
func serve(t *testing.T, engine string) *served {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, dir: dir, env: append(os.Environ(),
		testEngine+"="+engine, "HOME="+dir, "XDG_CONFIG_HOME=", "CI=", "GIT_CONFIG_NOSYSTEM=1", "GORACE="+gittest.Race, "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
	)}
	s.write("a", "1\n")
	for _, args := range []string{"init -q -b main", "add a", "commit -q -m first"} {
		if out, err := s.command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	server := s.command("rulecheck", "mcp")
	server.Stderr = &s.stderr
	s.client, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr.String())
	}
	t.Cleanup(func() {
		if err := s.client.Close(); err != nil {
			t.Errorf("the server ended with: %v", err)
		}
		if s.stderr.Len() > 0 {
			t.Errorf("standard error: %s", s.stderr.String())
		}
	})
	return s
}

func (s *served) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...) // it ends with its client, before which the test's context is done
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

func (s *served) write(path, content string) {
	s.t.Helper()
	full := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// call calls a tool, and wants it to be refused or not.
func (s *served) call(refused bool, tool string, arguments map[string]any) map[string]any {
	s.t.Helper()
	result, err := s.client.CallTool(s.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", tool, arguments, err, s.stderr.String())
	}
	data, _ := result.StructuredContent.(map[string]any)
	if result.IsError != refused {
		s.t.Errorf("%s %v: refused: %t: %v", tool, arguments, result.IsError, data)
	}
	return data
}

// TestMCP goes through a workflow that comes with the program, by both engines.
func TestMCP(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"", engineEmbedded} {
		if engine != "" && runtime.GOOS != "linux" {
			continue // the embedded engine refuses every repository there
		}
		s := serve(t, engine)
		if got := s.client.InitializeResult().ServerInfo.Version; got != version {
			t.Errorf("the server has version %q, want %q", got, version)
		}
		id, _ := s.call(false, "workflow", map[string]any{"action": "start", "workflow": "discovery", "target": "a"})["session_id"].(string)
		if got := s.call(true, "workflow", map[string]any{"action": "get_phase", "phase": "code"}); got["violation_type"] != "attempted_skip" {
			t.Errorf("a future phase: %v", got)
		}
		if got := s.call(true, "workflow", map[string]any{"action": "complete_phase", "phase": "spec", "evidence": map[string]any{}}); got["error"] != "no_transition" {
			t.Errorf("nothing leads on: %v", got)
		}
		if got := s.call(false, "workflow", map[string]any{"action": "next", "claims": map[string]any{"spec_complete": true}}); got["next_phase"] != "plan" {
			t.Errorf("next: %v", got)
		}
		// The command line and the tool see the same state.
		out, err := s.command("rulecheck", "workflow", "next", `{"plan_complete":true}`).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "CODE phase") {
			t.Errorf("next on the command line: %v\n%s", err, out)
		}
		if got := s.call(false, "workflow", map[string]any{"action": "get_state", "session_id": id}); got["current_phase"] != "code" {
			t.Errorf("get_state: %v", got)
		}
		s.call(false, "workflow", map[string]any{"action": "delete_session", "session_id": id})
	}
}

// TestMCPCheck compares the tool with the command line; the tool runs no commands.
func TestMCPCheck(t *testing.T) {
	t.Parallel()
	s := serve(t, "")
	s.write(".rulecheck/rules/companion.md", "---\npair: {trigger: a, expects: b}\n---\nChange b, too.\n")
	s.write(".rulecheck/rules/format.md", "---\ntrigger: a\naction: {command: rulecheck version}\n---\n")
	s.write("a", "2\n")
	got := s.call(false, "check", nil)
	findings, _ := got["findings"].([]any)
	commands, _ := got["commands"].([]any)
	notices, _ := got["notices"].([]any)
	if len(findings) != 1 || len(commands) != 0 || len(notices) != 1 || !strings.HasPrefix(notices[0].(string), "1 command did not run: ") {
		t.Errorf("check: %v", got)
	}
	if out, err := s.command("rulecheck", "--only", "format").CombinedOutput(); err != nil || !strings.Contains(string(out), "no findings") {
		t.Errorf("the command itself passes: %v\n%s", err, out)
	}
	if got := s.call(true, "check", map[string]any{"only": []string{"formt"}}); got["error"] != "invalid_argument" {
		t.Errorf("an unknown rule: %v", got)
	}
}

// TestMCPAtOnce has twenty calls at once, of both tools, answered rightly.
func TestMCPAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, "")
	s.write(".rulecheck/rules/companion.md", "---\npair: {trigger: a, expects: b}\n---\nChange b, too.\n")
	s.write("a", "2\n")
	var calls sync.WaitGroup
	ids := make(chan any, 10)
	for i := range 20 {
		calls.Go(func() {
			if i%2 == 0 {
				ids <- s.call(false, "workflow", map[string]any{"action": "start", "workflow": "execution"})["session_id"]
				return
			}
			if findings, _ := s.call(false, "check", nil)["findings"].([]any); len(findings) != 1 {
				t.Errorf("findings: %v", findings)
			}
		})
	}
	calls.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("two sessions, %v and %v", first, id)
		}
	}
}

// TestMCPOutside calls the tools outside a repository, repeatedly.
func TestMCPOutside(t *testing.T) {
	t.Parallel()
	s := serve(t, "")
	if err := os.Rename(filepath.Join(s.dir, ".git"), filepath.Join(s.dir, "git")); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"check", "workflow"} {
		arguments := map[string]any{}
		if tool == "workflow" {
			arguments["action"] = "list_workflows"
		}
		message, _ := s.call(true, tool, arguments)["message"].(string)
		if !strings.Contains(message, "not a git repository") {
			t.Errorf("%s outside of a repository: %q", tool, message)
		}
	}
}

// TestMCPEnds expects exit status 0 at the end of the input and on a signal, and answers to
// all input, also to malformed input.
func TestMCPEnds(t *testing.T) {
	t.Parallel()
	run := func(in string) (status int, stdout, stderr string) {
		cmd := exec.CommandContext(t.Context(), "rulecheck", "mcp")
		var out, said bytes.Buffer
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TempDir(), strings.NewReader(in), &out, &said
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode(), out.String(), said.String()
	}
	if status, stdout, stderr := run(""); status != 0 || stdout+stderr != "" {
		t.Errorf("nothing to read: %d %q %q", status, stdout, stderr)
	}
	if status, stdout, stderr := run("hello\n"); status != 0 || !strings.Contains(stdout, "-32700") || stderr != "" {
		t.Errorf("no message: %d %q %q", status, stdout, stderr)
	}
	if runtime.GOOS == "windows" {
		return // has no such signal
	}
	cmd := exec.CommandContext(t.Context(), "rulecheck", "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Who answers has begun to listen to signals.
	if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || said.Len() > 0 {
		t.Errorf("interrupted: %v %q", err, said.String())
	}
}
