package commands_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

func TestHangs(t *testing.T) {
	for name, script := range map[string]string{
		"itself":      `exec sleep 100`,
		"a child":     `sleep 100`,
		"deaf":        `trap '' TERM INT HUP; while :; do sleep 100; done`,
		"away":        `setsid sleep 100`,
		"for input":   `exec sleep 100 <&0`,
		"spawns more": `while :; do sleep 100 & sleep 0.01; done`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newProject(t, map[string]string{"f": "f"})
			job := w.shell("r", script)
			job.Timeout = 300 * time.Millisecond
			came(t, w.run(t, job), []string{"r f: -1, timed out after 300ms"}, nil)
		})
	}
}

func TestStdin(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	came(t, w.run(t, w.shell("r", `cat; ! (: </dev/tty) 2>/dev/null`)), []string{"r f: 0"}, nil)
}

// sleeps waits until the process in the background has become sleep.
const sleeps = `until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done`

// TestDaemons leave nothing behind, wherever they went.
func TestDaemons(t *testing.T) {
	for name, c := range map[string]struct{ script, notice string }{
		"in the group":                 {`sleep 100 >/dev/null 2>&1 &`, ""},
		"in the group with the output": {`sleep 100 &`, ""},
		"away":                         {`setsid sleep 100 >/dev/null 2>&1 & ` + sleeps, "commands left programs running, which were killed: sleep"},
		"away with the output":         {`setsid sleep 100 & ` + sleeps, "commands left programs running, which were killed: sleep"},
		"away without its environment": {`exec env -i PATH="$PATH" sh -c 'sleep 100 >/dev/null 2>&1 &'`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newProject(t, map[string]string{"f": "f"})
			r := w.run(t, w.shell("r", `echo out; `+c.script))
			came(t, r, []string{"r f: 0"}, nil)
			if got := strings.Join(r.Notices, "\n"); got != c.notice {
				t.Errorf("got the notices %q, want %q", got, c.notice)
			}
			if got := string(r.Outcomes[0].Stdout); got != "out\n" {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestLate keeps what a command left behind from writing after its end.
func TestLate(t *testing.T) {
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			commands.LowerSandbox(t, level)
			w := newProject(t, map[string]string{"a": "a", "b": "b"})
			w.options.Jobs = 1 // one after the other
			late := w.shell("late", `setsid sh -c 'until [ -e "$XDG_CACHE_HOME/next" ]; do sleep 0.01; done; echo late >a' >/dev/null 2>&1 &`)
			late.Files = []string{"a"}
			slow := w.shell("slow", `touch "$XDG_CACHE_HOME/next"; sleep 0.2; cat a`)
			slow.Files = []string{"b"}
			r := w.run(t, late, slow)
			came(t, r, []string{"late a: 0", "slow b: 0"}, nil)
			if got := string(r.Outcomes[1].Stdout); got != "a" {
				t.Errorf("the file has %q", got)
			}
		})
	}
}

// levels are the kinds of sandbox there are here.
var levels = []sandbox.Level{sandbox.Namespaces, sandbox.Landlock, sandbox.None}

func TestOutput(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	o := w.run(t, w.shell("r", `printf 'a\377\000b'; printf '\200' >&2`)).Outcomes[0]
	if string(o.Stdout) != "a\xff\x00b" || string(o.Stderr) != "\x80" {
		t.Errorf("got %q and %q", o.Stdout, o.Stderr)
	}

	if testing.Short() {
		t.Skip("writes 1 GB")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o = w.run(t, w.shell("r", `echo first; head -c 1000000000 /dev/zero | tr '\0' x; echo last`)).Outcomes[0]
	runtime.ReadMemStats(&after)
	got := string(o.Stdout)
	if o.Exit != 0 || len(got) > 66<<10 || !strings.HasPrefix(got, "first\nxx") || !strings.HasSuffix(got, "xxlast\n") ||
		!strings.Contains(got, "\n… 999934475 bytes omitted …\n") {
		t.Errorf("got %d bytes: %.20q … %q", len(got), got, got[max(0, len(got)-20):])
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("1 GB of output took %d bytes of memory", used)
	}
}

// TestSecondCopyIsOccupied has a command put something where the second copy will be.
func TestSecondCopyIsOccupied(t *testing.T) {
	for _, level := range levels {
		commands.LowerSandbox(t, level)
		w := newProject(t, map[string]string{"f": "f"})
		outside := t.TempDir()
		script := `echo x >"$1"; ln -s ` + outside + ` ../../2/project; rm -rf "$TMPDIR"; ln -s ` + outside + ` "$TMPDIR"`
		came(t, w.run(t, w.shell("r", script)), []string{"r f: 0, changed f"}, map[string]string{"f": "x\n"})
		if got := snapshot(t, outside); strings.Count(got, "\n") != 1 {
			t.Errorf("%s: written outside:\n%s", level, got)
		}
	}
}

// TestLargeResult refuses to read a file of any size.
func TestLargeResult(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	came(t, w.run(t, w.shell("r", `truncate -s 100G "$1"`)), []string{`r f: 0, left "f" with 107374182400 bytes; want 268435457 at most, changed f`}, nil)
}

// TestPrivate refuses a directory for copies that others can change.
func TestPrivate(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	shared := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	w.options.Temps = []string{shared}
	if _, err := commands.Run(t.Context(), []commands.Job{w.job("r", "true")}, w.options); err == nil || !strings.Contains(err.Error(), "can be changed by other users") {
		t.Errorf("got %v", err)
	}
	w.options.Temps = []string{shared, w.temp}
	w.run(t, w.job("r", "true"))
	made := filepath.Join(w.temp, "new")
	w.options.Temps = []string{made}
	if _, err := commands.Run(t.Context(), []commands.Job{w.job("r", "true")}, w.options); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v", info, err)
	}
	if err := os.Remove(made); err != nil {
		t.Error(err)
	}
}

// TestWritesOutside tries to leave the copy by every way there is to write.
func TestWritesOutside(t *testing.T) {
	w := newProject(t, map[string]string{"dir/f": "f"})
	w.put(t, "config", "config", false)
	w.put(t, "dir/sibling", "sibling", false)
	w.put(t, "node_modules/m", "m", false)
	outside := t.TempDir()
	for _, script := range []string{
		`echo x >config`, `echo x >>dir/sibling`, `echo x >node_modules/m`, `echo x >node_modules/new`, `rm node_modules/m`, `truncate -s 0 config`,
		`mv node_modules/m "$2"`, `mkdir node_modules/d`, `ln -s x node_modules/l`, `mv dir/f node_modules/f`, `ln config linked && echo x >linked`,
		`echo x >"$2/new"`, `echo x >"$HOME/new"`, `mkfifo "$2/pipe"`, `cp -a dir "$2/dir"`,
	} {
		t.Run(script, func(t *testing.T) {
			job := w.job("r", "sh", "-c", script, "sh", "{file}", outside)
			r := w.run(t, job)
			if o := r.Outcomes[0]; o.Exit <= 0 || o.Failed != "" || len(o.Stderr) == 0 || len(r.Notices) > 1 {
				t.Errorf("got %+v and %q", o, r.Notices)
			}
		})
	}
	if got := snapshot(t, outside); strings.Count(got, "\n") != 1 {
		t.Errorf("written outside:\n%s", got)
	}
	for _, script := range []string{
		`echo x >"$TMPDIR/x"`, `mkdir -p "$XDG_CACHE_HOME/tool" && echo x >"$XDG_CACHE_HOME/tool/x"`, `echo x >/dev/null`, `case $PWD in /dev/shm/*) ;; *) echo x >/dev/shm/rulecheck-$$ && rm /dev/shm/rulecheck-$$ ;; esac`,
		`rm config && echo mine >config`, `mv dir/f dir/g && mv dir/g f && mv f dir/f`,
	} {
		if o := w.run(t, w.shell("r", script)).Outcomes[0]; o.Exit != 0 {
			t.Errorf("%s: %s", script, o.Stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(w.options.Cache, "tool", "x")); err != nil {
		t.Error(err)
	}
}

func TestWrite(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	home := t.TempDir()
	allowed := filepath.Join(t.TempDir(), "allowed")
	for _, dir := range []string{filepath.Join(home, "mine"), allowed} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.put(t, "node_modules/.cache/x", "", false)
	w.options.Environ = append(w.options.Environ, "HOME="+home)
	w.options.Write = []string{"~/mine", allowed, "node_modules/.cache", "absent"}
	r, err := commands.Run(t.Context(), []commands.Job{w.job("r", "sh", "-ec", `for d; do echo x >"$d/y"; done`, "sh", home+"/mine", allowed, "node_modules/.cache")}, w.options)
	if err != nil {
		t.Fatal(err)
	}
	came(t, r, []string{"r f: 0"}, nil)
	if diff := cmp.Diff([]string{`commands.write names "absent", which does not exist`}, r.Notices); diff != "" {
		t.Error(diff)
	}
}

// TestKilled has the next run take away what a killed one left.
func TestKilled(t *testing.T) {
	w := newProject(t, map[string]string{"f": "f"})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = []string{"RULECHECK_TEST=run " + w.root + " " + w.temp, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if started, _ := filepath.Glob(filepath.Join(w.temp, "*", "*", "*", "*", "started")); len(started) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	before, err := os.ReadDir(w.temp)
	if err != nil {
		t.Fatal(err)
	}
	other := newProject(t, map[string]string{"f": "f"})
	other.options.Temps = []string{w.temp}
	other.run(t, other.job("r", "true"))
	if after, err := os.ReadDir(w.temp); err != nil || len(after) != len(before) {
		t.Errorf("a run that lives lost its copy: %v", err)
	}
	other.options.Now = func() time.Time { return time.Now().Add(time.Hour) }
	other.run(t, other.job("r", "true"))
	if after, err := os.ReadDir(w.temp); err != nil || len(after) != len(before) {
		t.Errorf("a run that has long been alive lost its copy: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, name := range []string{"rulecheck-run-strange", "another"} {
		if err := os.Mkdir(filepath.Join(w.temp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	other.run(t, other.job("r", "true"))
	left, err := os.ReadDir(w.temp)
	if err != nil || len(left) != 2 {
		t.Errorf("%v: got %v, want what no run made", err, left)
	}
	w.temp += "/rulecheck-0" // what was made above is not its
	other.ended(t)
	w.ended(t)
}

// TestNobodyElseIsConfined writes from every thread there may be.
func TestNobodyElseIsConfined(t *testing.T) {
	files := map[string]string{}
	for i := range 64 {
		files[strconv.Itoa(i)] = "x"
	}
	w := newProject(t, files)
	w.options.Jobs = 16
	w.run(t, w.job("r", "true", "{file}"))
	dir := t.TempDir()
	var all sync.WaitGroup
	gate := make(chan struct{})
	for i := range 64 {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			<-gate
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	close(gate)
	all.Wait()
}

// TestMain is also the program that opens sockets, and a run to be killed.
func TestMain(m *testing.M) {
	what, address, ok := strings.Cut(os.Getenv("RULECHECK_TEST"), " ")
	if !ok {
		os.Exit(m.Run())
	}
	var err error
	if what == "run" {
		root, temp, _ := strings.Cut(address, " ")
		w := &project{root: root, options: commands.Options{
			Tree: commands.Tree{Root: root, Files: []commands.File{{Path: "f", Content: make([]byte, 33<<20)}}}, Temps: []string{temp}, Cache: filepath.Join(root, "..", "cache"), Now: time.Now,
			Environ: []string{"PATH=" + os.Getenv("PATH")},
		}}
		_, err = commands.Run(context.Background(), []commands.Job{w.shell("r", "echo started >started; setsid sleep 100 & exec sleep 100")}, w.options)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestSandbox runs the same command with every sandbox there may be.
func TestSandbox(t *testing.T) {
	for _, c := range []struct {
		level   sandbox.Level // the strongest that there is
		setting string
		notice  string
		fails   bool
	}{
		{sandbox.None, rule.SandboxBestEffort, "commands run without a sandbox: ", false},
		{sandbox.None, rule.SandboxRequired, "", true},
		{sandbox.None, rule.SandboxOff, "", false},
		{sandbox.Landlock, "", "", false},
		{sandbox.Landlock, rule.SandboxRequired, "", true},
		{sandbox.Landlock, rule.SandboxOff, "", false},
		{sandbox.Namespaces, "", "", false},
		{sandbox.Namespaces, rule.SandboxRequired, "", false},
	} {
		t.Run(string(c.level)+" "+c.setting, func(t *testing.T) {
			commands.LowerSandbox(t, c.level)
			w := newProject(t, map[string]string{"f": "f"})
			w.put(t, "sibling", "sibling", false)
			w.put(t, "ignored", "ignored", false)
			w.options.Sandbox = c.setting
			w.options.Tree.All = every("f", "sibling")
			job := w.shell("r", `echo x >"$1"; (echo x >sibling) 2>/dev/null; cat ignored`)
			if c.fails {
				_, err := commands.Run(t.Context(), []commands.Job{job}, w.options)
				if want := "commands.sandbox is required; want a system that allows user namespaces (run: rulecheck doctor), or best_effort"; err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("got %v, want %s", err, want)
				}
				w.clean(t)
				return
			}
			r := w.run(t, job)
			came(t, r, []string{"r f: 0, changed f"}, map[string]string{"f": "x\n"})
			if got := strings.Join(r.Notices, "\n"); got != c.notice {
				t.Errorf("got %q, want %q", got, c.notice)
			}
			want := c.level
			if c.setting == rule.SandboxOff {
				want = sandbox.None
			}
			if r.Sandbox != want {
				t.Errorf("ran at the level %s, want %s", r.Sandbox, want)
			}
		})
	}
}
