package real_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// specimen is an agent as these tests need it.
type specimen struct {
	name string // as in rulecheck install NAME
	// settle writes the agent's own settings, without hooks.
	settle func(w *world)
	// ask passes a prompt to the agent and returns when it has ended its turn.
	ask func(w *world, prompt string) outcome
	// The calls of its tools.
	shell func(command string) call
	write func(name, content string) call
	echo  func(text string) call
	// absolute is true if the editor takes absolute paths only.
	absolute bool
	// isMain reports whether a request of the agent is for the conversation.
	isMain func(body object) bool
	// before is the agent's name of the event before a tool.
	before string
}

// world is a repository and a home directory in which one agent works.
type world struct {
	*testing.T
	specimen

	dir, home, project string
	env                []string
	model              *model
	mcp                bool              // the agent has the MCP server
	options            map[string]string // of the specimen

	running sync.Mutex
	group   int    // the process group of the program that runs; 0: none does
	abort   func() // ends the agent's turn; nil: an interrupt does
}

// outcome is how a program ended.
type outcome struct {
	status         int
	stdout, stderr string
	seconds        float64
}

// limit is how long an agent may take for a prompt.
const limit = 3 * time.Minute

// newWorld makes a repository with files, in which rulecheck is installed for an agent.
func newWorld(t *testing.T, of specimen, files map[string]string, script func(int, string) reply) *world {
	t.Helper()
	return newWorldWith(t, of, files, script, map[string]string{})
}

// newWorldWith makes a repository for an agent with options.
func newWorldWith(t *testing.T, of specimen, files map[string]string, script func(int, string) reply, options map[string]string) *world {
	t.Helper()
	if missing != "" {
		if os.Getenv(requiredEnv) != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	dir := t.TempDir()
	w := &world{
		T: t, specimen: of, dir: dir, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), mcp: true, options: options,
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	// A link, so that a test can replace it.
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.link(os.Getenv(programEnv))
	w.env = []string{
		"HOME=" + w.home, "PATH=" + filepath.Join(dir, "bin") + ":" + filepath.Dir(node) + ":/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + filepath.Join(dir, "tmp"),
		"LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	for _, d := range []string{w.home, w.project, filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.file("project/old.txt", "old\n")
	for name, content := range files {
		w.file("project/"+name, content)
	}
	w.model = newModel(t, of.isMain, script)
	if of.absolute {
		w.model.dir = w.project
	}
	of.settle(w)
	w.must("git", "init", "-q", "-b", "main")
	w.must("rulecheck", "install", of.name)
	w.must("git", "add", "-A")
	w.must("git", "commit", "-qm", "initial")
	return w
}

// link makes a program the one that PATH finds as rulecheck.
func (w *world) link(program string) {
	w.Helper()
	name := filepath.Join(w.dir, "bin", "rulecheck")
	if err := errors.Join(os.RemoveAll(name), os.Symlink(program, name)); err != nil {
		w.Fatal(err)
	}
}

// file writes a file below the directory of the world.
func (w *world) file(name, content string) {
	w.Helper()
	name = filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
		w.Fatal(err)
	}
}

// read returns a file of the project; empty if it is not there.
func (w *world) read(name string) string {
	text, err := os.ReadFile(filepath.Join(w.project, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.Fatal(err)
	}
	return string(text)
}

func (w *world) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(w.project, name))
	return err == nil
}

// command returns a program that runs in the project and ends with its children.
func (w *world) command(ctx context.Context, argv ...string) *exec.Cmd {
	if !strings.Contains(argv[0], "/") { // in the PATH of the world
		for _, v := range w.env {
			if list, ok := strings.CutPrefix(v, "PATH="); ok {
				for _, dir := range slices.Backward(filepath.SplitList(list)) {
					if _, err := os.Stat(filepath.Join(dir, argv[0])); err == nil {
						argv = append([]string{filepath.Join(dir, filepath.Base(argv[0]))}, argv[1:]...)
					}
				}
			}
		}
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = w.project, w.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// run runs a program to its end.
func (w *world) run(argv ...string) outcome {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), limit)
	defer cancel()
	cmd := w.command(ctx, argv...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Start()
	if err == nil {
		w.runs(cmd.Process.Pid)
		err = cmd.Wait()
		w.runs(0)
	}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		w.Fatalf("%q: %v %v\n%s%s", argv, err, ctx.Err(), stdout.String(), stderr.String())
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(start).Seconds()}
}

// runs notes the process group that an interrupt is for.
func (w *world) runs(group int) {
	w.running.Lock()
	defer w.running.Unlock()
	w.group = group
}

// must runs a program that succeeds.
func (w *world) must(argv ...string) string {
	w.Helper()
	o := w.run(argv...)
	if o.status != 0 {
		w.Fatalf("%q: exit status %d\n%s%s", argv, o.status, o.stdout, o.stderr)
	}
	return o.stdout
}

// journal returns the rows of all journals, in the order of time.
func (w *world) journal() []hook.Row {
	w.Helper()
	files, err := filepath.Glob(filepath.Join(w.project, ".git/rulecheck/journal/*.ndjson"))
	if err != nil {
		w.Fatal(err)
	}
	var rows []hook.Row
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			w.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var row hook.Row
			if err := json.Unmarshal(line, &row); err != nil {
				w.Fatalf("%s: %v in %s", file, err, line)
			}
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b hook.Row) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	return rows
}

// decided returns the decisions of a kind of events, in order, as VERDICT or VERDICT:RULE.
func (w *world) decided(kind hook.Kind) []string {
	w.Helper()
	var list []string
	for _, row := range w.journal() {
		if row.Event == string(kind) {
			list = append(list, strings.TrimSuffix(string(row.Verdict)+":"+row.Rule, ":"))
		}
	}
	return list
}

// snapshots returns how many prompts were captured.
func (w *world) snapshots() int {
	files, err := filepath.Glob(filepath.Join(w.project, ".git/rulecheck/prompts/*/manifest.json"))
	if err != nil {
		w.Fatal(err)
	}
	return len(files)
}

// received reports texts that the model did not receive.
func (w *world) received(texts ...string) {
	w.Helper()
	_, received := w.model.heard()
	for _, text := range texts {
		if !strings.Contains(received, text) {
			w.Errorf("the model did not receive %q; it received:\n%s", text, received[max(0, len(received)-6000):])
		}
	}
}

// notReceived reports texts that the model received.
func (w *world) notReceived(texts ...string) {
	w.Helper()
	_, received := w.model.heard()
	for _, text := range texts {
		if strings.Contains(received, text) {
			w.Errorf("the model received %q", text)
		}
	}
}

// until waits for what agents do in the background.
func (w *world) until(what string, holds func() bool) {
	w.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			w.Fatalf("%s: did not happen; the journal:\n%+v", what, w.journal())
		}
	}
}
