package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/sandbox"
)

// attack is an attempt to do something outside of the sandbox.
type attack struct {
	group, name string
	// do runs inside. Unless there is an effect, the attack succeeds if it returns nil. Of
	// files it has its own directory outside, w.Dir.
	do func(w *world) error
	// effect reports, outside, whether the attack succeeded.
	effect func(o *outside) bool
	// root marks what only root can do without a sandbox, and rare what depends on the
	// kernel: it may fail without a sandbox too.
	root, rare bool
	// race marks what chance decides: without a sandbox it is tried until it succeeds once.
	race bool
	// supervised marks what is held without a sandbox too.
	supervised bool
	// open are the levels at which it is known to succeed.
	open []sandbox.Level
}

// file is an attack that succeeds if it changes anything in its directory: bytes, mode,
// owner, times or attributes.
func file(group, name string, do func(w *world) error) attack {
	return attack{group: group, name: name, do: do, effect: (*outside).changed}
}

// race marks an attack that needs luck.
func race(a attack) attack {
	a.race = true
	return a
}

// world describes the targets to the attacker.
type world struct {
	Attack  int
	Dir     string // the directory of the attack
	Victim  string // a file in it
	Scratch string // the writable directory
	TCP     [2]int // ports, of IPv4 and IPv6
	UDP     int
	Stream  string // path sockets
	Dgram   string
	Packets string
	Name    string // of abstract sockets
	Pid     int    // a process of the user
	Linter  int    // the one that started the sandbox
	Secret  string // in the linter's environment
	Network string // namespace of the linter
	Memory  int    // id of shared memory
	Queue   int    // id of a message queue
	Posix   string // name of a message queue
	Key     string // description of a key
	Shared  string // a file in the user's /dev/shm
	Pipe    string
	Open    string // a file that was left open for writing
	Pts     string
	Address uint64 // of a variable of the linter
}

// attacks are tried at every level, as root and as an ordinary user.
var attacks = slices.Concat(fileAttacks, metadataAttacks, systemAttacks, processAttacks, ipcAttacks, networkAttacks, exhaustionAttacks)

// verdict is the result of an attack.
type verdict string

const (
	held verdict = "held"
	free verdict = "open"
	none verdict = "–" // not possible without a sandbox either
)

// TestMain is also the attacker.
func TestMain(m *testing.M) {
	task := os.Getenv("RULECHECK_ATTACK")
	if task == "" {
		os.Exit(m.Run())
	}
	var w world
	if err := json.Unmarshal([]byte(task), &w); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	if err := attacks[w.Attack].do(&w); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// ordinary is a user who has no rights and no processes.
const ordinary = 12345

// TestEscapes tries everything from inside, as root and as an ordinary user.
func TestEscapes(t *testing.T) {
	if len(attacks) < 60 {
		t.Errorf("there are %d attacks", len(attacks))
	}
	if ours, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil && ours == 20-19 {
		t.Skip("under nice -n 19 no attack can lower the priority of a process")
	}
	results := map[string][]verdict{}
	run := func(t *testing.T, user string) {
		t.Helper()
		for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.Namespaces} {
			t.Run(user+" "+string(level), func(t *testing.T) {
				results[user+" "+string(level)] = try(t, level)
			})
		}
	}
	user := "user"
	if os.Getuid() == 0 {
		user = "root"
	}
	run(t, user)
	if file := os.Getenv("RULECHECK_RESULTS"); file != "" {
		data, err := json.Marshal(results)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
	if user != "root" {
		t.Log("not root: tried as this user only")
		return
	}
	t.Run("user", func(t *testing.T) {
		maps.Copy(results, asOrdinary(t))
	})
	if !t.Failed() && len(results) == 6 {
		compareDocument(t, results)
	}
}

// asOrdinary runs this test as an ordinary user and returns its results.
func asOrdinary(t *testing.T) map[string][]verdict {
	t.Helper()
	dir := publicDir(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied, home := filepath.Join(dir, "sandbox.test"), filepath.Join(dir, "home")
	if err := errors.Join(os.WriteFile(copied, program, 0o755), os.Mkdir(home, 0o755), os.Chown(home, ordinary, ordinary)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), copied, "-test.run", "^TestEscapes$", "-test.v")
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "RULECHECK_RESULTS=" + filepath.Join(home, "results"), "GORACE=atexit_sleep_ms=0", secretVariable + "=" + secretValue}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(home, "results"))
	if err != nil {
		t.Fatal(err)
	}
	results := map[string][]verdict{}
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

