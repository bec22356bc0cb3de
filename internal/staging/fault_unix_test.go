//go:build unix

package staging_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// TestRandomKills stops runs at random instants, in every way that a user or the
// system may.
func TestRandomKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	template := fullRepository(t, t.TempDir())
	works := []struct {
		head  diff.HeadKind
		edits []staging.Edit
		outcome
		takes time.Duration
	}{
		{head: diff.Index, edits: template.staged(fullEdits...)},
		{head: diff.Worktree, edits: template.fullPresent()},
	}
	for i := range works {
		c := &works[i]
		c.outcome = template.uninterrupted(t.TempDir(), c.head, c.edits)
		w := template.copied(t.TempDir())
		begun := time.Now()
		run(t, w.child(t.Context(), c.head, c.edits), func(*os.Process) { begun = time.Now() })
		c.takes = time.Since(begun)
	}
	random := rand.New(rand.NewPCG(5, 1))
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}
	last := ""
	defer func() {
		if t.Failed() {
			t.Log(last)
		}
	}()
	runs, stopped := 0, 0
	for ; stopped < lawtest.Cases(t, "FAULTS", 30); runs++ {
		c := &works[runs%len(works)]
		signal := signals[random.IntN(len(signals))]
		delay := time.Duration(random.Int64N(int64(c.takes)))
		group, forgiving := random.IntN(2) == 0, random.IntN(2) == 0
		last = fmt.Sprintf("%s: %v after %v, group %t, forgiving %t", c.head, signal, delay, group, forgiving)
		w := template.copied(t.TempDir())
		stop := w.watch(fullMine)
		var env []string
		if forgiving {
			env = append(env, forgiveKey+"=1")
		}
		cmd := w.child(t.Context(), c.head, c.edits, env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		err := run(t, cmd, func(p *os.Process) {
			time.Sleep(delay)
			if group {
				_ = syscall.Kill(-p.Pid, signal)
			} else {
				_ = p.Signal(signal)
			}
		})
		stop()
		if err != nil {
			stopped++
			c.takes += c.takes / 40 // such that some come too late, and the last instants are met
		} else {
			c.takes -= c.takes / 20
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the git that it may have left
		c.either(w)
		c.refuses(w)
		c.recovered(w)
	}
	t.Logf("%d of %d runs were stopped", stopped, runs)
}

// run starts a child, has begun called when it begins to write, and waits for its end.
func run(t *testing.T, cmd *exec.Cmd, begun func(*os.Process)) error {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		if scanner.Text() == "begin" {
			begun(cmd.Process)
		}
	}
	return cmd.Wait()
}
