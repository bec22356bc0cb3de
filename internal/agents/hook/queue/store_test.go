package queue_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/finding"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// fixture is a store and its git directory.
type fixture struct {
	*queue.Store
	t   *testing.T
	dir string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	return &fixture{queue.New(dir), t, dir}
}

func (f *fixture) queue(name ...string) string {
	return filepath.Join(append([]string{f.dir, "rulecheck", "queue"}, name...)...)
}

// finding returns a finding whose hash is of its rule and version.
func found(rule string, version int, files ...string) queue.Finding {
	s := queue.Subject{Rule: rule, Text: strconv.Itoa(version), Base: "base"}
	return queue.Finding{Hash: s.Hash(), Rule: rule, Name: "Rule " + rule, Level: finding.Error, Base: "base", TriggerFiles: files}
}

// stop stops in session s, and returns the hashes that block.
func (f *fixture) stop(stop queue.Stop) (block, notices []string) {
	f.t.Helper()
	if stop.Session == "" {
		stop.Session = "s"
	}
	stop.Now = noon
	stop.Promises = func(answer string) []string { return strings.Split(answer, ";") }
	d, notices, err := f.Stop(f.t.Context(), stop)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, b := range d.Block {
		block = append(block, b.Hash)
	}
	return block, notices
}

// statuses lists the queue: rule and status.
func (f *fixture) statuses() []string {
	f.t.Helper()
	entries, notices, err := f.Entries(f.t.Context())
	if err != nil || len(notices) > 0 {
		f.t.Fatal(err, notices)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.RuleName+" "+string(e.Status))
	}
	slices.Sort(list)
	return list
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestTransitions(t *testing.T) {
	base := map[string]bool{"Rule a": true, "Rule b": true, "Rule c": true, "Rule fmt": true}
	a, b, c := found("a", 1, "a.py"), found("b", 1, "b.py"), found("c", 1, "c.py")
	command := found("fmt", 1, "x.go")
	command.Command = &queue.Command{ExitCode: 3}
	f := newFixture(t)
	all := []queue.Finding{a, b, c, command}
	block, _ := f.stop(queue.Stop{Findings: all, Evaluated: base})
	equal(t, "blocks", block, []string{a.Hash, b.Hash, c.Hash, command.Hash})
	equal(t, "reported", f.statuses(), []string{"Rule a queued", "Rule b queued", "Rule c queued", "Rule fmt failed"})
	block, _ = f.stop(queue.Stop{Findings: all, Evaluated: base})
	equal(t, "blocks again", block, []string(nil))
	// a is promised, b is followed, c was changed but not as it should, and the command succeeds
	c2 := found("c", 2, "c.py", "d.py")
	block, _ = f.stop(queue.Stop{Findings: []queue.Finding{a, c2}, Evaluated: base, Answer: "rule A"})
	equal(t, "blocks", block, []string{c2.Hash})
	equal(t, "afterwards", f.statuses(), []string{"Rule a passed", "Rule b skipped", "Rule c queued", "Rule c queued", "Rule fmt passed"})
	// Nothing is known of the entries of a rule that was not evaluated.
	f.stop(queue.Stop{})
	equal(t, "not evaluated", f.statuses(), []string{"Rule a passed", "Rule b skipped", "Rule c queued", "Rule c queued", "Rule fmt passed"})
	f.stop(queue.Stop{Evaluated: base})
	equal(t, "followed", f.statuses(), []string{"Rule a passed", "Rule b skipped", "Rule c skipped", "Rule c skipped", "Rule fmt passed"})
	// A promise by the rule's id, of a finding that was not reported before
	d := found("d", 1)
	block, _ = f.stop(queue.Stop{Findings: []queue.Finding{d}, Answer: "D"})
	equal(t, "blocks", block, []string(nil))
	block, _ = f.stop(queue.Stop{Findings: []queue.Finding{d}})
	equal(t, "promised before", block, []string(nil))
}