// publicDir makes a directory that every user can enter.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rulecheck-escapes-*") //nolint:usetesting // another user must be able to enter it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// try makes every attack at a level and returns what became of each.
func try(t *testing.T, level sandbox.Level) []verdict {
	t.Helper()
	o := newOutside(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	s, w := open(t, sandbox.Config{Strongest: level, Scratch: scratch, Memory: true, Show: []string{filepath.Dir(self), o.top}})
	if s.Level != level {
		t.Skipf("this system has only %s: %s", s.Level, s.Reason)
	}
	o.world.Scratch = scratch + "/d"
	o.world.Attack = -1
	verdicts := make([]verdict, len(attacks))
	for i, a := range attacks {
		if a.root && os.Getuid() != 0 {
			verdicts[i] = none
			continue
		}
		o.begin(t, i)
		task, err := json.Marshal(o.world)
		if err != nil {
			t.Fatal(err)
		}
		var succeeded bool
		var text string
		for tries := 1; ; tries++ {
			var exit sandbox.Exit
			exit, text = attackWith(t, w, self, string(task), o.world.Scratch)
			if exit.Status.ExitStatus() == 2 {
				t.Errorf("%s: %s", a.name, text)
			}
			if a.effect != nil {
				succeeded = a.effect(o)
			} else {
				succeeded = exit.Status.ExitStatus() == 0 || o.changed()
			}
			if succeeded || !a.race || level != sandbox.None || tries == 100 {
				break
			}
		}
		if a.group == processes {
			o.end() // it may have been changed
		}
		verdicts[i] = held
		if succeeded {
			verdicts[i] = free
		}
		known := slices.Contains(a.open, level)
		switch {
		case level == sandbox.None && !succeeded && a.supervised:
		case level == sandbox.None && !succeeded && a.rare:
			verdicts[i] = none
		case level == sandbox.None && !succeeded:
			t.Errorf("%s, %s: does not succeed without a sandbox: the attack is wrong: %s", a.group, a.name, text)
		case level != sandbox.None && succeeded && !known:
			t.Errorf("%s, %s: succeeds", a.group, a.name)
		case level != sandbox.None && !succeeded && known:
			t.Errorf("%s, %s: is held now", a.group, a.name)
		}
	}
	return verdicts
}

func attackWith(t *testing.T, w *sandbox.Worker, self, task, dir string) (sandbox.Exit, string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	e, err := w.Run(t.Context(), sandbox.Call{
		File: self, Argv: []string{self}, Env: []string{"RULECHECK_ATTACK=" + task, "PATH=" + os.Getenv("PATH"), "GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0"}, Dir: dir,
		Stdout: write, Stderr: write,
	})
	write.Close()
	if err != nil {
		t.Fatalf("the sandbox is broken: %v", err)
	}
	text := make([]byte, 1000)
	n, _ := read.Read(text)
	return e, strings.TrimSpace(string(text[:n]))
}

// compareDocument compares the table in the documentation with the results, or writes
// it if UPDATE is set.
func compareDocument(t *testing.T, results map[string][]verdict) {
	t.Helper()
	const file = "../../docs/sandbox.md"
	var b strings.Builder
	group := ""
	for i, a := range attacks {
		if a.group != group {
			group = a.group
			fmt.Fprintf(&b, "\n| %s | none | landlock | namespaces |\n|---|---|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| %s |", a.name)
		for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.Namespaces} {
			root, user := results["root "+string(level)][i], results["user "+string(level)][i]
			text := string(root)
			switch {
			case level == sandbox.None && (a.rare || a.supervised && root != user):
				text = "depends"
			case user == none && root != none:
				text += " (root)"
			case user != root:
				text = fmt.Sprintf("root: %s, user: %s", root, user)
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	golden.Part(t, file, "escapes", b.String())
}
