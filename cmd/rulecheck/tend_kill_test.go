package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestTendKilled kills a process that edits many rule files. Each file is as before or as after,
// and the next run edits the others and leaves nothing behind.
func TestTendKilled(t *testing.T) {
	t.Parallel()
	const rules = 60
	w := newReplayWorld(t)
	dir := t.TempDir()
	w.run(t, "", "git", "init", "-q", "-b", "main", dir)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, ".rulecheck", "rules"), 0o755))
	must(os.MkdirAll(filepath.Join(dir, "old"), 0o755))
	text := func(i int, in string) string {
		return fmt.Sprintf("---\npair: {trigger: a.txt, expects: %s/%d.txt}\n---\n%s\n", in, i, strings.Repeat("Change both.\n", 200))
	}
	file := func(i int) string { return filepath.Join(dir, ".rulecheck", "rules", fmt.Sprintf("r%d.md", i)) }
	for i := range rules {
		must(os.WriteFile(file(i), []byte(text(i, "old")), 0o644))
		must(os.WriteFile(filepath.Join(dir, "old", fmt.Sprintf("%d.txt", i)), []byte(fmt.Sprintln("file", i)), 0o644))
	}
	must(os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o644))
	w.run(t, dir, "git", "add", "-A")
	w.run(t, dir, "git", "commit", "-qm", "start")
	w.run(t, dir, "git", "mv", "old", "new")
	w.run(t, dir, "git", "commit", "-qm", "move")

	started := time.Now()
	w.run(t, dir, "rulecheck", "rules", "tend", "--write")
	took := time.Since(started)
	random := rand.New(rand.NewPCG(35, 1))
	halfway := 0
	for range lawtest.Cases(t, "TEND_KILLS", 5) {
		w.run(t, dir, "git", "checkout", "-q", "--", ".rulecheck")
		cmd := exec.CommandContext(t.Context(), "rulecheck", "rules", "tend", "--write")
		cmd.Dir, cmd.Env = dir, w.env
		must(cmd.Start())
		timer := time.AfterFunc(took/2+time.Duration(random.Int64N(int64(took))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		edited := 0
		for i := range rules {
			switch now, err := os.ReadFile(file(i)); {
			case err != nil:
				t.Fatal(err)
			case string(now) == text(i, "new"):
				edited++
			case string(now) != text(i, "old"):
				t.Fatalf("%s is neither as before nor as after:\n%s", file(i), now)
			}
		}
		if edited > 0 && edited < rules {
			halfway++
		}
		var all sync.WaitGroup // a second one waits for the first
		for range 2 {
			all.Go(func() { w.run(t, dir, "rulecheck", "rules", "tend", "--write") })
		}
		all.Wait()
		for i := range rules {
			if now, _ := os.ReadFile(file(i)); string(now) != text(i, "new") {
				t.Fatalf("%s was not edited by the next run", file(i))
			}
		}
		if left := string(w.run(t, dir, "git", "status", "--porcelain", "--untracked-files=all", "--ignored")); strings.Contains(left, "??") {
			t.Fatalf("left behind: %s", left)
		}
	}
	t.Logf("%d runs were killed between two files", halfway)
}