// TestRepeatedAnswers lets an agent repeat its former text in each answer: a promise in it
// counts once. One that says the same again promises again.
func TestRepeatedAnswers(t *testing.T) {
	f := newFixture(t)
	a, b, a2, a3 := found("a", 1), found("b", 1), found("a", 2), found("a", 3)
	block, _ := f.stop(queue.Stop{Findings: []queue.Finding{a, b}, Answer: ";a;"})
	equal(t, "a is promised", block, []string{b.Hash})
	block, _ = f.stop(queue.Stop{Findings: []queue.Finding{a2}, Answer: ";a;done"})
	equal(t, "repeated with more", block, []string{a2.Hash})
	block, _ = f.stop(queue.Stop{Findings: []queue.Finding{a3}, Answer: ";a;done"})
	equal(t, "the same", block, []string(nil))
	for _, answer := range []string{"", ";", "b"} { // shorter, or another
		block, _ = f.stop(queue.Stop{Session: "other", Findings: []queue.Finding{found("b", len(answer)+5)}, Answer: answer})
		equal(t, answer, block == nil, answer == "b")
	}
}

// TestFiles checks names, content and permissions of what is stored.
func TestFiles(t *testing.T) {
	f := newFixture(t)
	a := found("a", 1, "b.py", "a\xff\n.py")
	a.Expected, a.Matched = []string{"t.py"}, []string{"m.py"}
	f.stop(queue.Stop{Findings: []queue.Finding{a}, Session: "claude-../../x"})
	file := f.queue(a.Hash + ".queued.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	equal(t, "entry", got, map[string]any{
		"rule_name": "Rule a", "trigger_hash": a.Hash, "status": "queued",
		"created_at": "2026-05-01T12:00:00Z", "evaluated_at": nil, "baseline_ref": "base",
		"trigger_files": []any{"b.py", `a\xff\n.py`}, "expected_files": []any{"t.py"}, "matched_files": []any{"m.py"},
		"action_result": nil,
	})
	f.stop(queue.Stop{Findings: []queue.Finding{a}, Answer: "a"})
	if _, err := os.Stat(file); err == nil {
		t.Error("the entry is queued and passed")
	}
	text, err = os.ReadFile(f.queue(a.Hash + ".passed.json"))
	if err != nil || !strings.Contains(string(text), `"output": null`) || !strings.Contains(string(text), `"type": "prompt"`) {
		t.Errorf("%v\n%s", err, text)
	}
	err = filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == f.dir || path == filepath.Join(f.dir, "rulecheck") {
			return err
		}
		info, err := d.Info()
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if runtime.GOOS != "windows" && err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has permissions %04o; want %04o", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamage damages files in every way. What is damaged is kept, said once, and reported
// anew.
func TestDamage(t *testing.T) {
	a := found("a", 1, "a.py")
	for name, damage := range map[string]string{
		"empty": "", "half": `{"rule_name": "Rule a", "trig`, "of another": strings.ReplaceAll(`{"rule_name":"x","trigger_hash":"000000000000","status":"queued"}`, "x", "Rule a"),
		"not an object": "[1]\n", "zeros": strings.Repeat("\x00", 512), "another status": `{"rule_name":"Rule a","trigger_hash":"` + a.Hash + `","status":"passed"}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.stop(queue.Stop{Findings: []queue.Finding{a}})
			file := f.queue(a.Hash + ".queued.json")
			if err := os.WriteFile(file, []byte(damage), 0o600); err != nil {
				t.Fatal(err)
			}
			block, notices := f.stop(queue.Stop{Findings: []queue.Finding{a}})
			if len(block) != 1 || len(notices) != 1 || !strings.Contains(notices[0], "is damaged") || !strings.HasSuffix(notices[0], a.Hash+".queued.json.damaged-1") {
				t.Errorf("%v, %q", block, notices)
			}
			if kept, err := os.ReadFile(file + ".damaged-1"); err != nil || string(kept) != damage {
				t.Errorf("kept %q, %v", kept, err)
			}
			if _, notices := f.stop(queue.Stop{Findings: []queue.Finding{a}}); len(notices) > 0 {
				t.Errorf("said again: %q", notices)
			}
		})
	}
}

// TestDamagedSession counts anew; findings that were reported still do not block.
func TestDamagedSession(t *testing.T) {
	f := newFixture(t)
	a, b := found("a", 1), found("b", 1)
	f.stop(queue.Stop{Findings: []queue.Finding{a}})
	files, err := filepath.Glob(filepath.Join(f.dir, "rulecheck", "stops", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, damage := range []string{"", "{", `{"blocks": -1}`, `{"blocks": "1"}`} {
		if err := os.WriteFile(files[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		block, notices := f.stop(queue.Stop{Findings: []queue.Finding{a}})
		if len(block) != 0 || len(notices) != 1 || !strings.Contains(notices[0], "is damaged") {
			t.Errorf("%q: %v, %q", damage, block, notices)
		}
	}
	if block, _ := f.stop(queue.Stop{Findings: []queue.Finding{a, b}}); len(block) != 1 {
		t.Errorf("%v", block)
	}
}

// TestInTheWay puts other things where files belong: an error, and nothing blocks.
func TestInTheWay(t *testing.T) {
	f := newFixture(t)
	if err := os.MkdirAll(filepath.Dir(f.queue()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.queue(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Stop(t.Context(), queue.Stop{Session: "s", Findings: []queue.Finding{found("a", 1)}}); err == nil {
		t.Error("a file in place of the queue is no error")
	}
	f = newFixture(t)
	a := found("a", 1)
	if err := os.MkdirAll(f.queue(a.Hash+".queued.json", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if block, notices := f.stop(queue.Stop{Findings: []queue.Finding{a}}); len(block) != 1 || len(notices) != 1 {
		t.Errorf("a directory in place of an entry: %v, %q", block, notices)
	}
}

// TestSessionsAreApart counts blocks by session; what was reported is common.
func TestSessionsAreApart(t *testing.T) {
	f := newFixture(t)
	for _, session := range []string{"one", "two"} {
		n := 0
		for version := range 10 {
			block, _ := f.stop(queue.Stop{Session: session, Findings: []queue.Finding{found(session, version)}})
			n += len(block)
		}
		if n != queue.MaxRuleBlocks {
			t.Errorf("session %s was blocked %d times; want %d", session, n, queue.MaxRuleBlocks)
		}
	}
	if block, _ := f.stop(queue.Stop{Session: "three", Findings: []queue.Finding{found("one", 0)}}); block != nil {
		t.Errorf("%v blocks another session", block)
	}
}

// TestNotesStayClosed stores notes, so that they are shown once, and not as open.
func TestNotesStayClosed(t *testing.T) {
	f := newFixture(t)
	a := found("a", 1)
	a.Level = finding.Note
	f.stop(queue.Stop{Findings: []queue.Finding{a}})
	equal(t, "entries", f.statuses(), []string{"Rule a skipped"})
}

// TestObserve decides and records nothing, so that a later stop that counts blocks.
func TestObserve(t *testing.T) {
	f := newFixture(t)
	a := found("a", 1)
	for range queue.MaxBlocks + 1 {
		block, _ := f.stop(queue.Stop{Findings: []queue.Finding{a}, Observe: true})
		equal(t, "observed", block, []string{a.Hash})
	}
	equal(t, "entries", f.statuses(), []string(nil))
	block, _ := f.stop(queue.Stop{Findings: []queue.Finding{a}})
	equal(t, "blocks", block, []string{a.Hash})
}

// TestForgottenRules closes entries of rules that are no longer evaluated, in time.
func TestForgottenRules(t *testing.T) {
	f := newFixture(t)
	f.stop(queue.Stop{Findings: []queue.Finding{found("gone", 1)}})
	for _, after := range []struct {
		days int
		want string
	}{{29, "Rule gone queued"}, {31, "Rule gone skipped"}} {
		_, _, err := f.Stop(t.Context(), queue.Stop{Session: "s", Now: noon.Add(time.Duration(after.days) * 24 * time.Hour)})
		if err != nil {
			t.Error(err)
		}
		equal(t, "entries", f.statuses(), []string{after.want})
	}
	// A clock that goes backwards closes nothing.
	g := newFixture(t)
	g.stop(queue.Stop{Findings: []queue.Finding{found("gone", 1)}})
	if _, _, err := g.Stop(t.Context(), queue.Stop{Session: "s", Now: noon.Add(-1000 * time.Hour)}); err != nil {
		t.Error(err)
	}
	equal(t, "earlier", g.statuses(), []string{"Rule gone queued"})
}

// TestPrune removes what is old from a large queue, and nothing from a small one.
func TestPrune(t *testing.T) {
	f := newFixture(t)
	f.stop(queue.Stop{})
	for n := range 600 {
		file := f.queue(fmt.Sprintf("%012x.passed.json", n))
		if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if n < 400 {
			old := noon.Add(-31 * 24 * time.Hour)
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.stop(queue.Stop{})
	if files, _ := os.ReadDir(f.queue()); len(files) != 200 {
		t.Errorf("%d files remain; want 200", len(files))
	}
}

const workerKey = "RULECHECK_TEST_QUEUE" // git directory and name of a worker

// TestWorker runs as another process. It stops again and again, with findings that other
// processes have as well, and prints what blocks.
func TestWorker(t *testing.T) {
	dir, name, ok := strings.Cut(os.Getenv(workerKey), "\n")
	if !ok {
		t.Skip("started by other tests only")
	}
	for n := range 40 {
		session := fmt.Sprint(name, "-", n/8)
		d, notices, err := queue.New(dir).Stop(t.Context(), queue.Stop{
			Session: session, Findings: []queue.Finding{found("shared", n), found("shared", n+1), found(name, n)}, Now: noon,
			Evaluated: map[string]bool{"Rule shared": true, "Rule " + name: true},
		})
		if err != nil || len(notices) > 0 {
			fmt.Println("error", err, notices)
			os.Exit(3)
		}
		for _, b := range d.Block {
			fmt.Println("block", b.Rule, b.Hash)
		}
	}
	os.Exit(0)
}

// TestKilledProcesses kills processes that use one queue at random times. Nothing is
// damaged, and no finding blocks twice.
func TestKilledProcesses(t *testing.T) {
	f := newFixture(t)
	var mu sync.Mutex
	blocked, killed := map[string]int{}, 0
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for life := range 4 {
				cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorker$")
				cmd.Env = append(os.Environ(), fmt.Sprint(workerKey, "=", f.dir, "\nw", w))
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				for n, lines := 0, bufio.NewScanner(out); lines.Scan(); n++ {
					word, rest, _ := strings.Cut(lines.Text(), " ")
					if word != "block" {
						t.Errorf("w%d: %s", w, lines.Text())
						continue
					}
					mu.Lock()
					blocked[rest]++
					mu.Unlock()
					if life < 3 && n == 2+3*w+2*life {
						_ = cmd.Process.Kill()
					}
				}
				if cmd.Wait() != nil {
					mu.Lock()
					killed++
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	for hash, n := range blocked {
		if n > 1 {
			t.Errorf("%s blocked %d times", hash, n)
		}
	}
	if killed == 0 || len(blocked) < 20 {
		t.Errorf("%d processes were killed, %d findings blocked", killed, len(blocked))
	}
	f.statuses() // no entry is damaged
	f.stop(queue.Stop{})
	files, err := os.ReadDir(f.queue())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".json") {
			t.Errorf("%s remains", file.Name())
		}
	}
}
