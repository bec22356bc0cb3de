//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// world is a repository in which every kind of file waits for a commit, and a
// rule whose command changes each.
type world struct {
	*testing.T
	dir, temp, program string
	env                []string
}

// unstaged is text that only the working tree has.
const unstaged = "an edit that is not staged\n"

func newWorld(t *testing.T) *world {
	t.Helper()
	top := t.TempDir()
	w := &world{T: t, dir: filepath.Join(top, "repo"), program: filepath.Join(top, "rulecheck")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, w.program); err != nil {
		t.Fatal(err)
	}
	w.temp = filepath.Join(top, "tmp")
	w.must(os.Mkdir(w.temp, 0o700))
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + top, "TMPDIR=" + w.temp, "GIT_CONFIG_NOSYSTEM=1", "GORACE=" + gittest.Race, "XDG_CACHE_HOME=" + filepath.Join(top, "cache"),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	w.must(os.Mkdir(w.dir, 0o755))
	w.git("init", "-q", "-b", "main")
	w.write(".rulecheck/rules/fmt.md", "---\ntrigger: '**/*.txt'\naction: {command: [sh, -c, 'sed -i s/bad/good/ \"$1\"', sh, '{file}']}\n---\n")
	lines := strings.Repeat("a line that stays\n", 12)
	for _, name := range []string{"staged", "partly", "overlapping", "deleted", "gone", "moved", "script", "clean"} {
		w.write(name+".txt", lines)
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "before")
	for _, name := range []string{"staged", "partly", "overlapping", "script", "gone"} {
		w.write(name+".txt", "bad\n"+lines)
	}
	w.must(os.Chmod(w.path("script.txt"), 0o755))
	w.git("mv", "moved.txt", "renamed.txt")
	w.write("renamed.txt", "bad\n"+lines)
	w.must(os.Symlink("clean.txt", w.path("link.txt")))
	w.git("add", "-A")
	w.git("rm", "-q", "--cached", "deleted.txt")
	w.must(os.Remove(w.path("deleted.txt")))
	w.must(os.Remove(w.path("gone.txt"))) // staged, and deleted in the working tree
	w.write("partly.txt", "bad\n"+lines+unstaged)
	w.write("overlapping.txt", "bad, and "+unstaged+lines)
	w.write("clean.txt", lines+unstaged)
	w.write("untracked.txt", "bad\n"+unstaged)
	w.write("intended.txt", "bad\n"+unstaged)
	w.git("add", "-N", "intended.txt")
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) write(name, text string) {
	w.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	w.must(os.WriteFile(w.path(name), []byte(text), 0o644))
}

func (w *world) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

func (w *world) git(args ...string) string {
	w.Helper()
	out, err := w.command("git", args...).CombinedOutput()
	if err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// state is every entry of the index and every file of the working tree.
func (w *world) state() map[string]string {
	w.Helper()
	state := map[string]string{}
	for entry := range strings.SplitSeq(w.git("ls-files", "-s", "-z"), "\x00") {
		if meta, name, ok := strings.Cut(entry, "\t"); ok {
			state["index "+name] = meta
		}
	}
	w.must(filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		state["file "+strings.TrimPrefix(path, w.dir+"/")] = info.Mode().String() + " " + string(content)
		return err
	}))
	return state
}

// left returns the names in the directory for temporary files.
func (w *world) left() []string {
	w.Helper()
	entries, err := os.ReadDir(w.temp)
	w.must(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		w.must(os.RemoveAll(filepath.Join(w.temp, e.Name())))
	}
	return names
}

// watch sees during a run that unstaged text stays where it is; done ends it.
func (w *world) watch() (done func()) {
	var over atomic.Bool
	ended := make(chan string)
	go func() {
		for !over.Load() {
			for _, name := range []string{"partly.txt", "overlapping.txt", "clean.txt", "untracked.txt", "intended.txt"} {
				if text, err := os.ReadFile(w.path(name)); err != nil || !bytes.Contains(text, []byte(unstaged)) {
					ended <- fmt.Sprintf("%s is %q, %v; want its unstaged text in it at every instant", name, text, err)
					return
				}
			}
		}
		ended <- ""
	}()
	return func() {
		w.Helper()
		over.Store(true)
		if complaint := <-ended; complaint != "" {
			w.Error(complaint)
		}
	}
}

// TestKilledRuns kills the program at random during checks and fixes, FAULTS times.
func TestKilledRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	times := lawtest.Cases(t, "FAULTS", 24)
	template := newWorld(t)
	before := template.state()
	whole := copyOf(template)
	began := time.Now()
	if out, err := whole.command(whole.program, "--staged", "--fix").CombinedOutput(); err != nil {
		t.Fatalf("rulecheck --staged --fix: %v\n%s", err, out)
	}
	span := time.Since(began)
	after := whole.state()
	if maps.Equal(before, after) || !strings.Contains(after["file staged.txt"], "good") || !strings.Contains(after["file partly.txt"], "good") {
		t.Fatalf("an undisturbed run does not fix: %q", after)
	}
	for i := range times {
		fix := i%4 != 3
		w := copyOf(template)
		args := []string{"--staged", "--fix"}
		if !fix {
			args = []string{"--staged"}
		}
		cmd := w.command(w.program, args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		done := w.watch()
		w.must(cmd.Start())
		time.Sleep(rand.N(span))
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}[i%3]
		_ = syscall.Kill(cmd.Process.Pid, signal)
		_ = cmd.Wait()
		done()
		if out, err := w.command(w.program, "recover").CombinedOutput(); err != nil {
			t.Fatalf("run %d, %v: rulecheck recover: %v\n%s", i, signal, err, out)
		}
		now := w.state()
		for name, is := range now {
			if is != before[name] && (!fix || is != after[name]) {
				t.Errorf("run %d, %v: %s is %q; want it as before, %q, or as after, %q", i, signal, name, is, before[name], after[name])
			}
		}
		if len(now) != len(before) {
			t.Errorf("run %d, %v: %d entries and files; want %d", i, signal, len(now), len(before))
		}
		if t.Failed() {
			return
		}
		// The next run is as if nothing had been.
		if out, err := w.command(w.program, "--staged", "--fix").CombinedOutput(); err != nil {
			t.Fatalf("run %d: rulecheck --staged --fix afterwards: %v\n%s", i, err, out)
		}
		if now := w.state(); !maps.Equal(now, after) {
			t.Fatalf("run %d, %v: after another run %q; want %q", i, signal, now, after)
		}
		if left := w.left(); len(left) > 0 && signal != syscall.SIGKILL {
			t.Fatalf("run %d, %v: %v is left in the directory for temporary files", i, signal, left)
		}
	}
}

// TestFixesAtOnce runs the program twice at the same time in one repository, while git
// stages another file repeatedly.
func TestFixesAtOnce(t *testing.T) {
	template := newWorld(t)
	whole := copyOf(template)
	if out, err := whole.command(whole.program, "--staged", "--fix").CombinedOutput(); err != nil {
		t.Fatalf("rulecheck --staged --fix: %v\n%s", err, out)
	}
	after := whole.state()
	w := copyOf(template)
	done := w.watch()
	var over atomic.Bool
	staged := make(chan error)
	go func() {
		var last error
		for n := 0; !over.Load(); n++ {
			if err := os.WriteFile(w.path("other.md"), fmt.Append(nil, n), 0o644); err != nil {
				last = err
			}
			_ = w.command("git", "add", "other.md").Run() // it may find the index locked
		}
		staged <- last
	}()
	var runs []*exec.Cmd
	var said [2]bytes.Buffer
	for i := range said {
		cmd := w.command(w.program, "--staged", "--fix")
		cmd.Stdout, cmd.Stderr = &said[i], &said[i]
		w.must(cmd.Start())
		runs = append(runs, cmd)
	}
	for _, cmd := range runs {
		_ = cmd.Wait() // the second run may be refused
	}
	over.Store(true)
	w.must(<-staged)
	done()
	if out, err := w.command(w.program, "--staged", "--fix").CombinedOutput(); err != nil {
		t.Fatalf("rulecheck --staged --fix afterwards: %v\n%s\nafter %s\nand %s", err, out, &said[0], &said[1])
	}
	now := w.state()
	for name, want := range after {
		if now[name] != want {
			t.Errorf("%s is %q; want %q, after %s\nand %s", name, now[name], want, &said[0], &said[1])
		}
	}
	if now["index other.md"] == "" {
		t.Errorf("the file that git staged meanwhile is lost")
	}
}

// copyOf returns a copy of w in another directory.
func copyOf(w *world) *world {
	w.Helper()
	c := *w
	c.dir = filepath.Join(w.TempDir(), "repo")
	if out, err := exec.Command("cp", "-a", w.dir, c.dir).CombinedOutput(); err != nil {
		w.Fatalf("cp -a: %v\n%s", err, out)
	}
	return &c
}
